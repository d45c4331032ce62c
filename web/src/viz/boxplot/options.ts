/** What a box plot can be told, and what it takes by itself. */
import { numericColumns, rolesOf } from '../mapping';
import { plainDress, type NumberDress } from '../numbers';
import type { ResultTable } from '../types';

export interface BoxplotOptions extends NumberDress {
  /** `raw` finds the five numbers of each group's values; `five` takes them from columns. */
  layout: 'raw' | 'five';
  /** Column that names the boxes; empty makes one box of all values. */
  category: string;
  value: string;
  lowest: string;
  lowerQuartile: string;
  median: string;
  upperQuartile: string;
  highest: string;
  /** Whiskers reach to the last value within 1.5 box heights, or to the ends. */
  whiskers: 'iqr' | 'minMax';
  outliers: boolean;
  horizontal: boolean;
  log: boolean;
}

const PARTS = [/^(min|minimum|lowest|low|p0)$/i, /^(q1|p25|lower_quartile)$/i, /^(median|q2|p50)$/i, /^(q3|p75|upper_quartile)$/i, /^(max|maximum|highest|high|p100)$/i];

/** Five columns by their names where there are such; else the values of the first number by the first category. */
export function defaults(table: ResultTable): BoxplotOptions {
  const roles = rolesOf(table);
  const numbers = numericColumns(table);
  const five = PARTS.map((pattern) => numbers.find((name) => pattern.test(name)) ?? '');
  const [lowest = '', lowerQuartile = '', median = '', upperQuartile = '', highest = ''] = five;
  const category = roles.category[0] ?? roles.time[0] ?? roles.address[0] ?? '';
  return { ...plainDress, layout: five.every((name) => name !== '') ? 'five' : 'raw', category, value: numbers.find((name) => name !== category) ?? '', lowest, lowerQuartile, median, upperQuartile, highest, whiskers: 'iqr', outliers: true, horizontal: false, log: false };
}
