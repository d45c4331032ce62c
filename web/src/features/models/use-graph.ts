/** The graph of a model: its queries are run as the person who looks, or by the server for visitors, and kept for the visit. */
import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '@/api/call';
import { useChain } from '@/api/chain';
import type { ResultGraph, ResultPage } from '@/api/jobs';
import { useSession } from '@/lib/session';
import type { Lake, Model, Queries } from './model';
import { graphOf, graphOfResult, readTime, type Graph } from './rows';
import { runGraph, runRows } from './run';
import type { Values } from './values';

/** A graph and the queries that it is of. */
export interface Answered {
  readonly graph: Graph;
  readonly queries: Queries;
}

/** What lists of jobs call the queries of a model. */
interface Titles {
  readonly graph: string;
  readonly nodes: string;
  readonly links: string;
}

/** What the server's queries are asked with: no text of a person is among it. */
const offered = (model: Model, values: Values) => ({ model: model.id, ...Object.fromEntries(Object.entries(values).filter(([name]) => name !== 'cypher')) });

/** What a visitor sees: the server runs the model's own queries. */
async function look(model: Model, values: Values, signal: AbortSignal): Promise<Answered> {
  const { queries, nodes, links, graph } = await call('get', '/api/model/rows', { query: offered(model, values), signal, quiet: true, anonymous: true });
  return { queries, graph: graph ? graphOfResult(graph as ResultGraph) : graphOf(nodes as ResultPage, (links ?? null) as ResultPage | null) };
}

/** The same run as the person who looks, or the person's own text in its place. */
async function run(model: Model, values: Values, titles: Titles, signal: AbortSignal): Promise<Answered> {
  const own = model.controls.some(({ kind }) => kind === 'text') ? values['cypher'] : '';
  const queries: Queries = own ? { kind: 'GRAPH', nodes: own } : await call('get', '/api/model/queries', { query: offered(model, values), signal, quiet: true });
  if (queries.kind === 'GRAPH') return { queries, graph: graphOfResult(await runGraph(queries.nodes, titles.graph, signal)) };
  const { nodes, links } = queries;
  const both = new AbortController();
  signal.addEventListener('abort', () => both.abort());
  try {
    const [nodePage, linkPage] = await Promise.all([runRows(nodes, titles.nodes, both.signal), links ? runRows(links, titles.links, both.signal) : null]);
    return { queries, graph: graphOf(nodePage, linkPage) };
  } catch (error) {
    // Nobody waits for the other one any more.
    both.abort();
    throw error;
  }
}

/** The graph of a model over a lake that ends at block `head`, null while that is not known. A live model's changes with every block; each is let end, or slow ones never would. */
export function useGraph(model: Model, values: Values, head: number | null): UseQueryResult<Answered> {
  const { token } = useSession();
  const { t } = useTranslation();
  const title = t(`models.model.${model.id}.title`);
  const titles = { graph: t('models.runGraph', { title }), nodes: t('models.runNodes', { title }), links: t('models.runLinks', { title }) };
  const now = { values, text: JSON.stringify(values), head: model.live || head === null ? head : 0 };
  const [asked, setAsked] = useState(now);
  const visitor = token === null;
  const graph = useQuery({
    queryKey: ['model', model.id, visitor, asked.values, asked.head],
    queryFn: ({ signal }) => (visitor ? look(model, asked.values, signal) : run(model, asked.values, titles, signal)),
    enabled: asked.head !== null,
    staleTime: Infinity,
    retry: false,
    // What is on the stage stays there until the new nodes are here.
    placeholderData: (former: Answered | undefined, of) => (of?.queryKey[1] === model.id ? former : undefined),
  });
  const changed = asked.text !== now.text || asked.head !== now.head;
  if (changed && !(model.live && asked.text === now.text && graph.isFetching)) setAsked(now);
  return graph;
}

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
  const chain = useChain();
  const dated = model.controls.some(({ kind }) => kind === 'date');
  const first = useQuery({
    queryKey: ['model', 'first-block'],
    queryFn: async ({ signal }) => readTime((await call('get', '/api/model/span', { signal, quiet: true, anonymous: true })).first ?? undefined) ?? 0,
    enabled: dated,
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
