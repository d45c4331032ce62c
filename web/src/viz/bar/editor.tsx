/** The bar chart's fields in the builder. */
import { useTranslation } from 'react-i18next';
import { Choice, FormGrid, Toggle } from '../form';
import { SeriesForm } from '../series-form';
import type { ResultTable } from '../types';
import type { BarOptions } from './options';

const STACKS = ['none', 'stack', 'percent'] as const;

export function Editor({ table, options, onChange }: { table: ResultTable; options: BarOptions; onChange: (change: Partial<BarOptions>) => void }) {
  const { t } = useTranslation();
  return (
    <FormGrid>
      <SeriesForm table={table} options={options} missing={['gap', 'zero']} onChange={onChange} />
      <Choice label={t('viz.stack')} value={options.stack} choices={STACKS.map((value) => ({ value, label: t(`viz.stacking.${value}`) }))} onChange={(stack) => onChange({ stack })} />
      <Toggle label={t('viz.horizontal')} value={options.horizontal} onChange={(horizontal) => onChange({ horizontal })} />
      <Toggle label={t('viz.legend')} value={options.legend} onChange={(legend) => onChange({ legend })} />
    </FormGrid>
  );
}
