/** The chart builder: choose a type, see it drawn from the result at once, and set its columns and looks. */
import { Input } from 'antd';
import { Check, LayoutDashboard, Maximize2, Save, Trash2, X } from 'lucide-react';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { messageOf } from '@/api/error';
import { setPatterns, usePatterns } from '@/lib/patterns';
import { Button, IconButton } from '@/ui/button';
import { Empty, Failed } from '@/ui/parts';
import { Toggle } from '@/viz/form';
import { vizType } from '@/viz/registry';
import type { VizId } from '@/viz/types';
import type { DrawnRows } from '@/viz/use-result-table';
import type { SavedQuery } from '@/api/queries';
import type { ChartDraft } from '../model/drafts';
import { isKept } from '../model/use-charts';
import { AddToDashboard } from './add-to-dashboard';
import css from './builder.module.css';
import { TypePicker } from './type-picker';

interface BuilderProps {
  rows: DrawnRows;
  chart: ChartDraft | undefined;
  title: string;
  /** The chart is shown large in the result pane: no second one beside it. */
  preview: boolean;
  onChange: (chart: ChartDraft) => void;
  onStart: (type: VizId) => void;
  onRemove: () => void;
  /** Keeps the chart with its query. */
  onSave: () => void;
  /** The query as it is saved; none for a new one. */
  query: SavedQuery | undefined;
  onEnlarge: () => void;
  onClose?: () => void;
}

export function Builder({ rows: { table, error, retry }, chart, title, preview, onChange, onStart, onRemove, onSave, query, onEnlarge, onClose }: BuilderProps) {
  const { t } = useTranslation();
  const name = useId();
  const patterns = usePatterns();
  const [placing, setPlacing] = useState<string | null>(null);
  const type = chart ? vizType(chart.type) : undefined;
  return (
    <aside className={css.builder} aria-label={t('viz.title')}>
      <header className={css.head}>
        <h2>{t('viz.title')}</h2>
        {onClose ? <IconButton size="small" label={t('common.close')} icon={<X size={18} strokeWidth={1.6} />} onClick={onClose} /> : null}
      </header>
      <div className={css.scroll}>
        <TypePicker chosen={chart?.type} disabled={!table} onChoose={(id) => (chart ? chart.type !== id && onChange({ ...chart, type: id, options: {} }) : onStart(id))} />
        {error ? <Failed message={messageOf(error)} onRetry={retry} /> : !table ? <Empty title={t('queries.result.firstTitle')}>{t('queries.builder.noResult')}</Empty> : null}
        {table && !chart ? <p className={css.hint}>{t('queries.builder.choose')}</p> : null}
        {table && chart && type ? (
          <>
            {preview ? (
              <section className={css.card} aria-label={t('queries.builder.preview')}>
                <div className={css.cardHead}>
                  <h3 className="ellipsis">{title}</h3>
                  <IconButton size="small" label={t('queries.builder.open')} icon={<Maximize2 size={15} strokeWidth={1.6} />} onClick={onEnlarge} />
                </div>
                <div className={css.picture} data-type={chart.type}>
                  <type.View table={table} stored={chart.options} title={title} />
                </div>
              </section>
            ) : null}
            <div>
              <label className={css.label} htmlFor={name}>
                {t('queries.builder.name')}
              </label>
              <Input id={name} value={chart.title} placeholder={title} maxLength={80} onChange={(event) => onChange({ ...chart, title: event.target.value })} />
            </div>
            <type.Editor table={table} stored={chart.options} onChange={(options) => onChange({ ...chart, options })} />
            {chart.type === 'table' || chart.type === 'counter' ? null : <Toggle label={t('viz.patterns')} value={patterns} onChange={setPatterns} />}
          </>
        ) : null}
      </div>
      {chart ? (
        <footer className={css.foot}>
          <Button size="small" kind="danger" icon={<Trash2 size={16} strokeWidth={1.6} />} onClick={onRemove}>
            {t('queries.builder.remove')}
          </Button>
          <span className={css.gap} />
          {isKept(chart, query) ? (
            <>
              <span className={css.kept}>
                <Check size={15} strokeWidth={1.8} aria-hidden />
                {t('editors.charts.kept')}
              </span>
              <Button size="small" icon={<LayoutDashboard size={16} strokeWidth={1.6} />} onClick={() => setPlacing(chart.saved?.id ?? null)}>
                {t('editors.toDashboard.title')}
              </Button>
            </>
          ) : (
            <Button size="small" kind="primary" icon={<Save size={16} strokeWidth={1.6} />} onClick={onSave}>
              {t('editors.charts.save')}
            </Button>
          )}
        </footer>
      ) : null}
      {placing !== null ? <AddToDashboard visualizationId={placing} title={title} query={query} onClose={() => setPlacing(null)} /> : null}
    </aside>
  );
}
