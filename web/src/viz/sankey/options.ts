/** What a sankey can be told, and what it takes by itself. */
import type { SeriesLook } from '../looks';
import { numericColumns, rolesOf } from '../mapping';
import { plainDress, type NumberDress } from '../numbers';
import type { ResultTable } from '../types';

export interface SankeyOptions extends NumberDress {
  /** `links`: each row is a link. `stages`: each row is a way through several columns. */
  layout: 'links' | 'stages';
  source: string;
  target: string;
  stages: string[];
  /** Size of a link; empty counts rows. */
  value: string;
  /** A name as source and the same name as target are two things: takes rings apart. */
  splitEnds: boolean;
  /** Most links: the largest are kept. */
  limit: number;
  orient: 'horizontal' | 'vertical';
  align: 'justify' | 'left' | 'right';
  gap: number;
  linkColour: 'source' | 'target' | 'gradient' | 'grey';
  labels: boolean;
  series: SeriesLook[];
}

export const SOURCE = /^(source|from|from_address|sender|src)$/i;
export const TARGET = /^(target|to|to_address|receiver|recipient|dst|destination)$/i;

/** Columns called source and target; else stages of three categories and more; else the first two texts. */
export function defaults(table: ResultTable): SankeyOptions {
  const roles = rolesOf(table);
  const names = table.columns.map((column) => column.name);
  const texts = [...roles.category, ...roles.address, ...roles.hash, ...roles.time];
  const named = [names.find((name) => SOURCE.test(name)), names.find((name) => TARGET.test(name))];
  const [source = texts[0] ?? '', target = texts[1] ?? ''] = named;
  const stages = roles.category.slice(0, 5);
  const value = numericColumns(table).find((name) => name !== source && name !== target) ?? '';
  return { ...plainDress, layout: named.includes(undefined) && stages.length > 2 ? 'stages' : 'links', source, target, stages, value, splitEnds: false, limit: 50, orient: 'horizontal', align: 'justify', gap: 10, linkColour: 'source', labels: true, series: [] };
}
