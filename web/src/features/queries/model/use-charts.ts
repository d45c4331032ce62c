/** The charts of a draft: which are there, which one is being built, and the tab on show. */
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { VizId } from '@/viz/types';
import { newId, type ChartDraft, type Draft } from './drafts';

export interface Charts {
  tab: string;
  setTab: (tab: string) => void;
  /** The chart that the builder works on. */
  chart: ChartDraft | undefined;
  /** Its title, or the one it has as long as nobody gave it one. */
  title: string;
  start: (type: VizId) => void;
  change: (chart: ChartDraft) => void;
  remove: () => void;
}

/** The title of the chart at `index`; a chart without one is called after its type. */
export function useChartTitle(): (chart: ChartDraft, index: number) => string {
  const { t } = useTranslation();
  return (chart, index) => chart.title || t('queries.result.untitled', { kind: t(`viz.type.${chart.type}`), number: index + 1 });
}

export function useCharts(draft: Draft, update: (change: Partial<Draft>) => void, resultTab: string): Charts {
  const titleOf = useChartTitle();
  const [tab, setTab] = useState(resultTab);
  const [building, setBuilding] = useState<string | null>(null);
  const { charts } = draft;
  const known = charts.some((chart) => chart.id === tab);
  const chart = charts.find((one) => one.id === (known ? tab : building)) ?? charts[0];
  return {
    tab: known ? tab : resultTab,
    setTab: (next) => {
      setTab(next);
      if (next !== resultTab) setBuilding(next);
    },
    chart,
    title: chart ? titleOf(chart, charts.indexOf(chart)) : '',
    start: (type) => {
      const made: ChartDraft = { id: newId(), type, title: '', options: {} };
      setBuilding(made.id);
      update({ charts: [...charts, made] });
    },
    change: (changed) => update({ charts: charts.map((one) => (one.id === changed.id ? changed : one)) }),
    remove: () => {
      setTab(resultTab);
      update({ charts: charts.filter((one) => one.id !== chart?.id) });
    },
  };
}
