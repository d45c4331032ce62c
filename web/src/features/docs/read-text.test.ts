import { expect, it } from 'vitest';
import { readText } from './read-text';
import { wordsIn } from './text';

const blocksOf = (markdown: string) => readText(`---\ntitle: A page\nlead: What it is about.\norder: 1\ndate: 2026-01-02\n---\n${markdown}`).blocks;
const wordsOf = (markdown: string) => blocksOf(markdown).flatMap((block) => (block.kind === 'prose' ? [wordsIn(block.parts).replace(/\s+/g, ' ').trim()] : []));

it('a heading keeps the anchor that it names, and gets one of its words otherwise', () => {
  expect(blocksOf('## Run it {#run}\n\n### Two `words`')).toEqual([
    { kind: 'heading', level: 2, id: 'run', text: 'Run it' },
    { kind: 'heading', level: 3, id: 'two-words', text: 'Two `words`' },
  ]);
});

it('code says whether it can be run, and a live part what it shows', () => {
  expect(blocksOf('```sql run\nselect 1\n```\n\n```live chart a b\n```')).toEqual([
    { kind: 'code', language: 'sql', run: true, text: 'select 1' },
    { kind: 'live', name: 'chart', args: ['a', 'b'], text: '' },
  ]);
});

it('the search reads the words of a page without the marks around them', () => {
  expect(wordsOf('Read [the **course**](/platform/course) and `blocks`.')).toEqual(['Read the course and blocks.']);
  expect(wordsOf('- one\n- two\n\n| a | b |\n|---|---|\n| 1 | `2` |\n\n> ![A picture](x.webp)')).toEqual(['one two a b 1 2 A picture']);
});

it('what the pages have no way to show is refused, so that no HTML of a text reaches them', () => {
  expect(() => blocksOf('<b>bold</b>')).toThrow('The manuals have no way to show this (html)');
});
