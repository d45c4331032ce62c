/** Makes a registry entry of a type's parts: stored options are read over the defaults, problems and the row cap are told in one way. */
import { TriangleAlert } from 'lucide-react';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { count } from '@/lib/format';
import { Empty } from '@/ui/parts';
import { mergeOptions, type Problem, type ResultTable, type VizSpec, type VizType } from './types';
import css from './viz.module.css';

function ProblemNote({ problem }: { problem: Problem }) {
  const { t } = useTranslation();
  if (problem.code === 'noRows') return <Empty title={t('common.noData')} />;
  return (
    <div className={css.problem} role="status">
      <TriangleAlert size={20} strokeWidth={1.6} aria-hidden />
      <p>{t(`viz.problem.${problem.code}`, { ...problem.values })}</p>
    </div>
  );
}

function CapNote({ table }: { table: ResultTable }) {
  const { t } = useTranslation();
  if (table.rows.length >= table.total) return null;
  return <p className={css.cap}>{t('viz.cap', { drawn: count(table.rows.length), total: count(table.total) })}</p>;
}

export function defineViz<O extends object, M>(spec: VizSpec<O, M>): VizType {
  const { defaults, transform, Editor: OwnEditor, View: OwnView } = spec;

  function Editor({ table, stored, onChange }: { table: ResultTable; stored: unknown; onChange: (stored: object) => void }) {
    const options = useMemo(() => mergeOptions(defaults(table), stored), [table, stored]);
    return <OwnEditor table={table} options={options} onChange={(change) => onChange({ ...(stored as object | undefined), ...change })} />;
  }

  function View({ table, stored, title }: { table: ResultTable; stored: unknown; title: string }) {
    const options = useMemo(() => mergeOptions(defaults(table), stored), [table, stored]);
    const outcome = useMemo(() => transform(table, options), [table, options]);
    return (
      <div className={css.view}>
        {spec.complete ? null : <CapNote table={table} />}
        {outcome.ok ? <OwnView model={outcome.model} options={options} title={title} table={table} /> : <ProblemNote problem={outcome.problem} />}
      </div>
    );
  }

  return { id: spec.id, icon: spec.icon, Editor, View };
}
