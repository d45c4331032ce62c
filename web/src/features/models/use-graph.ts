/** The graph of a model: its queries are run as the person who looks, and kept for the visit. */
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useChain } from '@/api/chain';
import { useSession } from '@/lib/session';
import type { GraphQuery, Lake, Model, Queries } from './model';
import { graphOf, graphOfResult, readTime, type Graph } from './rows';
import { runGraph, runRows } from './run';

/** What lists of jobs call the queries of a model. */
interface Titles {
  readonly graph: string;
  readonly nodes: string;
  readonly links: string;
}

async function load(queries: Queries | GraphQuery, titles: Titles, signal: AbortSignal): Promise<Graph> {
  if (queries.kind === 'GRAPH') return graphOfResult(await runGraph(queries.text, titles.graph, signal));
  const { nodes, links } = queries;
  const [nodePage, linkPage] = await Promise.all([runRows(nodes, titles.nodes, signal), links === undefined ? null : runRows(links, titles.links, signal)]);
  return graphOf(nodePage, linkPage);
}

export function useGraph(model: Model, queries: Queries | GraphQuery | null) {
  const { token } = useSession();
  const { t } = useTranslation();
  const title = t(`models.model.${model.id}.title`);
  const titles = { graph: t('models.runGraph', { title }), nodes: t('models.runNodes', { title }), links: t('models.runLinks', { title }) };
  return useQuery({
    queryKey: ['model', model.id, queries],
    queryFn: ({ signal }) => (queries ? load(queries, titles, signal) : Promise.reject(new Error('a value is missing'))),
    enabled: token !== null && queries !== null,
    staleTime: Infinity,
    retry: false,
    // A live model keeps the former blocks on stage until the new ones are here.
    placeholderData: (former: Graph | undefined, of) => (model.live && of?.queryKey[1] === model.id ? former : undefined),
  });
}

const firstBlock = 'SELECT min("timestamp") AS first FROM blocks';

/** The chain in the lake; undefined until it is known. Only models of a day or a month need to know where it starts. */
export function useLake(model: Model): { lake: Lake | undefined; error: Error | null } {
  const { token } = useSession();
  const chain = useChain();
  const { t } = useTranslation();
  const dated = model.controls.some(({ kind }) => kind === 'date');
  const first = useQuery({
    queryKey: ['model', 'first-block'],
    queryFn: async ({ signal }) => readTime((await runRows(firstBlock, t('models.runFirst'), signal)).rows[0]?.[0]) ?? 0,
    enabled: dated && token !== null,
    staleTime: Infinity,
    retry: false,
  });
  const { data } = chain;
  const start = dated ? first.data : 0;
  const lake = data?.head && start !== undefined ? { first: start, head: data.head.time, headNumber: data.head.number, sample: data.origin === 'sample' } : undefined;
  return { lake, error: chain.error ?? first.error };
}
