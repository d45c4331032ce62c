// A board's data: its filters' values in the address, one run per query shared by its widgets, and running it anew.
import { useMutation, useQueries } from '@tanstack/react-query';
import { useCallback, useEffect, useMemo } from 'react';
import { getJob, isActive } from '@/api/jobs';
import { useSession } from '@/lib/session';
import { useInPage } from '@/ui/in-page';
import { refreshDashboard, runQuery, useQueryParameters, type Content, type Parameter, type Target, type Widget, type WidgetShows } from '../api';
import { isOutdated, runKey, useRuns, type Run } from '../model/use-runs';
import { changedValues, givenValues, valuesFor, valuesOf, withValues, type Values } from '../model/values';

export interface BoardData {
  readonly parameters: readonly Parameter[];
  readonly values: Values;
  readonly apply: (values: Values) => void;
  readonly runOf: (widget: Widget, show: WidgetShows | undefined) => Run | undefined;
  /** What the server has to filter a widget by, for who can't run its query. */
  readonly filteredBy: (widget: Widget, show: WidgetShows | undefined) => Record<string, unknown> | null;
  /** Runs a widget's query again; null where the reader may not. */
  readonly runNow: (widget: Widget, show: WidgetShows | undefined) => (() => void) | null;
  /** Runs all queries of one's own dashboard. */
  readonly refresh: { run: () => void; busy: boolean };
}

const noParameters: readonly Parameter[] = [];
/** Milliseconds between two questions whether a run has ended whose rows are no longer the newest. */
const askEndMs = 2_000;

/** The run of a widget's query that viewers see. */
const shownBy = (show: WidgetShows | undefined): string | null => show?.shown?.jobId ?? null;

/** Which of these jobs run no longer; one that can't be asked for is not waited for. */
function useEnded(jobIds: readonly string[]): readonly string[] {
  return useQueries({
    queries: jobIds.map((jobId) => ({
      queryKey: ['job', jobId],
      queryFn: ({ signal }: { signal: AbortSignal }) => getJob(jobId, signal),
      staleTime: 0,
      refetchInterval: askEndMs,
    })),
    combine: (asked) => jobIds.filter((_, at) => asked[at]?.isError === true || (asked[at]?.data !== undefined && !isActive(asked[at].data.state))),
  });
}

export function useBoard(target: Target, content: Content | undefined, shows: readonly WidgetShows[]): BoardData {
  const [search, setSearch] = useInPage();
  const signedIn = useSession().token !== null && !target.anonymous;
  const parameters = content?.parameters ?? noParameters;
  const values = useMemo(() => valuesOf(parameters, search), [parameters, search]);
  const queryIds = useMemo(() => [...new Set(shows.flatMap(({ queryId }) => queryId ?? []))].sort(), [shows]);
  const own = useQueryParameters(queryIds, parameters.length > 0).data;
  const store = useRuns();
  const { runs, start, note, forget } = store;

  const wanted = useCallback(
    (widget: Widget, show: WidgetShows | undefined): { key: string; values: Record<string, unknown> | null } | null => {
      if (!show?.queryId) return null;
      const given = valuesFor(widget, own?.get(show.queryId) ?? noParameters, parameters, values);
      return { key: runKey(show.queryId, given), values: given };
    },
    [own, parameters, values],
  );

  const outdated: string[] = [];
  for (const widget of content?.widgets ?? []) {
    const show = shows.find(({ widgetId }) => widgetId === widget.id);
    const run = wanted(widget, show);
    const known = run?.values ? runs.get(run.key) : undefined;
    if (known?.jobId && isOutdated(known, shownBy(show)) && !outdated.includes(known.jobId)) outdated.push(known.jobId);
  }
  const ended = useEnded(outdated);

  // Values that differ from the queries' defaults need a run of their own: started once however many widgets ask for it, and
  // again when the others' data have become newer. Its end is waited for: it may take longer than the others stay the newest.
  useEffect(() => {
    if (!signedIn || !own) return;
    const asked = new Set<string>();
    for (const widget of content?.widgets ?? []) {
      const show = shows.find(({ widgetId }) => widgetId === widget.id);
      const run = wanted(widget, show);
      if (!run?.values || !show?.queryId || asked.has(run.key)) continue;
      const known = runs.get(run.key);
      if (known && !(isOutdated(known, shownBy(show)) && (known.jobId === null || ended.includes(known.jobId)))) continue;
      const { queryId } = show;
      const { values: given } = run;
      asked.add(run.key);
      start(run.key, shownBy(show), () => runQuery(queryId, given));
    }
  }, [signedIn, own, content, shows, wanted, runs, start, ended]);

  const refresh = useMutation({
    mutationFn: () => refreshDashboard(target.id),
    onSuccess: ({ started }) => {
      for (const { queryId, jobId } of started) note(runKey(queryId, null), shownBy(shows.find((show) => show.queryId === queryId)), jobId);
      // Those at other values begin anew by themselves.
      for (const widget of content?.widgets ?? []) {
        const run = wanted(widget, shows.find(({ widgetId }) => widgetId === widget.id));
        if (run?.values) forget(run.key);
      }
    },
  });

  const changed = useMemo(() => changedValues(parameters, values), [parameters, values]);

  return {
    parameters,
    values,
    filteredBy: (widget, show) => {
      if (!show?.visible) return null;
      // Where the query can be read, it is known whether the filters concern it; who is signed in then runs it.
      if (show.queryId) return !signedIn && own && wanted(widget, show)?.values ? givenValues(parameters, values) : null;
      return show.shown ? changed : null;
    },
    // The way back leads to the values of before; in a frame it belongs to the page around it.
    apply: (next) => setSearch(withValues(search, parameters, next), { replace: target.anonymous }),
    runOf: (widget, show) => {
      const run = wanted(widget, show);
      const known = run ? runs.get(run.key) : undefined;
      // What viewers see takes the place of an older run; one at other values stays until its next one is here.
      return known && !run?.values && isOutdated(known, shownBy(show)) ? undefined : known;
    },
    runNow: (widget, show) => {
      const run = wanted(widget, show);
      const queryId = show?.queryId;
      if (!signedIn || !run || !queryId) return null;
      return () => {
        forget(run.key);
        start(run.key, shownBy(show), () => runQuery(queryId, run.values ?? {}));
      };
    },
    refresh: { run: () => refresh.mutate(), busy: refresh.isPending },
  };
}
