import { describe, expect, it } from 'vitest';
import { withMark } from './favorites';

const card = (id: string, favorited: boolean, favorites: number) => ({ kind: 'dashboard', id, favorited, favorites });

describe('a mark in what is kept of the server', () => {
  it('is set wherever the thing is shown, with its count', () => {
    const list = { items: [card('a', false, 3), card('b', false, 0)], total: 2 };
    expect(withMark(list, 'dashboard', 'a', true)).toEqual({ items: [card('a', true, 4), card('b', false, 0)], total: 2 });
    expect(withMark({ pages: [{ deep: card('a', true, 4) }] }, 'dashboard', 'a', false)).toEqual({ pages: [{ deep: card('a', false, 3) }] });
  });

  it('counts once, however often it is told', () => {
    const once = withMark(card('a', false, 3), 'dashboard', 'a', true);
    expect(withMark(once, 'dashboard', 'a', true)).toEqual(once);
  });

  it('leaves other kinds with the same id alone, and answers that do not show it as the same object', () => {
    const list = { items: [card('a', false, 3)], total: 1 };
    expect(withMark(list, 'query', 'a', true)).toBe(list);
  });

  it('knows people by their name and addresses by themselves', () => {
    expect(withMark({ userName: 'mara', favorited: false, stars: 9 }, 'user', 'mara', true)).toEqual({ userName: 'mara', favorited: true, stars: 9 });
    expect(withMark({ address: '0xab', favorited: true, favorites: 1 }, 'address', '0xab', false)).toEqual({ address: '0xab', favorited: false, favorites: 0 });
    // What a person made carries their name too, and is not the person.
    const made = { ...card('a', false, 3), userName: 'mara' };
    expect(withMark(made, 'user', 'mara', true)).toBe(made);
  });
});
