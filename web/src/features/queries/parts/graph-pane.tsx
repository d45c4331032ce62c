/** The nodes and edges of a graph query's result, drawn. */
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { messageOf } from '@/api/error';
import { getJobGraph } from '@/api/jobs';
import { count } from '@/lib/format';
import { Empty, Failed, Skeleton } from '@/ui/parts';
import { vizType } from '@/viz/registry';
import type { ResultTable } from '@/viz/types';
import css from './result-panel.module.css';

const OPTIONS = { layout: 'objects', limit: 5_000, sizeBy: 'degree', labels: 'large' };

export function GraphPane({ jobId, title }: { jobId: string; title: string }) {
  const { t } = useTranslation();
  const graph = useQuery({ queryKey: ['graph', jobId], queryFn: ({ signal }) => getJobGraph(jobId, signal), staleTime: Infinity });
  const table = useMemo<ResultTable | null>(() => {
    if (!graph.data) return null;
    const { nodes, edges } = graph.data;
    const rows = [...nodes, ...edges].map((one) => [one]);
    return { columns: [{ name: 'object', type: 'node' }], rows, total: rows.length };
  }, [graph.data]);
  if (graph.isError) return <Failed message={messageOf(graph.error)} onRetry={() => void graph.refetch()} />;
  if (!graph.data || !table) return <Skeleton height="70%" width="100%" />;
  const { nodes, edges, nodesTotal, edgesTotal } = graph.data;
  if (nodes.length === 0) return <Empty title={t('editors.graph.noneTitle')}>{t('editors.graph.none')}</Empty>;
  const { View } = vizType('graph');
  const cut = nodes.length < nodesTotal || edges.length < edgesTotal;
  return (
    <div className={css.chart}>
      <p className={css.graphFacts}>
        {cut ? t('editors.graph.cut', { nodes: count(nodes.length), edges: count(edges.length), allNodes: count(nodesTotal), allEdges: count(edgesTotal) }) : t('editors.graph.size', { nodes: t('editors.graph.nodes', { count: nodesTotal, nodes: count(nodesTotal) }), edges: t('editors.graph.edges', { count: edgesTotal, edges: count(edgesTotal) }) })}
      </p>
      <View table={table} stored={OPTIONS} title={title} />
    </div>
  );
}
