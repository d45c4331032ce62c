/** Tables and counters are no charts: their rows are what can be saved, also those that nobody has scrolled to. */
import { useImperativeHandle, type Ref } from 'react';
import { messageOf } from '@/api/error';
import { fullText } from '@/lib/columns';
import { csvText } from '@/lib/csv';
import { saveFile } from '@/lib/save-file';
import { notify } from '@/ui/notices';
import { allRows } from './all-rows';
import type { FigureActions } from './frame';
import type { ResultTable, VizId } from './types';

const formats = ['csv'] as const;

/** The types that tell their frame nothing by themselves. */
export const isPlain = (type: VizId): boolean => type === 'table' || type === 'counter';

export function PlainActions({ table, title, actions }: { table: ResultTable; title: string; actions: Ref<FigureActions> }) {
  useImperativeHandle(actions, (): FigureActions => ({
    formats,
    save: () => {
      allRows(table).then(
        (rows) => saveFile(`${title}.csv`, new Blob([csvText(table.columns.map(({ name }) => name), rows.map((row) => row.map(fullText)))], { type: 'text/csv;charset=utf-8' })),
        (cause: unknown) => notify.error(messageOf(cause)),
      );
    },
  }));
  return null;
}
