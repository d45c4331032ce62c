// The 3D charts size their render targets by small expressions, which claygl makes into functions with `new Function`. The
// server's content policy allows no code made from text, so the build puts a reader of products (`width * dpr / 2`) in its place.
import type { Plugin } from 'vite';

const made = "new Function('width', 'height', 'dpr', 'return ' + exprRes[1])";

const reader = `
function sizeReader(text) {
  const products = text.replace(/^\\s*\\[|\\]\\s*$/g, '').split(',').map((product) => product.split(/([*/])/).map((part) => part.trim()));
  const isList = /^\\s*\\[/.test(text);
  return (width, height, dpr) => {
    const sizes = { width, height, dpr };
    const read = (part) => (part in sizes ? sizes[part] : Number(part));
    const values = products.map(([first, ...rest]) => {
      let value = read(first);
      for (let at = 0; at < rest.length; at += 2) value = rest[at] === '*' ? value * read(rest[at + 1]) : value / read(rest[at + 1]);
      return value;
    });
    return isList ? values : values[0];
  };
}
`;

/** Fails the build when claygl no longer holds the place that is replaced. */
export const withoutMadeCode: Plugin = {
  name: 'claygl-without-made-code',
  transform(code, id) {
    if (!id.includes('/claygl/src/createCompositor.js')) return;
    if (!code.includes(made)) throw new Error('claygl has changed: look at how it reads its size expressions');
    return { code: code.replace(made, 'sizeReader(exprRes[1])') + reader, map: null };
  },
};
