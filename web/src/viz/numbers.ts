/** How the numbers of a chart are written: the unit they are in, exact in tooltips and tables, short on axes and labels. */
import { compactExact, compactTo, drawExact, groupExact, parseExact, plainExact, powerOfTen, roundExact, shiftDown, toPlaces, trimExact, type Exact } from '@/lib/exact';
import { inPercent, inUnit, isEtherUnit, unitName, type Cell, type NumberFormat } from '@/lib/columns';
import type { Note } from './types';

export interface NumberDress {
  format: NumberFormat;
  /** Places after the point in labels and tooltips; -1 keeps them all. */
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

/** All digits before the point and, unless places were chosen, behind it, as tooltips show them; `value` is in the unit already. */
export function exactText(value: Exact | null, dress: NumberDress): string {
  if (!value) return 'null';
  const shown = dress.decimals < 0 ? value : toPlaces(value, dress.decimals);
  return withUnit(dress.format === 'plain' ? plainExact(shown) : groupExact(shown), dress);
}

/** Short, as labels in the drawing show it. */
export function labelText(value: Exact | null, dress: NumberDress): string {
  if (!value) return '';
  const { format, decimals } = dress;
  if (format === 'compact') return withUnit(decimals < 0 ? compactExact(value) : compactTo(value, decimals), dress);
  if (decimals >= 0) return exactText(value, dress);
  return withUnit(format === 'plain' ? plainExact(trimExact(roundExact(value, 4))) : compactExact(value), dress);
}

/** A tick of an axis. */
export function tickText(value: number): string {
  return tickOf(value, 0, 3);
}

function tickOf(value: number, places: number, digits: number): string {
  const exact = parseExact(value);
  return exact ? compactExact(shiftDown(exact, places), digits) : '';
}

/** How the ticks of one axis are written: numbers in the quintillions, such as wei, share a power of ten that stands at the axis once. */
export interface AxisScale {
  /** `×10¹⁸`; empty where the ticks say it all. */
  readonly power: string;
  readonly tick: (value: number) => string;
}

/** The power of ten of wei in ETH, which is the one that readers know. */
const QUINTILLIONS = 18;

/** About as many ticks as an axis has, and the most digits one of them may need to differ from the next. */
const TICKS = 5;
const MOST_DIGITS = 9;

/** The scale for an axis that holds these numbers and, where it begins there, zero. */
export function axisScale(values: Iterable<number | null>, zero = false): AxisScale {
  let [low, high] = zero ? [0, 0] : [Infinity, -Infinity];
  for (const value of values) {
    if (value === null) continue;
    low = Math.min(low, value);
    high = Math.max(high, value);
  }
  const largest = low > high ? 0 : Math.max(Math.abs(low), Math.abs(high));
  // What is far from zero and close together needs more digits: 150.5k and 151k.
  const digits = high > low ? Math.min(MOST_DIGITS, Math.max(3, Math.ceil(Math.log10((TICKS * largest) / (high - low))) + 1)) : 3;
  // Past the last letter that ticks can have, the power grows by thousands.
  const places = largest < 1e18 ? 0 : largest < 1e33 ? QUINTILLIONS : Math.floor(Math.log10(largest) / 3) * 3;
  return { power: places === 0 ? '' : `×${powerOfTen(places)}`, tick: (value) => tickOf(value, places, digits) };
}

/** What stands at an axis: its title, the power of its ticks and its unit. */
export function axisHead(title: string, { power }: AxisScale, unit: string): string {
  return [title, [power, unit].filter((text) => text !== '').join(' ')].filter((text) => text !== '').join(', ');
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
