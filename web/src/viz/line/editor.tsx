/** The line chart's fields in the builder. */
import { useTranslation } from 'react-i18next';
import { FormGrid, Toggle } from '../form';
import { SeriesForm } from '../series-form';
import type { ResultTable } from '../types';
import type { LineOptions } from './options';

export function Editor({ table, options, onChange }: { table: ResultTable; options: LineOptions; onChange: (change: Partial<LineOptions>) => void }) {
  const { t } = useTranslation();
  return (
    <FormGrid>
      <SeriesForm table={table} options={options} missing={['gap', 'zero', 'connect']} onChange={onChange} />
      <Toggle label={t('viz.points')} value={options.points} onChange={(points) => onChange({ points })} />
      <Toggle label={t('viz.legend')} value={options.legend} onChange={(legend) => onChange({ legend })} />
    </FormGrid>
  );
}
