// Filters of a list, which live in the address so that a link, a reload and the back button keep them.
import { readPaging, writePaging, type Paging } from '@/lib/paging';
import { dayMs, daysFrom, dayStart, lastDayOf, monthBeforeLast, previousMonth } from '@/lib/time';

export interface Choice {
  value: string;
  label: string;
}

/** What can be filtered: a part of a text, one of a few values, or days in UTC (`from` and `to`, both included). */
export type FilterSpec =
  | { kind: 'text'; key: string; label: string }
  | { kind: 'choice'; key: string; label: string; options: readonly Choice[]; /** All of them side by side, with one for none. */ all?: string }
  | { kind: 'days'; label: string };

export interface Filters extends Paging {
  /** Only filters that are set. */
  values: Readonly<Record<string, string>>;
}

/** What a list call takes: the filters and the page, days as milliseconds since 1970. */
export type ListQuery = Readonly<Record<string, string | number>>;

const longestText = 200;

/** Stretches of days that people often ask for. */
export const STRETCHES = ['days30', 'previousMonth', 'monthBeforeLast'] as const;
export type Stretch = (typeof STRETCHES)[number];

/** Its first and last day. */
export function stretchOf(stretch: Stretch, now: number): { from: string; to: string } {
  if (stretch === 'days30') return { from: daysFrom(now, -29), to: daysFrom(now, 0) };
  const month = stretch === 'previousMonth' ? previousMonth(now) : monthBeforeLast(now);
  return { from: `${month}-01`, to: lastDayOf(month) };
}

/** The keys of the address that belong to a filter. */
export function keysOf(spec: FilterSpec): readonly string[] {
  return spec.kind === 'days' ? ['from', 'to'] : [spec.key];
}

function valid(spec: FilterSpec, text: string): boolean {
  if (spec.kind === 'days') return dayStart(text) !== null;
  if (spec.kind === 'choice') return spec.options.some((option) => option.value === text);
  return text.length <= longestText;
}

/** Reads the address; what makes no sense there counts as not given. */
export function readFilters(search: URLSearchParams, specs: readonly FilterSpec[]): Filters {
  const given = specs.flatMap((spec) =>
    keysOf(spec).flatMap((key) => {
      const text = search.get(key)?.trim() ?? '';
      return text !== '' && valid(spec, text) ? [[key, text] as const] : [];
    }),
  );
  return { values: Object.fromEntries(given), ...readPaging(search) };
}

/** The address with other filters: what is as at first is left out, what belongs to others stays. */
export function writeFilters(search: URLSearchParams, specs: readonly FilterSpec[], filters: Filters): URLSearchParams {
  const next = new URLSearchParams(search);
  const set = (key: string, value: string | undefined) => (value === undefined || value === '' ? next.delete(key) : next.set(key, value));
  for (const key of specs.flatMap(keysOf)) set(key, filters.values[key]?.trim());
  const paging = writePaging(filters);
  for (const key of ['page', 'size']) set(key, paging[key]);
  return next;
}

/** What the call is asked for. The last day counts whole, and the calls take the end without itself. */
export function queryOf({ values, page, size }: Filters, specs: readonly FilterSpec[]): ListQuery {
  const query: Record<string, string | number> = { page, size };
  for (const spec of specs) {
    if (spec.kind === 'days') {
      const from = dayStart(values['from'] ?? '');
      const to = dayStart(values['to'] ?? '');
      if (from !== null) query['from'] = from;
      if (to !== null) query['to'] = to + dayMs;
    } else {
      const value = values[spec.key];
      if (value !== undefined) query[spec.key] = value;
    }
  }
  return query;
}
