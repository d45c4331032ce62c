import { expect, it } from 'vitest';
import { linkTypes, queryWithText, textOfLink, type LinkedKind } from './query-link';

const open = (link: string) => {
  const url = new URL(link, 'https://quarry.example');
  return textOfLink(url.search, url.hash);
};

it.each(Object.keys(linkTypes) as LinkedKind[])('a %s text survives the link', (kind) => {
  const text = `select '#%&?=+"' as "标题",\n  1 -- 100 %\n`;
  expect(open(queryWithText(kind, text))).toEqual({ kind, text });
});

it('takes a link without a known type for SQL', () => expect(textOfLink('?type=cobol', '#q=select%201')).toEqual({ kind: 'SQL', text: 'select 1' }));

it.each(['', '#', '#other', '#q=%E0%A4%A'])('"%s" carries no text', (hash) => expect(textOfLink('', hash)).toBeNull());
