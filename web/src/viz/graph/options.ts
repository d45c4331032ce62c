/** What a graph can be told, and what it takes by itself. */
import { classOf } from '@/lib/columns';
import type { SeriesLook } from '../looks';
import { numericColumns, rolesOf } from '../mapping';
import { plainDress, type NumberDress } from '../numbers';
import { SOURCE, TARGET } from '../sankey/options';
import type { ResultTable } from '../types';

export interface GraphOptions extends NumberDress {
  /** `links`: each row is an edge. `objects`: cells hold nodes, relationships and paths, as a graph query answers. */
  layout: 'links' | 'objects';
  source: string;
  target: string;
  /** Number that makes an edge thick and decides which ones stay; empty counts rows. */
  weight: string;
  /** Column that gives the source its kind and colour. */
  category: string;
  arrange: 'force' | 'circular' | 'none';
  sizeBy: 'degree' | 'weight' | 'same';
  /** Most edges: the heaviest are kept. */
  limit: number;
  arrows: boolean;
  labels: 'all' | 'large' | 'none';
  /** Percent of what keeps nodes apart by itself. */
  repulsion: number;
  /** Pull to the centre, 0 to 100. */
  gravity: number;
  /** Percent of the length that fits the room. */
  edgeLength: number;
  legend: boolean;
  series: SeriesLook[];
}

/** Columns called source and target, else the first two addresses, else the first two texts; objects where cells hold such. */
export function defaults(table: ResultTable): GraphOptions {
  const roles = rolesOf(table);
  const names = table.columns.map((column) => column.name);
  const texts = [...roles.address, ...roles.category, ...roles.hash];
  const source = names.find((name) => SOURCE.test(name)) ?? texts[0] ?? '';
  const target = names.find((name) => TARGET.test(name)) ?? texts.find((name) => name !== source) ?? '';
  const objects = table.columns.some((column) => classOf(column.type) === 'nested' || /^(node|relationship|path|vertex|edge)/i.test(column.type)) && target === '';
  const weight = numericColumns(table).find((name) => name !== source && name !== target) ?? '';
  const category = roles.category.find((name) => name !== source && name !== target) ?? '';
  return { ...plainDress, layout: objects ? 'objects' : 'links', source, target, weight, category, arrange: 'force', sizeBy: 'degree', limit: 500, arrows: true, labels: 'large', repulsion: 100, gravity: 15, edgeLength: 100, legend: true, series: [] };
}
