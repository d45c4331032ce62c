import { describe, expect, it } from 'vitest';
import { readPaging, turned, writePaging } from './paging';

const read = (text: string) => readPaging(new URLSearchParams(text));

describe('pages in the address', () => {
  it('starts at the first page of twenty', () => expect(read('')).toEqual({ page: 1, size: 20 }));

  it('takes the sizes that can be chosen and no others', () => {
    expect(read('page=3&size=50')).toEqual({ page: 3, size: 50 });
    expect(read('size=25')).toEqual({ page: 1, size: 20 });
    expect(read('size=1000000000')).toEqual({ page: 1, size: 20 });
  });

  it.each(['page=0', 'page=-1', 'page=1.5', 'page=x', 'page='])('%s is the first page', (text) => expect(read(text).page).toBe(1));

  it('writes only what differs from the start', () => {
    expect(writePaging({ page: 1, size: 20 })).toEqual({});
    expect(writePaging({ page: 2, size: 10 }, 10)).toEqual({ page: '2' });
    expect(readPaging(new URLSearchParams(writePaging({ page: 7, size: 30 })))).toEqual({ page: 7, size: 30 });
  });

  it('turns one list and leaves all else in the address', () => {
    const address = new URLSearchParams('range=week&page=3&tags.page=2');
    const next = turned(address, { page: 4, size: 50 }, 20, 'tags');
    expect(next.toString()).toBe('range=week&page=3&tags.page=4&tags.size=50');
    expect(readPaging(next, 20, 'tags')).toEqual({ page: 4, size: 50 });
    expect(readPaging(next)).toEqual({ page: 3, size: 20 });
    expect(turned(next, { page: 1, size: 20 }, 20, 'tags').toString()).toBe('range=week&page=3');
  });
});
