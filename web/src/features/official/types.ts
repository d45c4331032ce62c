// The types in which an official chart may be drawn, and the one that a link names.
import type { VizId } from '@/viz/types';

/** They share their options. */
const cartesian: readonly VizId[] = ['line', 'area', 'bar'];

/** The chart's `own` type, its relatives, and the table. */
export function typesOf(own: VizId): readonly VizId[] {
  if (cartesian.includes(own)) return [...cartesian, 'table'];
  return own === 'table' ? ['table'] : [own, 'table'];
}

/** The type that a link asks for where the chart has it, else its own. */
export const typeOf = (own: VizId, asked: string | null): VizId => typesOf(own).find((one) => one === asked) ?? own;

const noOptions = {};

/** The options are those of the chart's own type and its relatives; a table in place of a chart shows all there is. */
export const optionsOf = (own: { type: VizId; options: object }, type: VizId): object => (type === 'table' && own.type !== 'table' ? noOptions : own.options);
