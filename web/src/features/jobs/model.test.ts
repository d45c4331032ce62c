import { describe, expect, it } from 'vitest';
import { readFilter, writeFilter } from './model';

const read = (text: string) => readFilter(new URLSearchParams(text));

describe('job filters in the address', () => {
  it('come back as they were written', () => {
    for (const text of ['', 'state=failed', 'type=sql&state=running&page=3&size=50', 'type=hive', 'page=2']) {
      expect(new URLSearchParams(writeFilter(read(text))).toString()).toBe(text);
    }
  });
  it('read each part into its own place', () => {
    expect(read('type=sql&state=killed&page=4&size=30')).toEqual({ kind: 'SQL', state: 'KILLED', page: 4, size: 30 });
  });
  it('count as not given when they make no sense', () => {
    expect(read('type=cobol&state=lost&page=-1&size=7')).toEqual({ kind: undefined, state: undefined, page: 1, size: 10 });
    expect(read('page=1e9&size=abc')).toMatchObject({ page: 1, size: 10 });
  });
});
