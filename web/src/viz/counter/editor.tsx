/** The counter's fields in the builder. */
import { Input, InputNumber } from 'antd';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { Choice, ColumnChoice, FormatChoice, FormGrid } from '../form';
import css from '../viz.module.css';
import type { ResultTable } from '../types';
import type { CounterOptions } from './options';

const DECIMALS = ['-1', '0', '1', '2', '4', '6'];

function Words({ label, value, onChange }: { label: string; value: string; onChange: (value: string) => void }) {
  const id = useId();
  return (
    <div>
      <label className={css.label} htmlFor={id}>
        {label}
      </label>
      <Input id={id} value={value} maxLength={40} onChange={(event) => onChange(event.target.value)} />
    </div>
  );
}

export function Editor({ table, options, onChange }: { table: ResultTable; options: CounterOptions; onChange: (change: Partial<CounterOptions>) => void }) {
  const { t } = useTranslation();
  const row = useId();
  return (
    <FormGrid>
      <ColumnChoice label={t('viz.column')} table={table} value={options.column} empty={t('viz.countRows')} onChange={(column) => onChange({ column })} />
      <div>
        <label className={css.label} htmlFor={row}>
          {t('viz.row')}
        </label>
        <InputNumber id={row} className={css.select} min={1} max={Math.max(1, table.rows.length)} precision={0} value={options.row} disabled={options.column === ''} onChange={(value) => onChange({ row: value ?? 1 })} />
      </div>
      <FormatChoice value={options.format} onChange={(format) => onChange({ format })} />
      <Choice label={t('viz.decimals')} value={String(options.decimals)} choices={DECIMALS.map((value) => ({ value, label: value === '-1' ? t('viz.allDecimals') : value }))} onChange={(decimals) => onChange({ decimals: Number(decimals) })} />
      <Words label={t('viz.prefix')} value={options.prefix} onChange={(prefix) => onChange({ prefix })} />
      <Words label={t('viz.suffix')} value={options.suffix} onChange={(suffix) => onChange({ suffix })} />
      <Words label={t('viz.label')} value={options.label} onChange={(label) => onChange({ label })} />
    </FormGrid>
  );
}
