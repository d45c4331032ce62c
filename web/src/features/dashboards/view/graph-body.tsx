// A saved graph in a widget.
import { useMemo, type Ref } from 'react';
import { useTranslation } from 'react-i18next';
import { Empty, Skeleton } from '@/ui/parts';
import { FigureFrame, type FigureActions } from '@/viz/frame';
import { vizType } from '@/viz/registry';
import { graphTable, type Graph } from '../model/graph-table';
import css from './board.module.css';

interface GraphBodyProps {
  graph: Graph | null;
  title: string;
  asTable: boolean;
  actions: Ref<FigureActions>;
}

const { View } = vizType('graph');
const options = { layout: 'objects' };

export function GraphBody({ graph, title, asTable, actions }: GraphBodyProps) {
  const { t } = useTranslation();
  const table = useMemo(() => (graph ? graphTable(graph) : null), [graph]);
  const frame = useMemo(() => ({ asTable, ref: actions }), [asTable, actions]);
  if (!table) return <Skeleton height="100%" width="100%" />;
  if (table.total === 0) {
    return (
      <div className={css.middle}>
        <Empty icon={null} title={t('common.noData')} />
      </div>
    );
  }
  return (
    <div className={css.body} data-ready>
      <FigureFrame value={frame}>
        <View table={table} stored={options} title={title} />
      </FigureFrame>
    </div>
  );
}
