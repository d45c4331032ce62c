/** The columns of a table in the order and dress they were given. */
import type { GridColumn } from '@/ui/grid';
import { columnIndex } from '../mapping';
import { fail, type Outcome, type ResultTable } from '../types';
import { present, type TableOptions } from './options';

export function transform(table: ResultTable, options: TableOptions): Outcome<readonly GridColumn[]> {
  if (table.columns.length === 0 || table.total === 0) return fail('noRows');
  const shown = present(table, options).filter((column) => !column.hidden);
  if (shown.length === 0) return fail('allHidden');
  const model = shown.map(({ name, title, format }) => {
    const index = columnIndex(table, name);
    return { name, type: table.columns[index]?.type ?? '', index, title: title || name, format };
  });
  return { ok: true, model };
}
