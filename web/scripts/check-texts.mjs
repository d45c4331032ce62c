// Reports translation keys the code uses but English lacks, keys nobody uses, and texts that are the same in both languages.
// (That Chinese has every key of English is the type checker's work.)
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { createServer } from 'vite';

const src = path.resolve(import.meta.dirname, '../src');

function flat(texts, prefix = '') {
  return Object.entries(texts).flatMap(([key, value]) =>
    typeof value === 'string' ? [[prefix + key, value]] : flat(value, `${prefix}${key}.`),
  );
}

const server = await createServer({ configFile: false, logLevel: 'error', server: { middlewareMode: true }, optimizeDeps: { noDiscovery: true } });
const { bundles } = await server.ssrLoadModule(`${src}/i18n/bundles.ts`);
const parts = async (l) =>
  (await Promise.all([server.ssrLoadModule(`${src}/i18n/${l}/index.ts`), ...Object.values(bundles).map((bundle) => bundle[l]())])).map((part) => part.default);
const [en, zh] = await Promise.all(['en', 'zh'].map(async (l) => Object.assign({}, ...(await parts(l)))));
await server.close();

const files = readdirSync(src, { recursive: true })
  .filter((name) => /\.tsx?$/.test(name) && !name.startsWith('i18n' + path.sep + 'en') && !name.startsWith('i18n' + path.sep + 'zh'))
  .map((name) => [name, readFileSync(path.join(src, name), 'utf8')]);
const code = files.map(([, text]) => text).join('\n');

const problems = [];
const english = new Map(flat(en));
const chinese = new Map(flat(zh));
const plural = /_(zero|one|other)$/;
const keys = new Set([...english.keys()].map((key) => key.replace(plural, '')));

// A key is used when it stands whole in the code, or under a prefix written as a template: `errors.${code}`.
const written = new Set([...code.matchAll(/['"`]([a-z][\w-]*(?:\.[\w-]+)+)['"`]/gi)].map((match) => match[1]));
const prefixes = [...code.matchAll(/`([a-z][\w-]*\.(?:[\w-]+\.)*)\$\{/gi)].map((match) => match[1]);
for (const key of keys) {
  if (!written.has(key) && !prefixes.some((prefix) => key.startsWith(prefix))) problems.push(`nobody uses the text "${key}"`);
}
for (const match of code.matchAll(/\bt\(\s*['"]([^'"]+)['"]/g)) {
  if (!keys.has(match[1])) problems.push(`the text "${match[1]}" is used and does not exist`);
}
for (const [key, text] of english) {
  const other = chinese.get(key);
  // Names and formulas are the same in both languages; a sentence is not.
  if (other === text && /[a-z]{3,} [a-z]{2,}/.test(text)) problems.push(`"${key}" is not translated to Chinese`);
  if (other !== undefined) {
    const gaps = (value) => [...value.matchAll(/\{\{(\w+)\}\}/g)].map((match) => match[1]).sort().join();
    if (gaps(other) !== gaps(text)) problems.push(`"${key}" fills different gaps in English and Chinese`);
  }
}

for (const problem of problems) console.error(`texts: ${problem}`);
if (problems.length > 0) process.exit(1);
console.log(`texts: ${keys.size} keys in two languages, all used`);
