/** What happened to a saved query: its runs, its versions, and where it came from. */
import { keepPreviousData, useQuery, type UseQueryResult } from '@tanstack/react-query';
import { Pagination, Tabs } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { messageOf } from '@/api/error';
import { getLineage, getVersion, listRuns, listVersions, type Run, type SavedQuery, type Version } from '@/api/queries';
import { useFailures } from '@/i18n/failures';
import { count } from '@/lib/format';
import { savedQuery, queryOfJob } from '@/lib/paths';
import { formatTime } from '@/lib/time';
import { Button, ButtonLink } from '@/ui/button';
import { Drawer } from '@/ui/drawer';
import { useElapsedText } from '@/ui/elapsed';
import { useKeepPlace } from '@/ui/keep-place';
import { notify } from '@/ui/notices';
import { Empty, Failed, Skeleton, Tag, type Tone } from '@/ui/parts';
import { comparable, comparableRun } from '../model/drafts';
import css from './history-drawer.module.css';

export interface Compared {
  title: string;
  text: string;
  /** Makes it the query's text again. */
  restore: () => void;
}

interface HistoryDrawerProps {
  query: SavedQuery;
  share: string | null;
  visitor: boolean;
  /** Both may change the query. */
  editable: boolean;
  onClose: () => void;
  onCompare: (other: Compared) => void;
  onRestoreVersion: (version: number) => void;
  onRestoreRun: (jobId: string) => void;
}

const SIZE = 20;
const TONES: Record<Run['state'], Tone> = { QUEUED: 'plain', RUNNING: 'accent', SUCCEEDED: 'ok', FAILED: 'bad', KILLED: 'warn' };

export function HistoryDrawer(props: HistoryDrawerProps) {
  const { t } = useTranslation();
  const items = [
    ...(props.visitor ? [] : [{ key: 'runs', label: t('editors.history.runs'), children: <Runs {...props} /> }]),
    { key: 'versions', label: t('editors.history.versions'), children: <Versions {...props} /> },
    { key: 'lineage', label: t('editors.history.lineage'), children: <Lineage {...props} /> },
  ];
  return (
    <Drawer open placement="right" size={480} title={t('editors.history.title')} onClose={props.onClose}>
      <Tabs size="small" items={items} />
    </Drawer>
  );
}

function Runs({ query, editable, onCompare, onRestoreRun }: HistoryDrawerProps) {
  const { t } = useTranslation();
  const tell = useFailures();
  const elapsedText = useElapsedText();
  const [page, setPage] = useState(1);
  const runs = useQuery({ queryKey: ['history', query.id, 'runs', page], queryFn: () => listRuns(query.id, page, SIZE), placeholderData: keepPreviousData, staleTime: 0 });
  if (!runs.data) return <Missing of={runs} page={page} onPage={setPage} />;
  if (runs.data.total === 0) return <Empty title={t('common.noData')}>{t('editors.history.noRuns')}</Empty>;
  return (
    <>
      {runs.isError ? <Outdated of={runs} /> : null}
      <ol className={css.list}>
        {runs.data.items.map((run) => (
          <li key={run.jobId} className={css.entry}>
            <div className={css.head}>
              <Tag tone={TONES[run.state]}>{t(`queries.run.state.${run.state}`)}</Tag>
              <time>{t('shell.blockTime', { time: formatTime(run.createTime) })}</time>
              <span>{t(`editors.history.origin.${run.origin}`)}</span>
            </div>
            <div className={css.facts}>
              {run.startTime && run.finishTime ? <span>{elapsedText(run.finishTime - run.startTime)}</span> : null}
              {typeof run.rows === 'number' ? <span>{t('editors.history.rows', { count: run.rows, rows: count(run.rows) })}</span> : null}
              <span>{run.userName}</span>
            </div>
            {run.message ? <p className={css.message}>{tell(run)}</p> : null}
            {run.parameters ? <code className={css.code}>{run.parameters}</code> : null}
            <div className={css.actions}>
              {run.state === 'SUCCEEDED' && run.text ? (
                <ButtonLink size="small" to={queryOfJob(run.jobId)}>
                  {t('editors.history.result')}
                </ButtonLink>
              ) : null}
              {/* What others try in their editors is not told. */}
              {run.text ? (
                <Button size="small" onClick={() => onCompare({ title: t('editors.history.runOf', { time: formatTime(run.createTime) }), text: comparableRun(run.text, query.what), restore: () => onRestoreRun(run.jobId) })}>
                  {t('editors.history.compare')}
                </Button>
              ) : null}
              {editable && run.text && comparableRun(run.text, query.what) !== comparable(query.what) ? (
                <Button size="small" onClick={() => onRestoreRun(run.jobId)}>
                  {t('editors.history.restore')}
                </Button>
              ) : null}
            </div>
          </li>
        ))}
      </ol>
      <Pages page={page} total={runs.data.total} onPage={setPage} />
    </>
  );
}

function Versions({ query, share, editable, onCompare, onRestoreVersion }: HistoryDrawerProps) {
  const { t } = useTranslation();
  const [page, setPage] = useState(1);
  const [opening, setOpening] = useState<number | null>(null);
  const versions = useQuery({ queryKey: ['history', query.id, 'versions', page], queryFn: () => listVersions(query.id, share, page, SIZE), placeholderData: keepPreviousData, staleTime: 0 });
  if (!versions.data) return <Missing of={versions} page={page} onPage={setPage} />;
  const newest = versions.data.items[0]?.version;

  const compare = async (version: Version) => {
    setOpening(version.version);
    try {
      const { what } = await getVersion(query.id, version.version, share);
      onCompare({ title: t('editors.history.versionOf', { version: version.version }), text: comparable(what), restore: () => onRestoreVersion(version.version) });
    } catch (error) {
      notify.error(messageOf(error));
    } finally {
      setOpening(null);
    }
  };

  return (
    <>
      {versions.isError ? <Outdated of={versions} /> : null}
      <ol className={css.list}>
        {versions.data.items.map((version) => (
          <li key={version.version} className={css.entry}>
            <div className={css.head}>
              <strong>{t('editors.history.versionOf', { version: version.version })}</strong>
              {page === 1 && version.version === newest ? <Tag tone="accent">{t('editors.history.current')}</Tag> : null}
              <time>{t('shell.blockTime', { time: formatTime(version.createTime) })}</time>
            </div>
            <div className={css.facts}>
              <span className="ellipsis">{version.title}</span>
              {version.userName ? <span>{version.userName}</span> : null}
            </div>
            <div className={css.actions}>
              <Button size="small" busy={opening === version.version} onClick={() => void compare(version)}>
                {t('editors.history.compare')}
              </Button>
              {editable && version.version !== newest ? (
                <Button size="small" onClick={() => onRestoreVersion(version.version)}>
                  {t('editors.history.restore')}
                </Button>
              ) : null}
            </div>
          </li>
        ))}
      </ol>
      <Pages page={page} total={versions.data.total} onPage={setPage} />
    </>
  );
}

function Lineage({ query, share }: HistoryDrawerProps) {
  const { t } = useTranslation();
  const lineage = useQuery({ queryKey: ['history', query.id, 'lineage'], queryFn: () => getLineage(query.id, share), staleTime: 60_000 });
  if (!lineage.data) return <Missing of={lineage} />;
  const { ancestors } = lineage.data;
  return (
    <>
      {lineage.isError ? <Outdated of={lineage} /> : null}
      <p className={css.facts}>{t('editors.history.forks', { count: query.forks, forks: count(query.forks) })}</p>
      <ol className={css.lineage}>
        <li>
          <strong>{query.title}</strong> <small>{query.userName}</small>
        </li>
        {ancestors.map((ancestor) => (
          <li key={ancestor.id}>
            {ancestor.title ? <Link to={savedQuery(ancestor.id)}>{ancestor.title}</Link> : <span>{t('editors.history.hidden')}</span>} {ancestor.userName ? <small>{ancestor.userName}</small> : null}
          </li>
        ))}
      </ol>
      {ancestors.length === 0 ? <p className={css.facts}>{t('editors.history.original')}</p> : null}
    </>
  );
}

function Pages({ page, total, onPage }: { page: number; total: number; onPage: (page: number) => void }) {
  const { t } = useTranslation();
  if (total <= SIZE) return null;
  return (
    <nav aria-label={t('common.pages.label')}>
      <Pagination simple size="small" current={page} pageSize={SIZE} total={total} showSizeChanger={false} onChange={onPage} />
    </nav>
  );
}

/** What was read before stays when it can't be read again, and says so. */
function Outdated({ of }: { of: UseQueryResult }) {
  const { t } = useTranslation();
  const place = useKeepPlace<HTMLDivElement>();
  return (
    <div ref={place} className={css.outdated} role="alert">
      <span>{t('editors.history.outdated', { message: messageOf(of.error) })}</span>
      <Button size="small" busy={of.isFetching} onClick={() => void of.refetch()}>
        {t('common.retry')}
      </Button>
    </div>
  );
}

/** Nothing was read yet; from a page that can't be read there is a way to the others. */
function Missing({ of, page = 1, onPage }: { of: UseQueryResult; page?: number; onPage?: (page: number) => void }) {
  if (!of.isError) return <Waiting />;
  return (
    <>
      <Failed message={messageOf(of.error)} onRetry={() => void of.refetch()} />
      {onPage ? <Pages page={page} total={page * SIZE} onPage={onPage} /> : null}
    </>
  );
}

function Waiting() {
  return (
    <div className={css.list}>
      {[70, 50, 80, 60].map((share) => (
        <Skeleton key={share} height="2.4em" width={`${share}%`} />
      ))}
    </div>
  );
}
