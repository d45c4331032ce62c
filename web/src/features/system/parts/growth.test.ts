import { expect, it } from 'vitest';
import { growth } from './growth';

const look = (minute: number, blocks: number) => ({ time: minute * 60_000, headTime: (minute - 1) * 60_000, blocks, rows: blocks * 10 });

it('tells growth a minute and the age of the head, never below zero', () => {
  const steps = growth([look(1, 10), look(2, 15), look(4, 19), look(5, 12)], 100);
  expect(steps.map((step) => step.blocksPerMinute)).toEqual([5, 2, 0]);
  expect(steps.map((step) => step.rowsPerMinute)).toEqual([50, 20, 0]);
  expect(steps.map((step) => step.lagSeconds)).toEqual([60, 60, 60]);
});

it('is nothing for one look, and has no age for an empty lake', () => {
  expect(growth([look(1, 10)], 100)).toEqual([]);
  expect(growth([], 100)).toEqual([]);
  expect(growth([look(1, 0), { ...look(2, 0), headTime: null }], 100)[0]?.lagSeconds).toBeNull();
});

it('puts a day into few steps without losing blocks', () => {
  const steps = growth(Array.from({ length: 1441 }, (_, minute) => look(minute, minute * 5)), 96);
  expect(steps).toHaveLength(96);
  expect(new Set(steps.map((step) => step.blocksPerMinute))).toEqual(new Set([5]));
});

it('ends with the newest look, however many there are', () => {
  for (const looks of [97, 100, 191, 1000]) expect(growth(Array.from({ length: looks }, (_, minute) => look(minute, minute)), 96).at(-1)?.at, String(looks)).toBe((looks - 1) * 60_000);
});
