/** The counter's fields in the builder. */
import { useTranslation } from 'react-i18next';
import { NumberField, TextField } from '../field-list';
import { Choice, ColumnChoice, FormatChoice, FormGrid, Toggle } from '../form';
import type { EditorProps } from '../types';
import type { CounterOptions } from './options';
import type { CounterModel } from './transform';

const DECIMALS = ['-1', '0', '1', '2', '4', '6'];
const GOODS = ['none', 'up', 'down'] as const;

export function Editor({ table, options, onChange }: EditorProps<CounterOptions, CounterModel>) {
  const { t } = useTranslation();
  const rows = Math.max(1, table.rows.length);
  const valued = options.column !== '';
  return (
    <FormGrid>
      <ColumnChoice label={t('viz.counter.column')} table={table} value={options.column} empty={t('viz.counter.countRows')} numeric onChange={(column) => onChange({ column })} />
      {valued ? <NumberField label={t('viz.counter.row')} min={1} max={rows} value={options.row} onChange={(row) => onChange({ row })} /> : null}
      <FormatChoice value={options.format} onChange={(format) => onChange({ format })} />
      <Choice label={t('viz.field.decimals')} value={String(options.decimals)} choices={DECIMALS.map((value) => ({ value, label: value === '-1' ? t('viz.choice.all') : value }))} onChange={(decimals) => onChange({ decimals: Number(decimals) })} />
      <TextField label={t('viz.counter.prefix')} value={options.prefix} onChange={(prefix) => onChange({ prefix })} />
      <TextField label={t('viz.counter.suffix')} value={options.suffix} onChange={(suffix) => onChange({ suffix })} />
      <TextField label={t('viz.counter.label')} value={options.label} onChange={(label) => onChange({ label })} />
      {valued ? <NumberField label={t('viz.counter.compareRow')} min={0} max={rows} value={options.compareRow} onChange={(compareRow) => onChange({ compareRow })} /> : null}
      {valued && options.compareRow > 0 ? <Choice label={t('viz.counter.good')} value={options.good} choices={GOODS.map((value) => ({ value, label: t(`viz.counter.goods.${value}`) }))} onChange={(good) => onChange({ good })} /> : null}
      {valued ? <Toggle label={t('viz.counter.spark')} value={options.spark} onChange={(spark) => onChange({ spark })} /> : null}
    </FormGrid>
  );
}
