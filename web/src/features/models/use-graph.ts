/** The graph of a model: its queries are run as the person who looks, and kept for the visit. */
import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useChain } from '@/api/chain';
import { useSession } from '@/lib/session';
import type { GraphQuery, Lake, Model, Queries } from './model';
import { graphOf, graphOfResult, readTime, type Graph } from './rows';
import { runGraph, runRows } from './run';
import type { Values } from './values';

/** What lists of jobs call the queries of a model. */
interface Titles {
  readonly graph: string;
  readonly nodes: string;
  readonly links: string;
}

async function load(queries: Queries | GraphQuery, titles: Titles, signal: AbortSignal): Promise<Graph> {
  if (queries.kind === 'GRAPH') return graphOfResult(await runGraph(queries.text, titles.graph, signal));
  const { nodes, links } = queries;
  const both = new AbortController();
  signal.addEventListener('abort', () => both.abort());
  try {
    const [nodePage, linkPage] = await Promise.all([runRows(nodes, titles.nodes, both.signal), links === undefined ? null : runRows(links, titles.links, both.signal)]);
    return graphOf(nodePage, linkPage);
  } catch (error) {
    // Nobody waits for the other one any more.
    both.abort();
    throw error;
  }
}

/** The graph, and the queries that it is of: a live model's change with every block, and each is let end, or slow ones never would. */
export function useGraph(model: Model, values: Values, wanted: Queries | GraphQuery | null): [UseQueryResult<Graph>, Queries | GraphQuery | null] {
  const { token } = useSession();
  const { t } = useTranslation();
  const title = t(`models.model.${model.id}.title`);
  const titles = { graph: t('models.runGraph', { title }), nodes: t('models.runNodes', { title }), links: t('models.runLinks', { title }) };
  const now = { queries: wanted, text: JSON.stringify(wanted), values: JSON.stringify(values) };
  const [asked, setAsked] = useState(now);
  const { queries } = asked;
  const graph = useQuery({
    queryKey: ['model', model.id, queries],
    queryFn: ({ signal }) => (queries ? load(queries, titles, signal) : Promise.reject(new Error('a value is missing'))),
    enabled: token !== null && queries !== null,
    staleTime: Infinity,
    retry: false,
    // What is on the stage stays there until the new nodes are here.
    placeholderData: (former: Graph | undefined, of) => (of?.queryKey[1] === model.id ? former : undefined),
  });
  if (asked.text !== now.text && !(model.live && asked.values === now.values && graph.isFetching)) setAsked(now);
  return [graph, queries];
}

const firstBlock = 'SELECT min("timestamp") AS first FROM blocks';

interface KnownLake {
  /** Undefined until it is known. */
  lake: Lake | undefined;
  /** There is no block in it. */
  empty: boolean;
  /** Why it is not known. */
  error: Error | null;
  retry: () => void;
}

/** The chain in the lake. Only models of a day or a month need to know where it starts. */
export function useLake(model: Model): KnownLake {
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
  const retry = () => {
    for (const query of [chain, first]) if (query.isError) void query.refetch();
  };
  // Once it is known, a look at its head that fails takes nothing from the stage.
  return { lake, empty: data !== undefined && !data.head, error: lake ? null : (chain.error ?? first.error), retry };
}
