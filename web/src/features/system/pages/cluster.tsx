// The workers that queries are shared out over: how they are, and draining one.
import { useQuery } from '@tanstack/react-query';
import { TriangleAlert } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { call, type Schemas } from '@/api/call';
import { messageOf } from '@/api/error';
import { useFailures } from '@/i18n/failures';
import { bytes, count } from '@/lib/format';
import { formatTime } from '@/lib/time';
import { Button } from '@/ui/button';
import { Empty, Failed, Tag, type Tone } from '@/ui/parts';
import { useAct } from '../kit/act';
import { Actions, None } from '../kit/cells';
import { useCommon } from '../kit/common';
import { DataTable } from '../kit/data-table';
import { PageHead } from '../kit/page-head';
import css from '../kit/kit.module.css';

type Worker = Schemas['WorkerView'];
type State = Schemas['WorkerState'];

const refreshMs = 5_000;
const startServer = 'quarry serve --cluster-listen HOST:PORT';
const startWorker = 'quarry worker --coordinator URL';
const tones: Record<State, Tone> = { alive: 'ok', draining: 'accent', other_build: 'warn', lost: 'bad' };
/** Those that are not on their way out already. */
const drainable: readonly State[] = ['alive', 'other_build'];

/** Version, two hashes of 16 digits: the last one is the program's. */
const wholeBuild = /^(.+)-[0-9a-f]{16}-([0-9a-f]{8})[0-9a-f]{8}$/;
const shortBuild = (build: string): string => build.replace(wholeBuild, '$1-$2');

export function Component() {
  const { t } = useTranslation();
  const act = useAct();
  const tell = useFailures();
  const { plain, number, actions } = useCommon<Worker>();
  const asked = useQuery({ queryKey: ['system', 'cluster'], queryFn: ({ signal }) => call('get', '/api/system/cluster', { signal, quiet: true }), refetchInterval: refreshMs });
  const cluster = asked.data;
  const others = cluster?.workers.filter((worker) => worker.state === 'other_build').length ?? 0;

  const drain = ({ url }: Worker) =>
    act({
      run: () => call('post', '/api/system/cluster/drain', { body: { url } }),
      done: t('system.cluster.drained', { worker: url }),
      confirm: { title: t('system.cluster.drainTitle', { worker: url }), text: t('system.cluster.drainText'), ok: t('system.cluster.drain') },
    });

  return (
    <>
      <PageHead page="cluster" note={t('system.data.asOf', { time: formatTime(asked.dataUpdatedAt).slice(11) })} waiting={asked.dataUpdatedAt === 0} />
      {others > 0 && (
        <p role="status" className={css.warning}>
          <TriangleAlert size={17} strokeWidth={1.6} aria-hidden />
          {t('system.cluster.otherBuild', { count: others })}
        </p>
      )}
      <DataTable
        label={t('system.pages.cluster')}
        waiting={asked.isPending}
        rows={cluster?.workers ?? []}
        rowKey={(row) => row.url}
        columns={[
          plain('worker', t('system.cluster.worker'), (row) => row.url, { main: true, cell: (row) => <code>{row.url}</code> }),
          plain('state', t('system.kit.state'), (row) => t(`system.cluster.states.${row.state}`), { cell: (row) => <Tag tone={tones[row.state]}>{t(`system.cluster.states.${row.state}`)}</Tag> }),
          plain('build', t('system.cluster.build'), (row) => row.build, { cell: (row) => (row.build === '' ? <None /> : <code title={row.build}>{shortBuild(row.build)}</code>) }),
          // What a lost worker said last is out of date.
          number('runs', t('system.cluster.runs'), (row) => row.runs, (row) => (row.state === 'lost' ? <None /> : count(row.runs))),
          number('memory', t('system.cluster.memory'), (row) => row.memory, (row) => (row.state === 'lost' ? <None /> : `${bytes(row.memory)} / ${bytes(row.memoryLimit)}`)),
          plain('lastFailure', t('system.cluster.lastFailure'), (row) => (row.lastFailure ? tell({ message: row.lastFailure }) : ''), { cut: true }),
          actions((row) => (
            <Actions>
              {drainable.includes(row.state) && (
                <Button size="small" kind="danger" aria-label={t('system.cluster.drainOf', { worker: row.url })} onClick={() => drain(row)}>
                  {t('system.cluster.drain')}
                </Button>
              )}
            </Actions>
          )),
        ]}
      >
        {asked.isError && !cluster && <Failed message={messageOf(asked.error)} onRetry={() => void asked.refetch()} />}
        {cluster && <Nothing cluster={cluster} />}
      </DataTable>
    </>
  );
}

/** Why there is no worker, and how one gets there. */
function Nothing({ cluster }: { cluster: Schemas['ClusterView'] }) {
  const { t } = useTranslation();
  if (!cluster.enabled) {
    return (
      <Empty title={t('system.cluster.off')}>
        {t('system.cluster.offText')} <code>{startServer}</code>
      </Empty>
    );
  }
  if (cluster.workers.length > 0) return null;
  return (
    <Empty title={t('system.cluster.none')}>
      {t('system.cluster.noneText')} <code>{startWorker}</code>
    </Empty>
  );
}
