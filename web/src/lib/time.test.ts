import { expect, it } from 'vitest';
import { durationParts, formatTime, parseTime } from './time';

it('reads and writes UTC, whatever the time zone of the machine', () => {
  expect(formatTime(0)).toBe('1970-01-01 00:00:00');
  expect(formatTime(parseTime('2026-11-20 19:18:07'))).toBe('2026-11-20 19:18:07');
  expect(parseTime('2026-11-20 19:18:07.250')).toBe(Date.UTC(2026, 10, 20, 19, 18, 7, 250));
  expect(parseTime('yesterday')).toBeNaN();
});

it('says durations in their two largest units', () => {
  expect(durationParts(271_000)).toEqual([['minute', 4], ['second', 31]]);
  expect(durationParts(4_320_000)).toEqual([['hour', 1], ['minute', 12]]);
  expect(durationParts(900)).toEqual([['second', 0]]);
  expect(durationParts(-5)).toEqual([['second', 0]]);
  expect(durationParts(90_000_000)).toEqual([['day', 1], ['hour', 1]]);
});
