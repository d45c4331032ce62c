/** The query page: takes up this window's draft, the run that the address names, or the text that a link carries. */
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useLocation, useNavigate } from 'react-router';
import { messageOf } from '@/api/error';
import { getJob } from '@/api/jobs';
import { decodeId } from '@/lib/ids';
import { usePage } from '@/lib/page';
import { textOfLink, type LinkedKind } from '@/lib/query-link';
import { queryKinds } from '@/query-kinds/registry';
import { Failed, Skeleton } from '@/ui/parts';
import { emptyDraft, keepDraft, readDrafts, setWindowDraft, windowDraft, type Draft } from './model/drafts';
import { useDraft } from './model/use-draft';
import { Workbench } from './parts/workbench';

function ownDraft(): Draft {
  const [kind] = queryKinds;
  return readDrafts().find((draft) => draft.id === windowDraft()) ?? emptyDraft(kind.id, kind.starter, Date.now());
}

export function Component() {
  const { t } = useTranslation();
  usePage(t('queries.title'));
  const { search, hash } = useLocation();
  const given = textOfLink(search, hash);
  if (given) return <GivenText {...given} />;
  const jobId = decodeId(new URLSearchParams(search).get('job'));
  return jobId === null ? <OwnDraft key="own" /> : <JobDraft key={jobId} jobId={jobId} />;
}

/** A text from a link becomes a draft of its own, and the address forgets it, so that a reload keeps what is changed. */
function GivenText({ kind, text }: { kind: LinkedKind; text: string }) {
  const navigate = useNavigate();
  useEffect(() => {
    const draft = emptyDraft(kind, text, Date.now());
    keepDraft(draft);
    setWindowDraft(draft.id);
    void navigate({ hash: '' }, { replace: true });
  }, [kind, text, navigate]);
  return <Skeleton height="100%" width="100%" />;
}

function OwnDraft() {
  const [first] = useState(ownDraft);
  return <Open first={first} />;
}

/** The draft of a run: the one it was started from where this device has it, else a new one with the run's text. */
function JobDraft({ jobId }: { jobId: string }) {
  const [known] = useState(() => readDrafts().find((draft) => draft.job?.id === jobId));
  const job = useQuery({ queryKey: ['job', jobId, 'text'], queryFn: ({ signal }) => getJob(jobId, signal), enabled: known === undefined });
  const [made, setMade] = useState<Draft | undefined>(known);
  if (made === undefined && job.data) {
    const text = job.data.text ?? '';
    setMade({ ...emptyDraft(job.data.kind, text, job.data.createTime), job: { id: jobId, from: 0, text }, resultJob: job.data.state === 'SUCCEEDED' ? jobId : null });
  }
  if (made) return <Open first={made} />;
  if (job.isError) return <Failed message={messageOf(job.error)} onRetry={() => void job.refetch()} />;
  return <Skeleton height="100%" width="100%" />;
}

function Open({ first }: { first: Draft }) {
  return <Workbench store={useDraft(first)} />;
}
