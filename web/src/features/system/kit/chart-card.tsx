// A chart of the back office: lines or stacked bars over named steps, and the same numbers as a table.
import { useCallback, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { compact, count } from '@/lib/format';
import { Button } from '@/ui/button';
import { Chart, type ChartLook, type ChartOption } from '@/ui/chart';
import { Card, Empty, Skeleton } from '@/ui/parts';
import { nameLabels } from '@/viz/axis-names';
import { DataTable } from './data-table';
import css from './kit.module.css';

export interface Series {
  name: string;
  /** One value for each step. */
  values: readonly number[];
}

/** So many steps are days, which need not all be named. */
const shownDays = 24;

interface ChartCardProps {
  title: string;
  /** Unit and span, in small words beside the title. */
  note: string;
  kind: 'bars' | 'line';
  /** Undefined until the data is there. */
  data: { steps: readonly string[]; series: readonly Series[] } | undefined;
  /** What the steps are, as the head of the table. */
  stepName: string;
  /** What to say when all values are 0. */
  empty?: string;
  /** How a value is written whole; separators by default. */
  write?: (value: number) => string;
}

export function ChartCard({ title, note, kind, data, stepName, empty: nothing, write = count }: ChartCardProps) {
  const { t } = useTranslation();
  const [table, setTable] = useState(false);
  const option = useCallback((look: ChartLook) => chartOption(look, kind, data?.steps ?? [], data?.series ?? [], write), [kind, data, write]);
  const empty = data?.series.every((series) => series.values.every((value) => value === 0)) ?? false;
  return (
    <Card
      title={
        <>
          {title} <small className={css.chartNote}>{note}</small>
        </>
      }
      extra={
        <Button size="small" kind="text" className={css.chartSwitch} aria-pressed={table} onClick={() => setTable(!table)}>
          {t(table ? 'system.kit.asChart' : 'system.kit.asTable')}
        </Button>
      }
    >
      <div className={css.chartBody} data-table={table}>
        {!data && <Skeleton height="100%" />}
        {data && !table && (empty ? <Empty title={t('common.noData')}>{nothing}</Empty> : <Chart option={option} label={`${title}, ${note}`} />)}
        {data && table && (
          <DataTable
            label={title}
            rows={data.steps.map((step, index) => ({ step, index }))}
            rowKey={(row) => row.index}
            columns={[
              { key: 'step', head: stepName, main: true, text: (row) => row.step },
              ...data.series.map((series) => ({ key: series.name, head: series.name, end: true, text: (row: { index: number }) => write(series.values[row.index] ?? 0) })),
            ]}
          />
        )}
      </div>
    </Card>
  );
}

function chartOption(look: ChartLook, kind: 'bars' | 'line', steps: readonly string[], series: readonly Series[], write: (value: number) => string): ChartOption {
  const axisText = { color: look.soft, fontSize: look.fontSize };
  return {
    color: [...look.series],
    grid: { left: 4, right: 8, top: series.length > 1 ? 34 : 12, bottom: 4, containLabel: true },
    legend: { show: series.length > 1, left: 0, top: 0, itemWidth: 10, itemHeight: 10, icon: 'rect', textStyle: { color: look.text, fontSize: look.fontSize } },
    tooltip: { trigger: 'axis', backgroundColor: look.surface, borderColor: look.line, textStyle: { color: look.text, fontSize: look.fontSize }, confine: true, valueFormatter: (value) => (typeof value === 'number' ? write(value) : '') },
    xAxis: { type: 'category', data: [...steps], boundaryGap: kind === 'bars', axisLine: { lineStyle: { color: look.line } }, axisTick: { show: false }, axisLabel: { ...axisText, hideOverlap: true, ...(kind === 'bars' && steps.length < shownDays ? nameLabels(steps, look, look.width - 50) : {}) } },
    yAxis: { type: 'value', minInterval: 1, splitNumber: 4, axisLabel: { ...axisText, formatter: (value: number) => (write === count ? compact(value) : write(value)) }, splitLine: { lineStyle: { color: look.line } } },
    series: series.map(({ name, values }) =>
      kind === 'bars'
        ? { name, type: 'bar', stack: 'all', data: [...values], barMaxWidth: 26 }
        : { name, type: 'line', data: [...values], showSymbol: values.length < 3, lineStyle: { width: 1.8 }, ...(series.length === 1 ? { areaStyle: { opacity: 0.1 } } : {}) },
    ),
  };
}
