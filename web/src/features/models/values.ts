/** The values of a model's controls: from the path and the query string, in that order, and made to fit the lake. */
import type { Control, Lake } from './model';

export type Values = Readonly<Record<string, string>>;

const dayMs = 86_400_000;
export const addressPattern = /^0x[0-9a-f]{40}$/i;

const pad = (value: number): string => String(value).padStart(2, '0');

/** `YYYY-MM-DD` of a moment, UTC. */
export const dayOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10);

/** The day before the head's: the last one that is whole. */
const lastDay = (lake: Lake): string => dayOf(Math.max(lake.first, lake.head - dayMs));

/** The year-month helper: about 60 days back until the 5th of a month, later about 30. */
export function monthBefore(now: number): string {
  const back = new Date(now).getUTCDate() <= 5 ? 60 : 30;
  return dayOf(now - back * dayMs).slice(0, 7);
}

/** `20210728` and `2021-07-28` as the latter; null when it is no day. */
export function readDay(text: string): string | null {
  const [, year, month, day] = /^(\d{4})-?(\d{2})-?(\d{2})$/.exec(text) ?? [];
  if (!year || !month || !day) return null;
  const written = `${year}-${month}-${day}`;
  const ms = Date.parse(`${written}T00:00:00Z`);
  return Number.isNaN(ms) || dayOf(ms) !== written ? null : written;
}

/** `202610` and `2026-10` as the latter; null when it is no month. */
export function readMonth(text: string): string | null {
  const [, year, month] = /^(\d{4})-?(\d{2})$/.exec(text) ?? [];
  return year && month && Number(month) >= 1 && Number(month) <= 12 ? `${year}-${month}` : null;
}

/** The first day of the month after. */
export function monthAfter(month: string): string {
  const [year = 0, number = 1] = month.split('-').map(Number);
  return number === 12 ? `${year + 1}-01-01` : `${year}-${pad(number + 1)}-01`;
}

/** What was asked for and is not in the lake. */
export interface Fitted {
  readonly values: Values;
  readonly missing: string | null;
}

function fitDay(asked: string | undefined, lake: Lake): [string, string | null] {
  const day = asked === undefined ? null : readDay(asked);
  if (day !== null && day >= dayOf(lake.first) && day <= dayOf(lake.head)) return [day, null];
  return [lastDay(lake), asked ?? null];
}

function fitMonth(asked: string | undefined, lake: Lake): [string, string | null] {
  const month = asked === undefined ? null : readMonth(asked);
  if (month !== null && month >= dayOf(lake.first).slice(0, 7) && month <= dayOf(lake.head).slice(0, 7)) return [month, null];
  const helper = monthBefore(lake.head);
  const first = dayOf(lake.first).slice(0, 7);
  return [helper < first ? first : helper, asked ?? null];
}

/** The values in force: what the address says where it is allowed, else where each control starts. */
export function fitValues(controls: readonly Control[], asked: (name: string) => string | undefined, lake: Lake): Fitted {
  const values: Record<string, string> = {};
  let missing: string | null = null;
  for (const control of controls) {
    const wanted = asked(control.name);
    if (control.kind === 'choice') values[control.name] = wanted !== undefined && control.options.includes(wanted) ? wanted : control.start;
    else if (control.kind === 'text') values[control.name] = wanted?.trim() ? wanted : control.start;
    else if (control.kind === 'switch') values[control.name] = wanted === '0' || wanted === '1' ? wanted : control.start;
    else if (control.kind === 'address') values[control.name] = wanted !== undefined && addressPattern.test(wanted) ? wanted.toLowerCase() : '';
    else {
      const [value, unknown] = control.name === 'day' ? fitDay(wanted, lake) : fitMonth(wanted, lake);
      values[control.name] = value;
      missing ??= unknown;
    }
  }
  return { values, missing };
}
