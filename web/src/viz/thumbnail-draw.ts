/** Draws thumbnails. It needs no page, for a worker does it. */
import type { Schemas } from '@/api/call';
import { formatCell, type Cell } from '@/lib/columns';
import type { ChartLook } from '@/ui/chart-look';
import { pictureOf } from '@/ui/chart-picture';
import { defaults as counterDefaults } from './counter/options';
import { transform as countOf } from './counter/transform';
import { pictures } from './pictures';
import { mergeOptions, type ResultTable } from './types';

export type Thumbed = { kind: 'picture'; src: string } | { kind: 'number'; text: string; name: string } | { kind: 'table'; rows: string[][] };

/** Rows and columns of a table that fit into a thumbnail. */
const most = { rows: 5, columns: 3 };

export async function thumbnailOf(viz: Schemas['Viz'], result: Schemas['ShownRows'], look: ChartLook): Promise<Thumbed> {
  const table: ResultTable = { columns: result.columns, rows: result.rows as Cell[][], total: result.total };
  if (viz.type === 'counter') {
    const options = mergeOptions(counterDefaults(table), viz.options);
    const counted = countOf(table, options);
    if (counted.ok) return { kind: 'number', text: counted.model.text, name: options.label || options.column };
  }
  const picture = pictures[viz.type];
  if (picture) {
    const src = await pictureOf((now) => picture.option(table, viz.options, now), picture.parts, look);
    if (src !== null) return { kind: 'picture', src };
  }
  return { kind: 'table', rows: firstRows(table) };
}

function firstRows({ columns, rows }: ResultTable): string[][] {
  const shown = columns.slice(0, most.columns);
  return [shown.map(({ name }) => name), ...rows.slice(0, most.rows).map((row) => shown.map(({ type }, at) => formatCell(row[at] ?? null, type, 'grouped')))];
}
