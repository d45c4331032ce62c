/** Reads a result by the columns that options name: finds them, reads texts and numbers, adds up rows of one key. */
import { addExact, compareExact, sumExact, type Exact } from '@/lib/exact';
import { fullText, isNumeric, type Cell, type NumberFormat } from '@/lib/columns';
import { columnIndex } from './mapping';
import { readNumber } from './numbers';
import { fail, ok, type Failure, type Outcome, type Part, type ResultTable } from './types';

interface Wanted {
  readonly column: string;
  readonly part: Part;
  readonly numeric?: boolean;
  /** No column is an answer too: its place is then -1. */
  readonly optional?: boolean;
}

/** The columns' places; the first that is not chosen, gone or no number is the problem. */
export function resolve<K extends string>(table: ResultTable, wanted: Readonly<Record<K, Wanted>>): Outcome<Record<K, number>> {
  if (table.rows.length === 0) return fail('noRows');
  const places = {} as Record<K, number>;
  for (const [key, { column, part, numeric, optional }] of Object.entries<Wanted>(wanted)) {
    const place = column === '' ? -1 : columnIndex(table, column);
    if (column === '' && !optional) return { ok: false, problem: { code: 'columnUnset', part } };
    if (column !== '' && place < 0) return fail('columnMissing', { column });
    if (numeric && place >= 0 && !isNumeric(table.columns[place]?.type ?? '')) return fail('notNumber', { column });
    places[key as K] = place;
  }
  return ok(places);
}

/** The places of several columns of one part. */
export function resolveAll(table: ResultTable, columns: readonly string[], part: Part, numeric = false): Outcome<number[]> {
  if (table.rows.length === 0) return fail('noRows');
  const places: number[] = [];
  for (const column of columns) {
    const found = resolve(table, { one: { column, part, numeric } });
    if (!found.ok) return found;
    places.push(found.model.one);
  }
  return ok(places);
}

/** The first column that stands a second time. */
export const repeated = (columns: readonly string[]): string | undefined => columns.find((column, at) => columns.indexOf(column) < at);

/** The places of columns that follow each other. */
export function resolveLevels(table: ResultTable, columns: readonly string[], part: Part): Outcome<number[]> {
  const twice = repeated(columns);
  return twice === undefined ? resolveAll(table, columns, part) : fail('columnTwice', { column: twice });
}

const midnight = /^(\d{4}-\d\d-\d\d) 00:00:00$/u;

/** A cell as the name of a thing; null is called `null`, and a time at midnight by its day. */
export function nameOf(cell: Cell | undefined): string {
  return cell === null || cell === undefined ? 'null' : fullText(cell).replace(midnight, '$1');
}

/** What to do when several rows have one key. */
export type Combine = 'refuse' | 'sum' | 'min' | 'max';

export function combined(now: Exact, next: Exact, combine: Exclude<Combine, 'refuse'>): Exact {
  if (combine === 'sum') return addExact(now, next);
  const order = compareExact(now, next);
  return combine === 'min' ? (order <= 0 ? now : next) : order >= 0 ? now : next;
}

export interface Named {
  readonly name: string;
  readonly value: Exact;
  /** Holds the sum of what a limit cut off; its name is then empty. */
  readonly other?: true;
}

/** One value per name, in the order of the rows; rows without a number are left out. */
export function namedValues(table: ResultTable, name: number, value: number, format: NumberFormat, combine: Combine): Outcome<Named[]> {
  const found = new Map<string, Exact>();
  for (const row of table.rows) {
    const exact = readNumber(row[value], format);
    if (!exact) continue;
    const key = nameOf(row[name]);
    const before = found.get(key);
    if (before && combine === 'refuse') return fail('duplicateName', { name: key });
    found.set(key, before && combine !== 'refuse' ? combined(before, exact, combine) : exact);
  }
  return ok([...found].map(([key, exact]) => ({ name: key, value: exact })));
}

/** The first that is below zero. */
export function negativeOf(values: readonly Named[]): Failure | null {
  const negative = values.find((one) => one.value.digits < 0n);
  return negative ? fail('negative', { name: negative.name }) : null;
}

export type SortOrder = 'falling' | 'rising' | 'name' | 'none';

export function sorted(values: readonly Named[], order: SortOrder): Named[] {
  const copy = [...values];
  if (order === 'falling') copy.sort((a, b) => compareExact(b.value, a.value));
  if (order === 'rising') copy.sort((a, b) => compareExact(a.value, b.value));
  if (order === 'name') copy.sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
  return copy;
}

/** The largest `limit`, and the sum of the rest as one more; 0 keeps them all. */
export function topAndOther(values: readonly Named[], limit: number): Named[] {
  if (limit === 0 || values.length <= limit) return [...values];
  const ranked = sorted(values, 'falling');
  const kept = new Set(ranked.slice(0, limit));
  const rest = sumExact(ranked.slice(limit).map((one) => one.value));
  return [...values.filter((one) => kept.has(one)), { name: '', value: rest, other: true }];
}
