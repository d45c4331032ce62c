/** Which column plays which part when nobody has chosen yet: time, category, number, address, hash. */
import { classOf, fullText, isNumeric, type Cell } from '@/lib/columns';
import type { ResultTable } from './types';

export interface Roles {
  readonly time: readonly string[];
  readonly category: readonly string[];
  readonly number: readonly string[];
  readonly address: readonly string[];
  readonly hash: readonly string[];
}

const MOST_CATEGORIES = 50;
const TIME_NAME = /(^|_)(time|timestamp|date|day|week|month|quarter|year|hour|minute)(_utc)?$/i;
/** Numbers that name a thing instead of measuring one. */
const NAMING_NUMBER = /(^|_)(id|number|nonce|index|position)$/i;
/** Numbers that stand for a kind: a chart has a series of each, where sums of them say nothing. */
const KIND_NUMBER = /(^|_)(type|kind|status|code|class|category|version|dow|weekday|of_(day|week|month|year))$/i;
const DATE_TEXT = /^\d{4}-\d{2}(-\d{2})?([ T]\d{2}:\d{2}(:\d{2}(\.\d+)?)?)?Z?$/;
const ADDRESS = /^0x[0-9a-f]{40}$/i;
const HASH = /^0x[0-9a-f]{64}$/i;

/** Milliseconds UTC of `2026-11`, `2026-11-20` or `2026-11-20 19:18:07.123456`; null for any other text. */
export function timeOf(value: Cell): number | null {
  if (typeof value !== 'string' || !DATE_TEXT.test(value)) return null;
  const [date = '', clock = '00:00:00'] = value.replace('Z', '').split(/[ T]/);
  const time = Date.parse(`${date.length === 7 ? `${date}-01` : date}T${clock.length === 5 ? `${clock}:00` : clock}Z`);
  return Number.isNaN(time) ? null : time;
}

function sample(table: ResultTable, index: number): Cell[] {
  const values: Cell[] = [];
  for (const row of table.rows) {
    const value = row[index] ?? null;
    if (value !== null) values.push(value);
    if (values.length === 500) break;
  }
  return values;
}

function isTime(type: string, name: string, values: Cell[]): boolean {
  if (classOf(type) === 'time') return true;
  if (!TIME_NAME.test(name) || values.length === 0) return false;
  return classOf(type) === 'text' ? values.every((value) => timeOf(value) !== null) : isNumeric(type) && !name.includes('_');
}

/** The parts each column may play, in the order of the result. */
export function rolesOf(table: ResultTable): Roles {
  const roles = { time: [] as string[], category: [] as string[], number: [] as string[], address: [] as string[], hash: [] as string[] };
  table.columns.forEach(({ name, type }, index) => {
    const values = sample(table, index);
    // A column of nothing but null shows nothing, whatever part it plays.
    if (values.length === 0 && table.rows.length > 0) return;
    const kind = classOf(type);
    const texts = kind === 'text' && values.length > 0;
    if (isTime(type, name, values)) roles.time.push(name);
    else if (isNumeric(type)) {
      if (KIND_NUMBER.test(name) && kind === 'integer' && new Set(values).size <= MOST_CATEGORIES) roles.category.push(name);
      else if (!NAMING_NUMBER.test(name)) roles.number.push(name);
    } else if (kind === 'address' || (texts && values.every((value) => ADDRESS.test(fullText(value))))) roles.address.push(name);
    else if (kind === 'hash' || (texts && values.every((value) => HASH.test(fullText(value))))) roles.hash.push(name);
    else if ((kind === 'text' || kind === 'boolean') && new Set(values).size <= MOST_CATEGORIES) roles.category.push(name);
  });
  return roles;
}

/** The column's place in each row, or -1. */
export function columnIndex(table: ResultTable, name: string): number {
  return table.columns.findIndex((column) => column.name === name);
}

/** Names of the numeric columns, the measuring ones first. */
export function numericColumns(table: ResultTable): string[] {
  const measuring = rolesOf(table).number;
  const all = table.columns.filter((column) => isNumeric(column.type)).map((column) => column.name);
  return [...measuring, ...all.filter((name) => !measuring.includes(name))];
}

/** What names the things when no text, time or address does: a number that measures nothing, else, as in most results, the first column. */
export function namingColumn(table: ResultTable): string {
  const measuring = rolesOf(table).number;
  const other = table.columns.find((column) => !measuring.includes(column.name));
  return (other ?? (table.columns.length > 1 ? table.columns[0] : undefined))?.name ?? '';
}

/** The first number that is not the column which names the things. */
export const firstMeasure = (table: ResultTable, naming: string): string => numericColumns(table).find((name) => name !== naming) ?? '';
