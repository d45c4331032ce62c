/** Table: the whole result in a grid, columns chosen and dressed. */
import { Table2 } from 'lucide-react';
import { useCallback } from 'react';
import { usePaper } from '@/lib/paper';
import { lazyPart, Part } from '@/ui/part';
import { Skeleton } from '@/ui/parts';
import type { FetchRows } from '@/ui/grid-rows';
import type { GridColumn } from '@/ui/grid';
import { defineViz } from '../define';
import type { ResultTable } from '../types';
import { OnPaper } from './on-paper';
import { defaults } from './options';
import { transform } from './transform';

const Grid = lazyPart(() => import('@/ui/grid').then(({ Grid: component }) => ({ default: component })));
const Editor = lazyPart(() => import('./editor').then(({ Editor: component }) => ({ default: component })));

function View({ model, table, title }: { model: readonly GridColumn[]; table: ResultTable; title: string }) {
  const loaded = useCallback<FetchRows>((offset, limit) => Promise.resolve(table.rows.slice(offset, offset + limit)), [table]);
  const rows = { source: table.pages?.source ?? title, columns: model, total: table.pages ? table.total : table.rows.length, fetchRows: table.pages?.fetchRows ?? loaded };
  if (usePaper() !== null) return <OnPaper {...rows} table={table} />;
  return (
    <Part of={[model, table]} waiting={<Skeleton height="100%" width="100%" />}>
      <Grid {...rows} label={title} />
    </Part>
  );
}

export const table = defineViz({ id: 'table', icon: Table2, defaults, transform, Editor, View, complete: true });
