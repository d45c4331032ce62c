/** The table's fields in the builder: which columns, in which order, under which title, in which format. */
import { Input, Select } from 'antd';
import { ArrowDown, ArrowUp, Eye, EyeOff } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { isNumeric, NUMBER_FORMATS } from '@/lib/columns';
import { IconButton } from '@/ui/button';
import type { ResultTable } from '../types';
import css from '../viz.module.css';
import { present, type TableColumn, type TableOptions } from './options';

export function Editor({ table, options, onChange }: { table: ResultTable; options: TableOptions; onChange: (change: Partial<TableOptions>) => void }) {
  const { t } = useTranslation();
  const columns = present(table, options);
  const change = (at: number, next: Partial<TableColumn>) => onChange({ columns: columns.map((column, index) => (index === at ? { ...column, ...next } : column)) });
  const move = (at: number, by: number) => {
    const next = [...columns];
    const [moved] = next.splice(at, 1);
    if (moved) next.splice(at + by, 0, moved);
    onChange({ columns: next });
  };
  return (
    <ul className={css.columns}>
      {columns.map((column, at) => (
        <li key={column.name} className={css.column} data-hidden={column.hidden}>
          <IconButton size="small" label={t(column.hidden ? 'viz.showColumn' : 'viz.hideColumn', { column: column.name })} icon={column.hidden ? <EyeOff size={16} strokeWidth={1.6} /> : <Eye size={16} strokeWidth={1.6} />} onClick={() => change(at, { hidden: !column.hidden })} />
          <Input size="small" aria-label={t('viz.columnTitle', { column: column.name })} placeholder={column.name} value={column.title} maxLength={60} onChange={(event) => change(at, { title: event.target.value })} />
          {isNumeric(table.columns.find(({ name }) => name === column.name)?.type ?? '') ? (
            <Select size="small" className={css.columnFormat} aria-label={t('viz.columnFormat', { column: column.name })} value={column.format} options={NUMBER_FORMATS.map((format) => ({ value: format, label: t(`queries.grid.formats.${format}`) }))} popupMatchSelectWidth={false} onChange={(format) => change(at, { format })} />
          ) : null}
          <IconButton size="small" label={t('viz.columnUp', { column: column.name })} icon={<ArrowUp size={16} strokeWidth={1.6} />} disabled={at === 0} onClick={() => move(at, -1)} />
          <IconButton size="small" label={t('viz.columnDown', { column: column.name })} icon={<ArrowDown size={16} strokeWidth={1.6} />} disabled={at === columns.length - 1} onClick={() => move(at, 1)} />
        </li>
      ))}
    </ul>
  );
}
