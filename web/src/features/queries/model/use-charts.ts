/** The charts of a draft: which are there, which one is being built, the tab on show, and which of them the server has as they are. */
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { remove } from '@/api/creations';
import { createVisualization, updateVisualization, type SavedQuery, type Viz } from '@/api/queries';
import { eraseLater } from '@/ui/deletions';
import { notify } from '@/ui/notices';
import type { VizId } from '@/viz/types';
import { newId, type ChartDraft, type Draft } from './drafts';
import { changeDraft, findTab } from './tabs';

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

type TitleOf = (chart: ChartDraft, index: number) => string;

/** The title of the chart at `index`; a chart without one is called after its type. */
export function useChartTitle(): TitleOf {
  const { t } = useTranslation();
  return (chart, index) => chart.title || t('queries.result.untitled', { kind: t(`viz.type.${chart.type}`), number: index + 1 });
}

/** Whether the server has the chart exactly so. */
export function isKept(chart: ChartDraft, query: SavedQuery | undefined): boolean {
  const there = query?.visualizations.find((one) => one.id === chart.saved?.id);
  if (!there) return false;
  const same = (a: object, b: object) => JSON.stringify(Object.entries(a).sort()) === JSON.stringify(Object.entries(b).sort());
  return there.title === chart.title && there.viz.type === chart.type && same(given(there.viz.options), given(chart.options));
}

/** Options that say something: the server writes those that were left out as null. */
const given = (options: object): object => Object.fromEntries(Object.entries(options).filter(([, value]) => value !== null && value !== undefined));

/**
 * Brings the charts of a saved query to the server; whether there was any to bring. Each is noted at once in the draft as it
 * is by then: who goes on while charts are saved keeps what was changed since, and what was removed is not brought.
 */
export async function saveCharts(draft: Draft, query: SavedQuery, titleOf: TitleOf, only?: string): Promise<boolean> {
  let any = false;
  /** Those of a tab that is still open. */
  const now = () => findTab((one) => one.id === draft.id)?.charts;
  for (const [index, chart] of draft.charts.entries()) {
    if ((only !== undefined && chart.id !== only) || isKept(chart, query) || now()?.some((one) => one.id === chart.id) === false) continue;
    any = true;
    const title = titleOf(chart, index);
    const viz = { type: chart.type, options: given(chart.options) } as Viz;
    const known = query.visualizations.find((one) => one.id === chart.saved?.id);
    const { id, revision } = known ? await updateVisualization(known.id, known.revision, title, viz) : await createVisualization(query.id, title, viz);
    changeDraft(draft.id, { charts: (now() ?? []).map((one) => (one.id === chart.id ? { ...one, title: one.title === chart.title ? title : one.title, saved: { id, revision } } : one)) });
  }
  return any;
}

export function useCharts(draft: Draft, update: (change: Partial<Draft>) => void, resultTab: string, first: string | null, others: readonly string[]): Charts {
  const { t } = useTranslation();
  const titleOf = useChartTitle();
  const [tab, setTab] = useState<{ of: string; tab: string }>({ of: draft.id, tab: first ?? resultTab });
  const [building, setBuilding] = useState<string | null>(null);
  const { charts } = draft;
  const shown = tab.of === draft.id ? tab.tab : resultTab;
  const known = charts.some((chart) => chart.id === shown);
  const chart = charts.find((one) => one.id === (known ? shown : building)) ?? charts[0];
  const show = (next: string) => setTab({ of: draft.id, tab: next });
  return {
    tab: known || others.includes(shown) ? shown : resultTab,
    setTab: (next) => {
      show(next);
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
      if (!chart) return;
      show(resultTab);
      update({ charts: charts.filter((one) => one.id !== chart.id) });
      const back = () => {
        const now = findTab((one) => one.id === draft.id);
        if (now) changeDraft(draft.id, { charts: [...now.charts, chart] });
      };
      const said = t('editors.charts.removed', { title: titleOf(chart, charts.indexOf(chart)) });
      const { saved } = chart;
      if (saved) eraseLater({ id: saved.id, erase: (leaving) => remove('visualization', saved.id, leaving) }, said, { back });
      else notify.undo(said, back);
    },
  };
}
