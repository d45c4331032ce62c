import { describe, expect, it } from 'vitest';
import { circle } from './circle';

const around = (reach: { x: number; y: number }, count: number, longest: number, size = 10) => circle({ reach, sizes: Array.from({ length: count }, () => size), longest, fontSize: 12 });

describe('a circle', () => {
  it('leaves names that point sideways the whole way to the edge of a wide card', () => {
    const { rooms, radius } = around({ x: 400, y: 120 }, 12, 150);
    // The first node stands a little below the right, the fourth points down.
    expect(rooms[0]).toBeGreaterThan(150);
    expect(rooms[3]).toBeLessThan(120 - radius);
    expect(rooms[3]).toBeGreaterThan(30);
  });

  it('takes the room that short names leave', () => {
    expect(around({ x: 200, y: 200 }, 6, 20).radius).toBeGreaterThan(around({ x: 200, y: 200 }, 6, 300).radius);
  });

  it('makes nodes smaller that would cover each other', () => {
    const { sizes, radius } = around({ x: 90, y: 50 }, 40, 80, 16);
    expect(sizes.reduce((a, b) => a + b, 0)).toBeLessThan(2 * Math.PI * radius);
    expect(around({ x: 400, y: 400 }, 4, 80, 16).sizes).toEqual([16, 16, 16, 16]);
  });

  it('leaves out names that would tell nothing', () => {
    expect(around({ x: 60, y: 24 }, 8, 100).rooms.some((room) => room === 0)).toBe(true);
  });

  it('stands without nodes', () => {
    expect(circle({ reach: { x: 100, y: 100 }, sizes: [], longest: 0, fontSize: 12 }).rooms).toEqual([]);
  });
});
