import { expect, it } from 'vitest';
import { excerpt, wordsOf } from './words';

it.each([
  ['Block time', ['block', 'time']],
  ['block_timestamp', ['block_timestamp', 'block', 'timestamp']],
  ['区块时间', ['区块', '块时', '时间']],
  ['链', ['链']],
  ['查询SQL语句', ['查询', 'sql', '语句']],
  ['以太坊 ERC-20 代币', ['以太', '太坊', 'erc', '20', '代币']],
  ['…!', []],
])('cuts "%s"', (text, words) => expect(wordsOf(text)).toEqual(words));

it('shows the piece of a text where the words are', () => {
  const text = `${'a '.repeat(100)}the gas price ${'b '.repeat(100)}`;
  const piece = excerpt(text, 'gas price', 40);
  expect(piece).toContain('the gas price');
  expect(piece.startsWith('…')).toBe(true);
  expect(piece.endsWith('…')).toBe(true);
});
