// An official chart drawn from its rows.
import { useMemo, type Ref } from 'react';
import { useTranslation } from 'react-i18next';
import { messageOf } from '@/api/error';
import { Empty, Failed, Skeleton } from '@/ui/parts';
import { FigureFrame, type FigureActions, type Frame } from '@/viz/frame';
import { LogInToView } from '@/viz/log-in-to-view';
import { isPlain, PlainActions } from '@/viz/plain-actions';
import { vizType } from '@/viz/registry';
import type { ResultTable, VizId } from '@/viz/types';
import css from './official.module.css';

interface ChartProps {
  table: ResultTable | undefined;
  /** The rows end there for who has no login. */
  cutAt: string | null;
  /** The chart has no rows at all: its query has not run. */
  none: boolean;
  error: Error | null;
  retry: () => void;
  type: VizId;
  options: object;
  title: string;
  /** For what stands around the figure. */
  actions?: Ref<FigureActions>;
  small?: boolean;
}

export function OfficialFigure({ table, cutAt, none, error, retry, type, options, title, actions = null, small = false }: ChartProps) {
  const { t } = useTranslation();
  const frame = useMemo((): Frame => ({ asTable: false, ref: actions, ...(small ? { quiet: true } : {}) }), [actions, small]);
  const { View } = vizType(type);
  if (error && !table) {
    return (
      <div className={css.middle}>
        <Failed message={messageOf(error)} onRetry={retry} />
      </div>
    );
  }
  if (none || table?.total === 0) {
    return (
      <div className={css.middle}>
        {cutAt === null ? <Empty icon={null} title={t('common.noData')} /> : <LogInToView />}
      </div>
    );
  }
  if (!table) return <Skeleton height="100%" width="100%" />;
  return (
    <FigureFrame value={frame}>
      {isPlain(type) ? <PlainActions table={table} title={title} actions={actions} /> : null}
      <View table={table} stored={options} title={title} />
    </FigureFrame>
  );
}
