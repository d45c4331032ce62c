/** The values of a model's controls: from the path and the query string, in that order, and made to fit the lake. */
import { dayOf, daysFrom, dayStart, monthOf, reportMonth } from '@/lib/time';
import type { Control, Lake } from './model';

export type Values = Readonly<Record<string, string>>;

export const addressPattern = /^0x[0-9a-f]{40}$/i;

/** The day before the head's: the last one that is whole. */
function lastDay(lake: Lake): string {
  const [first, last] = [dayOf(lake.first), daysFrom(lake.head, -1)];
  return last < first ? first : last;
}

/** `20210728` and `2021-07-28` as the latter; null when it is no day. */
export function readDay(text: string): string | null {
  const [, year, month, day] = /^(\d{4})-?(\d{2})-?(\d{2})$/.exec(text) ?? [];
  if (!year || !month || !day) return null;
  const written = `${year}-${month}-${day}`;
  return dayStart(written) === null ? null : written;
}

/** `202610` and `2026-10` as the latter; null when it is no month. */
export function readMonth(text: string): string | null {
  const [, year, month] = /^(\d{4})-?(\d{2})$/.exec(text) ?? [];
  return year && month && Number(month) >= 1 && Number(month) <= 12 ? `${year}-${month}` : null;
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
  if (month !== null && month >= monthOf(lake.first) && month <= monthOf(lake.head)) return [month, null];
  const helper = reportMonth(lake.head);
  const first = monthOf(lake.first);
  return [helper < first ? first : helper, asked ?? null];
}

/** The values in force: what the address says where it is allowed, else where each control starts. */
export function fitValues(controls: readonly Control[], asked: (name: string) => string | undefined, lake: Lake): Fitted {
  const values: Record<string, string> = {};
  let missing: string | null = null;
  for (const control of controls) {
    const wanted = asked(control.name);
    if (control.kind === 'choice') values[control.name] = wanted !== undefined && control.options.includes(wanted) ? wanted : control.start;
    else if (control.kind === 'text') values[control.name] = wanted?.trim() ? wanted : '';
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
