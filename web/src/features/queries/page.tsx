/** The query page: the drafts of this window as tabs, and what the address asks for as one of them. */
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { ApiError, messageOf } from '@/api/error';
import { useTitles } from '@/i18n/titles';
import { usePage } from '@/lib/page';
import { useSession } from '@/lib/session';
import { Failed } from '@/ui/parts';
import { flushTabs, leaveTabs, returnToTabs, startTabs, useTabs } from './model/tabs';
import { useArrival } from './model/use-arrival';
import { ForkDialog } from './parts/fork-dialog';
import { MissingQuery } from './parts/missing-query';
import { EditorSkeleton } from './parts/notice';
import { Workbench } from './parts/workbench';

/** Visitors have no drafts that are kept: they read what others made. */
const VISITOR = 'visitor';

export function Component() {
  const { token, account } = useSession();
  const { t } = useTranslation();
  const owner = token === null ? VISITOR : account?.id;
  return owner === undefined ? <EditorSkeleton label={t('common.loading')} /> : <QueryPage owner={owner} />;
}

function QueryPage({ owner }: { owner: string }) {
  const { t } = useTranslation();
  const tabs = useTabs();
  const ready = tabs.owner === owner;
  const arrival = useArrival(owner, ready);
  const draft = tabs.drafts.find((one) => one.id === tabs.active);
  usePage(useTitles()({ title: draft?.title ?? '', titleZh: draft?.viewing?.titleZh ?? null }) || t('queries.title'));

  useEffect(() => startTabs(owner), [owner]);
  useEffect(() => {
    addEventListener('pagehide', leaveTabs);
    addEventListener('pageshow', returnToTabs);
    return () => {
      removeEventListener('pagehide', leaveTabs);
      removeEventListener('pageshow', returnToTabs);
      flushTabs();
    };
  }, []);

  if (arrival.error) {
    const missing = arrival.error instanceof ApiError && [403, 404].includes(arrival.error.status);
    return missing ? <MissingQuery /> : <Failed message={messageOf(arrival.error)} onRetry={arrival.retry} />;
  }
  if (arrival.loading || !draft) return <EditorSkeleton label={t('common.loading')} />;
  return (
    <>
      <Workbench draft={draft} drafts={tabs.drafts} owner={owner} wanted={arrival.visualization} />
      {arrival.fork ? <ForkDialog query={arrival.fork} /> : null}
    </>
  );
}
