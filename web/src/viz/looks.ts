/** Options that many types share: how series are dressed, and lines of reference. */
import type { ChartLook } from '@/ui/chart';
import { parseExact, type Exact } from '@/lib/exact';
import { colourAt } from './tooltip';

/** One series (or slice, node kind …) made to look otherwise than by itself. */
export interface SeriesLook {
  name: string;
  /** Shown in place of the name; empty shows the name. */
  title: string;
  /** Place in the palette from 1; 0 takes the colour by order. */
  colour: number;
  /** Measured on the axis at the right. */
  right: boolean;
}

/** A line at a value of the value axis. */
export interface ReferenceLine {
  /** Decimal text, in the unit of the axis. */
  value: string;
  label: string;
}

/** The places of the palette, by the names of their texts. */
export const PALETTE = ['c1', 'c2', 'c3', 'c4', 'c5', 'c6', 'c7', 'c8', 'c9', 'c10'] as const;

export function lookOf(looks: readonly SeriesLook[], name: string): SeriesLook {
  const found = looks.find((look) => look.name === name);
  return { name, title: '', colour: 0, right: false, ...found };
}

export function titleOf(looks: readonly SeriesLook[], name: string): string {
  return lookOf(looks, name).title || name;
}

/** The colour somebody chose for the name, else the one by order. */
export function colourOf(looks: readonly SeriesLook[], look: ChartLook, name: string, index: number, other = false): string {
  const { colour } = lookOf(looks, name);
  return colour > 0 && !other ? (look.series[colour - 1] ?? look.text) : colourAt(look, index, other);
}

/** The lines whose value is a number. */
export function referenceValues(lines: readonly ReferenceLine[]): { value: Exact; label: string }[] {
  return lines.flatMap(({ value, label }) => {
    const exact = parseExact(value);
    return exact ? [{ value: exact, label }] : [];
  });
}
