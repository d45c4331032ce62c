/** What the columns of a result mean to a reader: one class per SQL type, and how a cell of it is written. */
import { compactExact, compactTo, compareExact, groupExact, parseExact, plainExact, shiftDown, toPlaces, trimExact, type Exact } from './exact';
import { shortHex } from './format';
import { graphText } from './graph-values';

export interface Column {
  readonly name: string;
  readonly type: string;
}

/** A value as the API sends it: big numbers are decimal strings, bytes are `0x…`, times are UTC text. */
export type Cell = string | number | boolean | null | readonly unknown[] | { readonly [key: string]: unknown };

export type ColumnClass = 'integer' | 'decimal' | 'float' | 'boolean' | 'text' | 'time' | 'address' | 'hash' | 'bytes' | 'nested';

const CLASSES: readonly [RegExp, ColumnClass][] = [
  [/^(tiny|small|big)?int\b|^u?int\d*\b|^integer|^uint256/, 'integer'],
  [/^(decimal|numeric)\(\d+, ?0\)/, 'integer'],
  [/^(decimal|numeric)/, 'decimal'],
  [/^(double|float|real)/, 'float'],
  [/^bool/, 'boolean'],
  [/^(timestamp|date|time)\b/, 'time'],
  [/^address$/, 'address'],
  [/^hash$/, 'hash'],
  [/^(bytes|binary|varbinary|blob)/, 'bytes'],
  [/^(array|list|struct|map|row)\b|\[\]$/, 'nested'],
];

export function classOf(type: string): ColumnClass {
  const name = type.toLowerCase();
  return CLASSES.find(([pattern]) => pattern.test(name))?.[1] ?? 'text';
}

export function isNumeric(type: string): boolean {
  return ['integer', 'decimal', 'float'].includes(classOf(type));
}

/** How numbers of a column are written; `gwei` and `eth` read the value as wei, `percent` as a share of one. */
export type NumberFormat = 'grouped' | 'plain' | 'compact' | 'percent' | 'wei' | 'gwei' | 'eth';
export const NUMBER_FORMATS: readonly NumberFormat[] = ['grouped', 'plain', 'compact', 'percent', 'wei', 'gwei', 'eth'];

const UNITS = { wei: { places: 0, name: 'wei' }, gwei: { places: 9, name: 'gwei' }, eth: { places: 18, name: 'ETH' } } as const;
export type EtherUnit = keyof typeof UNITS;

export function isEtherUnit(format: string): format is EtherUnit {
  return format in UNITS;
}

/** The value in a unit, still exact. */
export function inUnit(value: Exact, unit: EtherUnit): Exact {
  return trimExact(shiftDown(value, UNITS[unit].places));
}

/** A share of one as percent, still exact: 0.2184 is 21.84. */
export function inPercent(value: Exact): Exact {
  return trimExact(value.scale >= 2 ? { digits: value.digits, scale: value.scale - 2 } : { digits: value.digits * 10n ** BigInt(2 - value.scale), scale: 0 });
}

export function unitName(unit: EtherUnit): string {
  return UNITS[unit].name;
}

/** `decimals` places after the point; all of them where it is left out or below zero. */
export function formatNumber(value: Exact, format: NumberFormat, decimals = -1): string {
  const cut = (exact: Exact) => (decimals < 0 ? exact : toPlaces(exact, decimals));
  if (isEtherUnit(format)) return `${groupExact(cut(inUnit(value, format)))} ${unitName(format)}`;
  if (format === 'percent') return `${groupExact(cut(inPercent(value)))}%`;
  if (format === 'compact') return decimals < 0 ? compactExact(value) : compactTo(value, decimals);
  return format === 'plain' ? plainExact(cut(value)) : groupExact(cut(value));
}

/** The whole value as text, as copy and tooltip give it: digits plain, nested values as JSON, null as an empty text. */
export function fullText(value: Cell): string {
  if (value === null) return '';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

const LONGEST_TEXT = 300;
const LONGEST_HINT = 1_200;

/** What a cell that is shown as `written` holds, for somebody who points at it; nothing where that is the same. A text without end would cover the page: it is cut. */
export function hintOf(value: Cell, written: string): string | null {
  const whole = fullText(value);
  if (value === null || (whole === written && whole.length < 40)) return null;
  return whole.length > LONGEST_HINT ? `${whole.slice(0, LONGEST_HINT)}…` : whole;
}

/** A float holds some 17 digits: written out, hundreds of zeros would say more than it knows. All ether in wei, 27 digits, is still read as a number. */
const isFar = (value: number): boolean => value !== 0 && (Math.abs(value) >= 1e30 || Math.abs(value) < 1e-9);

const farText = (value: number): string => value.toExponential().replace('e+', 'e').replaceAll('-', '−');

/** One cell as the grid shows it. */
export function formatCell(value: Cell, type: string, format: NumberFormat): string {
  if (value === null) return 'null';
  const kind = classOf(type);
  if (kind === 'integer' || kind === 'decimal' || kind === 'float') {
    const exact = parseExact(value);
    if (exact && kind === 'float' && format === 'grouped' && isFar(Number(value))) return farText(Number(value));
    return exact ? formatNumber(exact, format) : fullText(value);
  }
  const full = (typeof value === 'object' ? graphText(value) : null) ?? fullText(value);
  if (kind === 'address' || kind === 'hash') return shortHex(full);
  return full.length > LONGEST_TEXT ? `${full.slice(0, LONGEST_TEXT)}…` : full;
}

/** Order of two cells of one type; nulls go last in ascending order. */
export function compareCells(a: Cell, b: Cell, type: string): number {
  if (a === null || b === null) return a === b ? 0 : a === null ? 1 : -1;
  if (isNumeric(type)) {
    const left = parseExact(a);
    const right = parseExact(b);
    // NaN and infinities are no exact numbers: they fall through to the order of their names.
    if (left && right) return compareExact(left, right);
  }
  const left = fullText(a);
  const right = fullText(b);
  return left < right ? -1 : left > right ? 1 : 0;
}
