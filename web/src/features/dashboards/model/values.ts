// Values of a dashboard's filters: read from and written to the address, and handed to the queries that have such parameters.
import type { Parameter, Widget } from '../api';

/** A text, a number as text, a date, a range of dates, or several texts; null without a value. */
export type Value = string | readonly string[] | Range | null;

export interface Range {
  readonly start: string;
  readonly end: string;
}

export type Values = Readonly<Record<string, Value>>;

const prefix = 'p_';

/** The value a parameter has before anybody changed it. */
export function defaultValue(parameter: Parameter): Value {
  return readValue(parameter, parameter.default);
}

function readValue(parameter: Parameter, stored: unknown): Value {
  if (stored === null || stored === undefined) return null;
  const inner = typeof stored === 'object' && 'value' in stored ? stored.value : stored;
  if (parameter.type === 'dateRange') {
    const range = inner as { start?: unknown; end?: unknown } | null;
    return typeof range?.start === 'string' && typeof range.end === 'string' ? { start: range.start, end: range.end } : null;
  }
  if (several(parameter)) return Array.isArray(inner) ? inner.map(String) : null;
  return typeof inner === 'string' || typeof inner === 'number' ? String(inner) : null;
}

const several = (parameter: Parameter): boolean => (parameter.type === 'list' || parameter.type === 'queryList') && parameter.multiple === true;

export const isRange = (value: Value): value is Range => typeof value === 'object' && value !== null && 'start' in value;

/** What is typed is no number: no query could take it. */
export const isWrong = (parameter: Parameter, value: Value): boolean => parameter.type === 'number' && typeof value === 'string' && !/^-?\d+(\.\d+)?$/.test(value);

/** The values that the address gives, over the defaults. */
export function valuesOf(parameters: readonly Parameter[], search: URLSearchParams): Values {
  const values: Record<string, Value> = {};
  for (const parameter of parameters) {
    const written = search.getAll(prefix + parameter.name);
    values[parameter.name] = written.length === 0 ? defaultValue(parameter) : fromText(parameter, written);
  }
  return values;
}

function fromText(parameter: Parameter, written: readonly string[]): Value {
  const [first = '', second = ''] = written;
  if (parameter.type === 'dateRange') return first === '' || second === '' ? null : { start: first, end: second };
  if (several(parameter)) return written.filter((one) => one !== '');
  return first === '' ? null : first;
}

/** The address's search with these values; defaults are left out. */
export function withValues(search: URLSearchParams, parameters: readonly Parameter[], values: Values): URLSearchParams {
  const next = new URLSearchParams(search);
  for (const parameter of parameters) {
    const name = prefix + parameter.name;
    const value = values[parameter.name] ?? null;
    next.delete(name);
    if (same(value, defaultValue(parameter))) continue;
    for (const text of texts(value)) next.append(name, text);
  }
  return next;
}

function texts(value: Value): readonly string[] {
  if (value === null) return [''];
  if (isRange(value)) return [value.start, value.end];
  return typeof value === 'string' ? [value] : value.length === 0 ? [''] : value;
}

export const same = (one: Value, other: Value): boolean => JSON.stringify(one) === JSON.stringify(other);

/** The parameter of a query that takes a filter's value: the one the widget names, else the one of the same name. */
function target(widget: Widget, filter: string): string {
  const mapped = widget.content.type === 'visualization' ? widget.content.parameters?.[filter] : undefined;
  return mapped ?? filter;
}

/** A default that somebody took away: the query then runs without any value. */
const takenAway = (filter: Parameter, value: Value): boolean => value === null && defaultValue(filter) !== null;

/** The values of the filters by their names, as the server applies them; null while all are as at first. */
export function changedValues(filters: readonly Parameter[], values: Values): Record<string, unknown> | null {
  return filters.some((filter) => !same(values[filter.name] ?? null, defaultValue(filter))) ? givenValues(filters, values) : null;
}

/** The same, also while all are as at first. */
export function givenValues(filters: readonly Parameter[], values: Values): Record<string, unknown> {
  return Object.fromEntries(filters.map((filter) => [filter, values[filter.name] ?? null] as const).filter(([filter, value]) => value !== null || takenAway(filter, value)).map(([{ name }, value]) => [name, value]));
}

/** What a widget's query has to run with; null where its own defaults are what the filters say. A filter that never had a value leaves the query its default. */
export function valuesFor(widget: Widget, own: readonly Parameter[], filters: readonly Parameter[], values: Values): Record<string, unknown> | null {
  const found: Record<string, unknown> = {};
  for (const filter of filters) {
    const parameter = own.find(({ name }) => name === target(widget, filter.name));
    const value = values[filter.name] ?? null;
    if (!parameter || same(value, defaultValue(parameter))) continue;
    if (value === null && (parameter.required || !takenAway(filter, value))) continue;
    found[parameter.name] = parameter.type === 'number' && typeof value === 'string' ? { type: 'number', value } : value;
  }
  return Object.keys(found).length === 0 ? null : found;
}
