/** One query from the editor to its end: sending it, following it, and placing its error in the text. */
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useMemo, useState } from 'react';
import { ApiError, messageOf } from '@/api/error';
import { executeQuery, isActive, killJob, type Job, type TextPosition } from '@/api/jobs';
import { startRun } from '@/api/queries';
import { useFailures } from '@/i18n/failures';
import { useJobState } from '@/live/use-job-state';
import type { EditorProblem } from '@/ui/editor/editor';
import type { Draft } from './drafts';
import { wireValues } from './parameters';
import { placeProblem, suggestionIn, type PlacedProblem } from './problem';

export interface Failure {
  message: string;
  position: TextPosition | null;
  elapsedMs: number | null;
  /** The name that was probably meant. */
  suggestion: string | null;
  place: PlacedProblem | null;
  /** The text that failed is still in the editor. */
  reachable: boolean;
  /** The field of a form that it is about. */
  param: string | null;
}

export interface Run {
  job: Job | undefined;
  /** On its way, or nothing is known of its job yet. */
  sending: boolean;
  active: boolean;
  /** The job was started on this page, however soon it ended: it may never be seen running. */
  startedHere: boolean;
  failure: Failure | null;
  problems: readonly EditorProblem[];
  start: (text: string, from: number, spec?: object | null) => void;
  kill: () => void;
  killing: boolean;
}

const none: readonly EditorProblem[] = [];

/** Where the text that ran is now: at its old place, or wherever it has moved to. */
export function findRan(text: string, ran: string, from: number): number | null {
  if (text.startsWith(ran, from)) return from;
  const found = text.indexOf(ran);
  return ran !== '' && found >= 0 ? found : null;
}

function endOf(text: string): TextPosition {
  const lines = text.split('\n');
  return { line: lines.length, column: Array.from(lines.at(-1) ?? '').length + 1 };
}

interface Sent {
  draft: Draft;
  text: string;
  from: number;
  /** Of a form, in place of the text. */
  spec: object | null;
}

/** Somebody else's query runs as it is saved; one's own as it stands in the editor. */
function submit({ draft, text, spec }: Sent): Promise<{ jobId: string }> {
  const parameters = wireValues(draft.kind, draft.parameters, draft.values);
  if (draft.viewing && draft.query) return startRun(draft.query.id, parameters, draft.viewing.share);
  return executeQuery(draft.kind, text, { spec, parameters, queryId: draft.query?.id ?? null });
}

/** `change` takes the draft's id: another one may be in front when the server answers. */
export function useRun(draft: Draft, change: (id: string, change: Partial<Draft>) => void): Run {
  const [sent, setSent] = useState<Draft['job']>(null);
  const tell = useFailures();
  const { job, gone, failed: away } = useJobState(draft.job?.id ?? null);
  const send = useMutation({
    mutationFn: submit,
    onMutate: ({ text, from }) => setSent({ id: '', text, from }),
    onSuccess: ({ jobId }, { text, from, draft: of }) => change(of.id, { job: { id: jobId, text, from } }),
  });
  const own = send.variables?.draft.id === draft.id;
  const stop = useMutation({ mutationFn: killJob });

  const jobId = job?.jobId;
  const succeeded = job?.state === 'SUCCEEDED';
  const client = useQueryClient();
  const ended = job !== undefined && !isActive(job.state);
  const makesTables = job?.kind === 'HIVE' || job?.kind === 'MAPREDUCE';
  useEffect(() => {
    // Also one that failed may have made or dropped some before.
    if (ended && makesTables) void client.invalidateQueries({ queryKey: ['tables'] });
  }, [jobId, ended, makesTables, client]);
  useEffect(() => {
    if (succeeded && jobId !== undefined && draft.resultJob !== jobId && draft.job?.id === jobId) change(draft.id, { resultJob: jobId });
  }, [succeeded, jobId, draft.resultJob, draft.job, draft.id, change]);
  useEffect(() => {
    if (gone) change(draft.id, { job: null, resultJob: null });
  }, [gone, draft.id, change]);

  const sendError = own && send.error instanceof ApiError ? send.error : null;
  // Until something is known of its job: else it could be sent twice.
  const sending = own && (send.isPending || (send.data?.jobId === draft.job?.id && draft.job !== null && !job && !gone && away === null));
  const failed = !sending && (sendError !== null || job?.state === 'FAILED');
  const ran = sendError ? sent : draft.job;
  const message = sendError ? messageOf(sendError) : job ? tell(job) : '';
  const told = sendError ? (sendError.position ?? null) : (job?.position ?? null);
  // A syntax error without a place was found where the text ends.
  const atEnd = told === null && (sendError ? sendError.code : job?.code) === 'syntax_error';
  const position = atEnd ? endOf(ran?.text ?? '') : told;
  const key = failed ? `${ran?.id ?? ''} ${message} ${position?.line ?? ''} ${position?.column ?? ''}` : '';
  const elapsedMs = sendError ? null : (job?.elapsedMs ?? null);
  const line = position?.line;
  const column = position?.column;

  // Placed once per failure, in the text as it was then; afterwards the editor itself carries the mark along with every change.
  const [placed, setPlaced] = useState<{ key: string; failure: Failure | null }>({ key: '', failure: null });
  if (placed.key !== key) {
    const text = ran?.text ?? '';
    const param = sendError ? (sendError.param ?? null) : (job?.param ?? null);
    // Of a form the place is in one of its fields.
    const form = draft.spec !== null;
    const at = failed && !form ? findRan(draft.text, text, ran?.from ?? 0) : null;
    const where = line === undefined ? null : { line, column: column ?? 1 };
    const place = form ? null : at === null ? placeProblem(where, text, text, 0) : placeProblem(where, draft.text, text, at);
    setPlaced({ key, failure: failed ? { message, suggestion: suggestionIn(sendError?.message ?? job?.message ?? ''), position: where, elapsedMs, place, reachable: at !== null, param } : null });
  }
  const { failure } = placed;
  const problems = useMemo(() => (failure?.place && failure.reachable ? [{ from: failure.place.from, to: failure.place.to, message: failure.message }] : none), [failure]);

  return {
    job,
    sending,
    active: job !== undefined && isActive(job.state),
    startedHere: own && jobId !== undefined && send.data?.jobId === jobId,
    failure,
    problems,
    start: (text, from, spec = null) => send.mutate({ draft, text, from, spec }),
    kill: () => job && stop.mutate(job.jobId),
    killing: stop.isPending,
  };
}
