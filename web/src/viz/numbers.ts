/** How the numbers of a chart are written: the unit they are in, exact in tooltips and tables, short on axes and labels. */
import { compactExact, drawExact, groupExact, parseExact, plainExact, roundExact, trimExact, type Exact } from '@/lib/exact';
import { inPercent, inUnit, isEtherUnit, unitName, type Cell, type NumberFormat } from '@/lib/columns';
import type { Note } from './types';

export interface NumberDress {
  format: NumberFormat;
  /** Places after the point in labels; -1 keeps them all. */
  decimals: number;
  /** Unit written behind a number whose format brings none, for example `USD`. */
  unit: string;
}

export const plainDress: NumberDress = { format: 'grouped', decimals: -1, unit: '' };

/** A cell's number in the unit of its format; null for anything that is no finite number. */
export function readNumber(cell: Cell | undefined, format: NumberFormat): Exact | null {
  const value = parseExact(cell);
  if (!value) return null;
  if (isEtherUnit(format)) return inUnit(value, format);
  return format === 'percent' ? inPercent(value) : value;
}

export function unitOf({ format, unit }: NumberDress): string {
  if (isEtherUnit(format)) return unitName(format);
  return format === 'percent' ? '%' : unit;
}

function withUnit(text: string, dress: NumberDress): string {
  const unit = unitOf(dress);
  return unit === '' ? text : unit === '%' ? `${text}%` : `${text} ${unit}`;
}

/** All digits, as tooltips show them; `value` is in the unit already. */
export function exactText(value: Exact | null, dress: NumberDress): string {
  if (!value) return 'null';
  return withUnit(dress.format === 'plain' ? plainExact(value) : groupExact(value), dress);
}

/** Short, as labels in the drawing show it. */
export function labelText(value: Exact | null, dress: NumberDress): string {
  if (!value) return '';
  if (dress.decimals >= 0) return withUnit(groupExact(roundExact(value, dress.decimals)), dress);
  const short = compactExact(value);
  return withUnit(dress.format === 'plain' ? plainExact(trimExact(roundExact(value, 4))) : short, dress);
}

/** A tick of an axis. */
export function tickText(value: number): string {
  const exact = parseExact(value);
  return exact ? compactExact(exact) : '';
}

/** Collects numbers for drawing and remembers whether one of them had to be rounded. */
export class Drawing {
  rounded = false;

  number(value: Exact): number {
    const drawn = drawExact(value);
    this.rounded ||= drawn.rounded;
    return drawn.value;
  }

  /** What the reader has to know about the numbers drawn so far. */
  notes(): Note[] {
    return this.rounded ? [{ code: 'rounded' }] : [];
  }

  maybe(value: Exact | null): number | null {
    return value && this.number(value);
  }
}
