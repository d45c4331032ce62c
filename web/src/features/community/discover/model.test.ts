import { describe, expect, it } from 'vitest';
import { readView, wider, withOperator, writeView, type View } from './model';

const read = (text: string) => readView(new URLSearchParams(text));
const first: View = { tab: 'dashboards', search: '', sort: 'favorites', range: 'all', page: 1, size: 10 };

describe('the discover page in its address', () => {
  it('starts with the dashboards of all time, the most favourite first, ten a page', () => expect(read('')).toEqual(first));

  it('keeps everything a reader can set', () => {
    const view: View = { tab: 'queries', search: 'tag:dex -nft "gas price"', sort: 'time', range: '7d', page: 3, size: 30 };
    expect(readView(writeView(view))).toEqual(view);
  });

  it('takes what it does not know for the start', () => expect(read('tab=people&sort=size&range=1y&page=0&size=7')).toEqual(first));

  it('writes nothing for the start', () => expect(writeView(first).toString()).toBe(''));
});

it('offers a wider range until there is none', () => {
  expect(wider('24h')).toBe('30d');
  expect(wider('7d')).toBe('30d');
  expect(wider('30d')).toBe('all');
  expect(wider('all')).toBeNull();
});

it('adds an operator to what is written', () => {
  expect(withOperator('', 'tag:dex')).toBe('tag:dex');
  expect(withOperator('gas ', 'tag:dex')).toBe('gas tag:dex');
});
