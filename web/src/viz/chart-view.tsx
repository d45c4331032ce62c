/** A drawn chart with what belongs to every chart: its label, the way to see it as a table, and saving it as a picture. */
import { ChartColumn, Image, Table2 } from 'lucide-react';
import { lazy, Suspense, useCallback, useMemo, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { plainExact } from '@/lib/exact';
import type { Cell } from '@/lib/columns';
import { Button } from '@/ui/button';
import type { ChartHandle, ChartLook } from '@/ui/chart';
import type { FetchRows } from '@/ui/grid-rows';
import { Skeleton } from '@/ui/parts';
import { cartesianOption, type CartesianStyle } from './cartesian';
import type { SeriesModel } from './series';
import css from './viz.module.css';

const Chart = lazy(() => import('@/ui/chart').then(({ Chart: component }) => ({ default: component })));
const Grid = lazy(() => import('@/ui/grid').then(({ Grid: component }) => ({ default: component })));

interface ChartViewProps {
  model: SeriesModel;
  style: Omit<CartesianStyle, 'otherName'>;
  xName: string;
  title: string;
}

export function ChartView({ model, style, xName, title }: ChartViewProps) {
  const { t } = useTranslation();
  const [asTable, setAsTable] = useState(false);
  const chart = useRef<ChartHandle>(null);
  const otherName = t('viz.other');
  const full = useMemo(() => ({ ...style, otherName }), [style, otherName]);
  const option = useCallback((look: ChartLook) => cartesianOption(model, full, look), [model, full]);
  const names = model.series.map((series) => (series.other ? otherName : series.name));

  const save = () => {
    const address = chart.current?.png();
    if (!address) return;
    const link = document.createElement('a');
    link.href = address;
    link.download = `${title}.png`;
    link.click();
  };

  return (
    <figure className={css.figure}>
      <figcaption className={css.figureBar}>
        <span className={css.note}>{model.rounded ? t('viz.rounded') : null}</span>
        <Button kind="text" size="small" aria-pressed={asTable} icon={asTable ? <ChartColumn size={16} strokeWidth={1.6} /> : <Table2 size={16} strokeWidth={1.6} />} onClick={() => setAsTable(!asTable)}>
          {asTable ? t('viz.showChart') : t('viz.showTable')}
        </Button>
        {asTable ? null : (
          <Button kind="text" size="small" icon={<Image size={16} strokeWidth={1.6} />} onClick={save} title={t('viz.savePicture')}>
            {t('viz.picture')}
          </Button>
        )}
      </figcaption>
      <div className={css.figureBody}>
        <Suspense fallback={<Skeleton height="100%" width="100%" />}>
          {asTable ? <SeriesTable model={model} names={names} xName={xName} title={title} /> : <Chart ref={chart} option={option} label={t('viz.chartLabel', { kind: t(`viz.type.${style.kind}`), title, series: names.join(', '), x: xName, points: model.labels.length })} />}
        </Suspense>
      </div>
    </figure>
  );
}

/** The numbers behind the chart, exact. */
function SeriesTable({ model, names, xName, title }: { model: SeriesModel; names: string[]; xName: string; title: string }) {
  const columns = useMemo(() => [{ name: xName, type: model.axis === 'time' ? 'timestamp' : 'varchar', index: 0 }, ...names.map((name, index) => ({ name, type: 'decimal(76,18)', index: index + 1 }))], [model, names, xName]);
  const rows = useMemo(() => model.labels.map((label, at): Cell[] => [label, ...model.series.map((series) => (series.values[at] ? plainExact(series.values[at]) : null))]), [model]);
  const fetchRows = useCallback<FetchRows>((offset, limit) => Promise.resolve(rows.slice(offset, offset + limit)), [rows]);
  return <Grid source={`${title} ${names.join()} ${rows.length}`} columns={columns} total={rows.length} fetchRows={fetchRows} label={title} />;
}
