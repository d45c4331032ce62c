/** What the address asks for becomes a tab: a saved query, a run, a text that a link carries, or a new query of a kind. */
import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { useLocation, useNavigate } from 'react-router';
import { getJob, type Job, type JobKind } from '@/api/jobs';
import { getQuery, type SavedQuery } from '@/api/queries';
import { decodeId } from '@/lib/ids';
import { paths } from '@/lib/paths';
import { linkTypes, textOfLink, type LinkedKind } from '@/lib/query-link';
import { getSession } from '@/lib/session';
import { queryKinds } from '@/query-kinds/registry';
import { draftOf, draftTitle, emptyDraft, readDrafts, type Draft } from './drafts';
import { findTab, openDraft, selectTab } from './tabs';
import { queryKey } from './use-saved';

export interface Arrival {
  loading: boolean;
  error: Error | null;
  retry: () => void;
  /** The query that the address wants forked. */
  fork: SavedQuery | null;
  /** The visualization that the address wants shown, by its id or its type. */
  visualization: { id: string | null; type: string | null };
}

export const kindOf = (id: JobKind) => queryKinds.find((kind) => kind.id === id) ?? queryKinds[0];

/** The kind that the `type` of an address means, if it can be written here. */
function kindOfType(type: string | null): JobKind | null {
  const found = (Object.keys(linkTypes) as LinkedKind[]).find((kind) => linkTypes[kind] === type);
  return found !== undefined && queryKinds.some((kind) => kind.id === found) ? found : null;
}

/** What a draft is called: its title, what its form names, or its text's own name; empty when it says nothing. */
export const nameOf = (draft: Draft): string => draft.title || (draft.spec === null ? draftTitle(draft.text) : (kindOf(draft.kind).form?.titleOf(draft.spec) ?? ''));

/** A new query as it began: nothing written, run or drawn. */
function isUntouched(draft: Draft): boolean {
  const { starter, form } = kindOf(draft.kind);
  const asBegun = form ? JSON.stringify(draft.spec) === JSON.stringify(form.first()) : draft.text === starter;
  return asBegun && draft.query === null && draft.viewing === undefined && draft.job === null && draft.charts.length === 0;
}

/** A new query of a kind, as it begins. */
export const starterDraft = (kind: JobKind, owner: string): Draft => ({ ...emptyDraft(kind, kindOf(kind).starter, owner, Date.now()), spec: kindOf(kind).form?.first() ?? null });

/** The tab of a saved query: the one that is open, a draft of it on this device, or a new one as it is saved. */
function openSaved(query: SavedQuery, owner: string, share: string | null): void {
  const visitor = getSession().token === null;
  const viewing = visitor || !query.editable;
  const there = findTab((draft) => draft.query?.id === query.id && (draft.viewing !== undefined) === viewing);
  if (there) {
    selectTab(there.id);
    return;
  }
  const kept = viewing ? undefined : readDrafts(owner).find((draft) => draft.query?.id === query.id);
  openDraft(kept ?? { ...draftOf(query, owner, Date.now()), ...(viewing ? { viewing: { share, titleZh: query.titleZh ?? null } } : {}) });
}

export function useArrival(owner: string, ready: boolean): Arrival {
  const { search, hash } = useLocation();
  const navigate = useNavigate();
  const params = new URLSearchParams(search);
  const [id, jobId, type, share] = [decodeId(params.get('id')), decodeId(params.get('job')), params.get('type'), params.get('share')];
  const unreadable = params.get('id') !== null && id === null;
  const query = useQuery({ queryKey: queryKey(id ?? undefined, share), queryFn: ({ signal }) => getQuery(id ?? '', share, signal), enabled: id !== null && ready });
  const job = useQuery({ queryKey: ['job', jobId, 'text'], queryFn: ({ signal }) => getJob(jobId ?? '', signal), enabled: jobId !== null && ready });
  const wantsFork = type === 'fork' && id !== null;
  /** What was opened last: the same address opens nothing twice. */
  const opened = useRef('');

  useEffect(() => {
    if (unreadable) void navigate(paths.notFound, { replace: true });
  }, [unreadable, navigate]);

  useEffect(() => {
    if (!ready || unreadable) return;
    const key = `${owner} ${search} ${hash}`;
    if (opened.current === key) return;
    const done = () => {
      opened.current = key;
    };
    const text = textOfLink(search, hash);
    if (text) {
      done();
      const { form } = kindOf(text.kind);
      openDraft({ ...starterDraft(text.kind, owner), ...(form ? { spec: form.read(text.text) } : { text: text.text }) });
      // The address forgets the text, so that a reload keeps what is changed.
      void navigate(paths.query, { replace: true });
    } else if (id !== null) {
      if (!query.data || query.isPlaceholderData) return;
      done();
      openSaved(query.data, owner, share);
    } else if (jobId !== null) {
      const there = findTab((draft) => draft.job?.id === jobId) ?? readDrafts(owner).find((draft) => draft.job?.id === jobId);
      if (!there && !job.data) return;
      done();
      if (there) openDraft(there);
      else if (job.data) openDraft(draftOfJob(job.data, owner));
    } else {
      done();
      const kind = kindOfType(type);
      if (kind !== null) {
        // A new query that nobody touched is as good as another one.
        openDraft(findTab((draft) => draft.kind === kind && isUntouched(draft)) ?? starterDraft(kind, owner));
        void navigate(paths.query, { replace: true });
      } else if (!findTab(() => true)) openDraft(starterDraft('SQL', owner));
    }
  }, [ready, unreadable, owner, search, hash, id, jobId, type, share, query.data, query.isPlaceholderData, job.data, navigate]);

  const pending = (id !== null && query.isPending) || (jobId !== null && job.isPending && !findTab((draft) => draft.job?.id === jobId));
  return {
    loading: pending,
    error: (id !== null ? query.error : null) ?? (jobId !== null ? job.error : null),
    retry: () => void (id !== null ? query.refetch() : job.refetch()),
    fork: wantsFork ? (query.data ?? null) : null,
    visualization: { id: decodeId(params.get('visualizationId')), type: params.get('visualizationType') },
  };
}

/** A run's text as a new draft; its result is on show. */
function draftOfJob({ jobId, kind, text = '', spec = null, state }: Job, owner: string): Draft {
  return { ...emptyDraft(kindOf(kind).id, spec === null ? text : '', owner, Date.now()), spec, job: { id: jobId, from: 0, text }, resultJob: state === 'SUCCEEDED' ? jobId : null };
}
