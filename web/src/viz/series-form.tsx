/** The fields that bar and line charts share. */
import { useTranslation } from 'react-i18next';
import { Choice, ColumnChoice, ColumnsChoice, FormatChoice } from './form';
import type { Combine, Missing, SeriesOptions } from './series';
import type { ResultTable } from './types';

type Shared = Pick<SeriesOptions, 'x' | 'group' | 'combine' | 'missing' | 'limit' | 'format'> & { y: string[] };

interface SeriesFormProps {
  table: ResultTable;
  options: Shared;
  missing: readonly Missing[];
  onChange: (change: Partial<Shared>) => void;
}

const COMBINE: readonly Combine[] = ['refuse', 'sum', 'min', 'max'];
const LIMITS = ['5', '7', '10'];

export function SeriesForm({ table, options, missing, onChange }: SeriesFormProps) {
  const { t } = useTranslation();
  return (
    <>
      <ColumnChoice label={t('viz.xAxis')} table={table} value={options.x} onChange={(x) => onChange({ x })} />
      <ColumnChoice label={t('viz.groupBy')} table={table} value={options.group} empty={t('viz.noGroup')} onChange={(group) => onChange({ group })} />
      <ColumnsChoice label={t('viz.yAxis')} table={table} value={options.y} onChange={(y) => onChange({ y })} />
      <FormatChoice value={options.format} onChange={(format) => onChange({ format })} />
      <Choice label={t('viz.sameX')} value={options.combine} choices={COMBINE.map((value) => ({ value, label: t(`viz.combine.${value}`) }))} onChange={(combine) => onChange({ combine })} />
      <Choice label={t('viz.missingPeriods')} value={options.missing} choices={missing.map((value) => ({ value, label: t(`viz.missing.${value}`) }))} onChange={(next) => onChange({ missing: next })} />
      {options.group === '' ? null : (
        <Choice label={t('viz.seriesLimit')} value={String(options.limit)} choices={LIMITS.map((value) => ({ value, label: t('viz.topAndOther', { top: Number(value) - 1 }) }))} onChange={(limit) => onChange({ limit: Number(limit) })} />
      )}
    </>
  );
}
