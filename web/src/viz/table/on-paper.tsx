/** A table on paper or in a picture: plain rows instead of a grid, which draws only those in view. */
import { Fragment, useEffect, useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { formatCell, isNumeric, type Cell, type NumberFormat } from '@/lib/columns';
import { count } from '@/lib/format';
import type { GridColumn } from '@/ui/grid';
import { placeOf } from '@/ui/grid-places';
import { rowSource, type FetchRows } from '@/ui/grid-rows';
import type { ResultTable } from '../types';
import css from './on-paper.module.css';

/** Some four sheets: a longer table is read on the screen, or as a file. */
export const MOST_PRINTED = 200;

/** Columns up to here have room for numbers of so many signs in one line. */
const MOST_WHOLE = 8;
const SHORT = 12;
/** More signs without a comma may be wider than their sheet. */
const LONG = 24;

interface OnPaperProps {
  source: string;
  columns: readonly GridColumn[];
  table: ResultTable;
  total: number;
  fetchRows: FetchRows;
}

interface PrintedRows {
  rows: readonly (readonly Cell[])[];
  formats: Readonly<Record<number, NumberFormat>>;
  ready: boolean;
}

export function OnPaper({ source, columns, table, total, fetchRows }: OnPaperProps) {
  const { t } = useTranslation();
  // Rows that are here are printed even by a browser that doesn't wait.
  const [{ rows, formats, ready }, setPrinted] = useState<PrintedRows>(() => ({ rows: table.rows.slice(0, MOST_PRINTED), formats: {}, ready: false }));
  useEffect(() => {
    // The grid has just left its order and its formats.
    const place = placeOf(source);
    const column = columns.find(({ index }) => String(index) === place?.sort?.column);
    const order = column && place?.sort ? { index: column.index, type: column.type, descending: place.sort.direction === 'desc' } : null;
    const reader = rowSource(fetchRows, total);
    let wanted = true;
    const show = (next: Partial<PrintedRows>) => {
      if (wanted) setPrinted((now) => ({ ...now, ...next, formats: place?.formats ?? {}, ready: true }));
    };
    reader.read(0, Math.min(total, MOST_PRINTED), order).then(
      (found) => show({ rows: found.map(({ cells }) => cells) }),
      () => show({}),
    );
    return () => {
      wanted = false;
      reader.stop();
    };
  }, [source, columns, total, fetchRows]);

  const narrow = columns.length > MOST_WHOLE;
  return (
    <div className={css.paper} data-loading={ready ? undefined : true}>
      <table>
        <thead>
          <tr>
            {columns.map((column) => (
              <th key={column.index} data-number={isNumeric(column.type)}>
                {column.title ?? column.name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((cells, at) => (
            <tr key={at}>
              {columns.map(({ index, type, format }) => {
                const value = cells[index] ?? null;
                return (
                  <Printed key={index} number={isNumeric(type)} none={value === null} narrow={narrow} text={formatCell(value, type, formats[index] ?? format ?? 'grouped')} />
                );
              })}
            </tr>
          ))}
        </tbody>
      </table>
      {rows.length < total ? <p>{t('viz.printed', { count: total - rows.length, printed: count(rows.length), more: count(total - rows.length) })}</p> : null}
    </div>
  );
}

/** A number that goes on in the next line does so behind a comma: broken anywhere it is two numbers to the eye. */
function Printed({ text, number, none, narrow }: { text: string; number: boolean; none: boolean; narrow: boolean }): ReactNode {
  const groups = number ? text.split(/(?<=,)/) : [text];
  const breaks = !number || groups.some((group) => group.length > LONG) ? 'anywhere' : !narrow && text.length <= SHORT ? 'never' : 'commas';
  return (
    <td data-number={number} data-null={none} data-breaks={breaks}>
      {groups.map((group, at) => (
        <Fragment key={at}>
          {at > 0 ? <wbr /> : null}
          {group}
        </Fragment>
      ))}
    </td>
  );
}
