import { expect, it } from 'vitest';
import { dayStart, daysFrom, durationParts, formatMoment, formatTime, lastDayOf, monthBeforeLast, parseTime, previousMonth, reportMonth } from './time';

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

it.each([
  ['2026-11-20 19:18:07', '11-20-2026(07:18pm)'],
  ['2026-01-02 00:05:59', '01-02-2026(12:05am)'],
  ['2026-01-02 12:00:00', '01-02-2026(12:00pm)'],
  ['2026-12-31 23:59:59', '12-31-2026(11:59pm)'],
  ['2024-02-29 09:07:00', '02-29-2024(09:07am)'],
])('writes %s as %s between people', (time, text) => expect(formatMoment(parseTime(time))).toBe(text));

it.each([
  ['2026-01', '2026-01-31'],
  ['2026-02', '2026-02-28'],
  ['2024-02', '2024-02-29'],
  ['2000-02', '2000-02-29'],
  ['2100-02', '2100-02-28'],
  ['2026-04', '2026-04-30'],
  ['2026-12', '2026-12-31'],
])('the last day of %s is %s', (month, day) => expect(lastDayOf(month)).toBe(day));

it.each([
  ['2026-11-20', '2026-10', '2026-09'],
  // The day of the month plays no part: the 31st of March has a February before it.
  ['2026-03-31', '2026-02', '2026-01'],
  ['2026-02-01', '2026-01', '2025-12'],
  ['2026-01-31', '2025-12', '2025-11'],
])('before %s come the months %s and %s', (day, one, two) => {
  const now = dayStart(day) ?? 0;
  expect([previousMonth(now), monthBeforeLast(now)]).toEqual([one, two]);
});

it('counts days over months, years and leap days', () => {
  const now = Date.UTC(2024, 1, 28, 23, 59);
  expect([daysFrom(now, 0), daysFrom(now, 1), daysFrom(now, 2), daysFrom(now, -60)]).toEqual(['2024-02-28', '2024-02-29', '2024-03-01', '2023-12-30']);
});

it.each([
  ['2026-11-05', '2026-09'],
  ['2026-11-06', '2026-10'],
  ['2026-03-01', '2025-12'],
  ['2026-01-03', '2025-11'],
  ['2026-03-31', '2026-03'],
])('a report made on %s is about %s', (day, month) => expect(reportMonth(dayStart(day) ?? 0)).toBe(month));

it.each(['2026-02-30', '2026-2-3', '2026-02', '', '2026-02-03 '])('%j is no day', (text) => expect(dayStart(text)).toBeNull());
