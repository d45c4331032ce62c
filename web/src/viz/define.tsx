/** Makes registry entries of a type's parts: stored options are read over the defaults, problems and the row cap are told in one way. */
import { TriangleAlert } from 'lucide-react';
import { useCallback, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import type { Texts } from '@/i18n/texts';
import { count } from '@/lib/format';
import type { ChartLook } from '@/ui/chart';
import { Part } from '@/ui/part';
import { Empty } from '@/ui/parts';
import type { Drawing } from './drawing';
import type { DrawnTable } from './drawn';
import { Figure } from './figure';
import { mergeOptions, written, type Note, type Problem, type ResultTable, type VizSpec, type VizType } from './types';
import css from './viz.module.css';

/** Words that a drawing needs in the reader's language. */
export type Words = (key: keyof Texts['viz']['word']) => string;

function ProblemNote({ problem }: { problem: Problem }) {
  const { t } = useTranslation();
  if (problem.code === 'noRows') return <Empty title={t('common.noData')} />;
  const part = problem.part ? { part: t(`viz.field.${problem.part}`) } : {};
  return (
    <div className={css.problem} role="status">
      <TriangleAlert size={20} strokeWidth={1.6} aria-hidden />
      <p>{t(`viz.problem.${problem.code}`, { ...written(problem.values), ...part })}</p>
    </div>
  );
}

function CapNote({ table }: { table: ResultTable }) {
  const { t } = useTranslation();
  if (table.rows.length >= table.total) return null;
  return <p className={css.cap}>{t('viz.cap', { drawn: count(table.rows.length), total: count(table.total) })}</p>;
}

interface ViewProps {
  table: ResultTable;
  stored: unknown;
  title: string;
}

export function defineViz<O extends object, M>(spec: VizSpec<O, M>): VizType {
  const { defaults, transform, Editor: OwnEditor, View: OwnView } = spec;

  function useOutcome(table: ResultTable, stored: unknown) {
    const options = useMemo(() => mergeOptions(defaults(table), stored), [table, stored]);
    return { options, outcome: useMemo(() => transform(table, options), [table, options]) };
  }

  function Editor({ table, stored, onChange }: { table: ResultTable; stored: unknown; onChange: (stored: object) => void }) {
    const { options, outcome } = useOutcome(table, stored);
    return (
      <Part of={[table, options]}>
        <OwnEditor table={table} options={options} model={outcome.ok ? outcome.model : undefined} onChange={(change) => onChange({ ...(stored as object | undefined), ...change })} />
      </Part>
    );
  }

  function Drawn({ table, stored, title }: ViewProps) {
    const { options, outcome } = useOutcome(table, stored);
    return (
      <div className={css.view}>
        {spec.complete ? null : <CapNote table={table} />}
        {outcome.ok ? <OwnView model={outcome.model} options={options} title={title} table={table} /> : <ProblemNote problem={outcome.problem} />}
      </div>
    );
  }

  /** Rows or options that a drawing breaks on take nothing else away. */
  function View(props: ViewProps) {
    return (
      <Part of={[props.table, props.stored]}>
        <Drawn {...props} />
      </Part>
    );
  }

  return { id: spec.id, icon: spec.icon, Editor, View };
}

/** A type that is drawn as a chart. */
export interface ChartSpec<O extends object, M extends { readonly notes: readonly Note[] }> extends Omit<VizSpec<O, M>, 'View' | 'complete'>, Drawing<O, M> {
  /** The numbers that are drawn. */
  readonly drawn: (model: M, options: O, words: Words) => DrawnTable;
}

/** The view of a chart type; types with a second way of drawing use it themselves. */
export function chartView<O extends object, M extends { readonly notes: readonly Note[] }>(spec: Pick<ChartSpec<O, M>, 'id' | 'parts' | 'draw' | 'drawn'>) {
  const { id, parts = 'common', draw, drawn } = spec;
  return function ChartOf({ model, options, title }: { model: M; options: O; title: string }) {
    const { t } = useTranslation();
    const words = useCallback<Words>((key) => t(`viz.word.${key}`), [t]);
    const option = useCallback((look: ChartLook) => draw(model, options, look, words), [model, options, words]);
    const numbers = useMemo(() => drawn(model, options, words), [model, options, words]);
    return <Figure kind={id} title={title} option={option} drawn={numbers} notes={model.notes} parts={parts} />;
  };
}

export function defineChart<O extends object, M extends { readonly notes: readonly Note[] }>(spec: ChartSpec<O, M>): VizType {
  return defineViz({ ...spec, View: chartView(spec) });
}
