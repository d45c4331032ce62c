/** Parameters of a query: found in its text, typed and valued on the page, and sent so that they are bound, never spliced. */
import type { JobKind } from '@/api/jobs';
import type { Parameter, ParameterType } from '@/api/queries';

export interface DateRange {
  readonly start: string;
  readonly end: string;
}

export type Value = string | readonly string[] | DateRange | null;
export type Values = Readonly<Record<string, Value>>;

export const PARAMETER_TYPES: readonly ParameterType[] = ['text', 'number', 'date', 'dateRange', 'list', 'queryList'];

const ENDS = /\.(start|end|from|to)$/;

/** The text without comments and quotes, each replaced by blanks: `//` and `$` inside a Cypher string mean nothing. */
const bare = (text: string): string => text.replace(/\/\/[^\n]*|\/\*[\s\S]*?\*\/|'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"/g, (part) => ' '.repeat(part.length));

/** Names in the order in which the text first names them; `{{days.start}}` names the range `days`. */
export function namesIn(text: string, kind: JobKind): { name: string; range: boolean }[] {
  const found = new Map<string, boolean>();
  const add = (name: string, range: boolean) => found.set(name, (found.get(name) ?? false) || range);
  if (kind === 'SQL') {
    // Parameters stand inside quotes too, where they become part of that text.
    for (const [, inside = ''] of text.matchAll(/\{\{\s*([\p{L}\p{N}_. -]+?)\s*\}\}/gu)) add(inside.replace(ENDS, ''), ENDS.test(inside));
  } else if (kind === 'GRAPH') {
    for (const [, name = ''] of bare(text).matchAll(/\$([\p{L}_][\p{L}\p{N}_]*)/gu)) add(name, false);
  }
  return [...found].map(([name, range]) => ({ name, range }));
}

/** The parameters that the text names, with what is known of each; what is no longer named is left out. */
export function parametersOf(text: string, kind: JobKind, known: readonly Parameter[]): Parameter[] {
  return namesIn(text, kind).map(({ name, range }) => {
    const before = known.find((one) => one.name === name);
    if (before && (before.type === 'dateRange') === range) return before;
    return { ...before, name, type: range ? 'dateRange' : before && before.type !== 'dateRange' ? before.type : 'text', title: before?.title ?? '', default: before && (before.type === 'dateRange') === range ? before.default : null };
  });
}

const isRange = (value: unknown): value is DateRange => typeof value === 'object' && value !== null && 'start' in value && 'end' in value && typeof value.start === 'string' && typeof value.end === 'string';

/** A stored default, or a value of the address, as a value of this parameter; null when it can't be one. */
export function readValue(parameter: Parameter, value: unknown): Value {
  if (value === null || value === undefined || value === '') return null;
  if (parameter.type === 'dateRange') return isRange(value) ? { start: value.start, end: value.end } : null;
  const several = (parameter.type === 'list' || parameter.type === 'queryList') && parameter.multiple === true;
  if (several) return (Array.isArray(value) ? value : [value]).map(String);
  const one: unknown = Array.isArray(value) ? value[0] : value;
  return typeof one === 'string' ? one : typeof one === 'number' || typeof one === 'boolean' ? String(one) : null;
}

export const valueOf = (parameter: Parameter, values: Values): Value => (parameter.name in values ? (values[parameter.name] ?? null) : readValue(parameter, parameter.default));

export type ValueProblem = 'required' | 'number' | 'date' | 'range';

const isDate = (text: string): boolean => /^\d{4}-\d{2}-\d{2}([ T]\d{2}:\d{2}(:\d{2})?)?$/.test(text) && !Number.isNaN(Date.parse(text.replace(' ', 'T')));

const isEmpty = (value: Value): boolean => value === null || value === '' || (Array.isArray(value) && value.length === 0);

/** What is wrong with a value; null when nothing is. */
export function problemOf(parameter: Parameter, value: Value): ValueProblem | null {
  if (isEmpty(value)) return parameter.required === true ? 'required' : null;
  if (parameter.type === 'number') return typeof value === 'string' && /^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$/.test(value.trim()) ? null : 'number';
  if (parameter.type === 'date') return typeof value === 'string' && isDate(value) ? null : 'date';
  if (parameter.type === 'dateRange') return isRange(value) && isDate(value.start) && isDate(value.end) && value.start <= value.end ? null : 'range';
  return null;
}

const WIRE: Record<ParameterType, 'text' | 'number' | 'date' | 'range'> = { text: 'text', number: 'number', date: 'date', dateRange: 'range', list: 'text', queryList: 'text' };

/** The value as Cypher has it: a number, with its digits as text where JSON can't hold it exactly, everything else as it is. */
function plain(parameter: Parameter, value: Value): unknown {
  if (typeof value !== 'string' || parameter.type !== 'number') return value;
  const number = Number(value);
  return Number.isSafeInteger(number) || /[.eE]/.test(value) ? number : { type: 'number', value: value.trim() };
}

/**
 * The values as a run takes them. In SQL each says its type, and parameters without a value are left out, and with them the
 * optional parts that name them. Cypher has no such parts: there they are null.
 */
export function wireValues(kind: JobKind, parameters: readonly Parameter[], values: Values): Record<string, unknown> {
  const sent: Record<string, unknown> = {};
  for (const parameter of parameters) {
    const value = valueOf(parameter, values);
    if (kind === 'GRAPH') sent[parameter.name] = isEmpty(value) ? null : plain(parameter, value);
    else if (!isEmpty(value)) sent[parameter.name] = Array.isArray(value) ? { type: 'list', value } : { type: WIRE[parameter.type], value: typeof value === 'string' ? value.trim() : value };
  }
  return sent;
}
