// The versions of a dashboard: who saved what when, a look at each, and making one the current one again.
import { useInfiniteQuery, useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '@/api/call';
import { messageOf } from '@/api/error';
import { formatTime } from '@/lib/time';
import { Button } from '@/ui/button';
import { Drawer } from '@/ui/drawer';
import { Failed, Skeleton, Tag } from '@/ui/parts';
import { byPlace } from '../model/layout';
import { restoreVersion, type Content, type DashboardView } from '../api';
import css from './panels.module.css';

const SIZE = 20;

interface VersionsProps {
  id: string;
  /** Grows with every save, so that the list is asked for anew. */
  revision: number;
  onRestored: (view: DashboardView) => void;
  onClose: () => void;
}

export function Versions({ id, revision, onRestored, onClose }: VersionsProps) {
  const { t } = useTranslation();
  const [looked, setLooked] = useState<number | null>(null);
  const list = useInfiniteQuery({
    queryKey: ['dashboard versions', id, revision],
    queryFn: ({ pageParam, signal }) => call('get', '/api/dashboard/version/list', { query: { id, page: pageParam, size: SIZE }, signal, quiet: true }),
    initialPageParam: 1,
    getNextPageParam: (last, all) => (all.length * SIZE < last.total ? all.length + 1 : undefined),
  });
  const restore = useMutation({ mutationFn: (version: number) => restoreVersion(id, version), onSuccess: onRestored });
  const items = list.data?.pages.flatMap((page) => page.items) ?? [];
  return (
    <Drawer open placement="right" size={400} title={t('dashboards.edit.versions')} onClose={onClose}>
      {list.error && !list.data ? <Failed message={messageOf(list.error)} onRetry={() => void list.refetch()} /> : null}
      {!list.data && !list.error ? <Skeleton height="10em" /> : null}
      <ul className={css.versions}>
        {items.map(({ version, createTime, userName, autosave, title }, at) => (
          <li key={version}>
            <div>
              <strong>{t('dashboards.edit.version', { version })}</strong> {at === 0 ? <Tag tone="accent">{t('dashboards.edit.current')}</Tag> : null} {autosave ? <Tag>{t('dashboards.edit.autosave')}</Tag> : null}
              <p>
                {formatTime(createTime)} UTC{userName ? `, ${userName}` : ''}
              </p>
              <p>{title}</p>
              {looked === version ? <Contents id={id} version={version} /> : null}
            </div>
            <div className={css.row}>
              <Button size="small" kind="text" aria-expanded={looked === version} onClick={() => setLooked(looked === version ? null : version)}>
                {t('dashboards.edit.look')}
              </Button>
              {at === 0 ? null : (
                <Button size="small" busy={restore.isPending && restore.variables === version} onClick={() => restore.mutate(version)}>
                  {t('dashboards.edit.restore')}
                </Button>
              )}
            </div>
          </li>
        ))}
      </ul>
      {list.hasNextPage ? (
        <Button size="small" block busy={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
          {t('dashboards.edit.olderVersions')}
        </Button>
      ) : null}
    </Drawer>
  );
}

/** What was on it then, in words. */
function Contents({ id, version }: { id: string; version: number }) {
  const { t } = useTranslation();
  const { data, error } = useQuery({ queryKey: ['dashboard version', id, version], queryFn: ({ signal }) => call('get', '/api/dashboard/version/detail', { query: { id, version }, signal }), staleTime: Infinity });
  if (!data) return error ? <p>{messageOf(error)}</p> : <Skeleton height="3em" />;
  const widgets = byPlace((data.content as Content).widgets ?? []);
  return (
    <p>
      {t('dashboards.edit.widgets', { count: widgets.length })}: {widgets.map(({ title, content }) => title ?? t(`dashboards.kinds.${content.type}`)).join(', ')}
    </p>
  );
}
