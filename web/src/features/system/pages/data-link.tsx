// The data monitor: what the lake holds, how fresh it is, what is missing or failed a check, and how fast it grows.
import { useQuery } from '@tanstack/react-query';
import { TriangleAlert } from 'lucide-react';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { useChain } from '@/api/chain';
import { call, type Schemas } from '@/api/call';
import { useTimeTexts } from '@/i18n/time';
import { blockName, bytes, compact, count } from '@/lib/format';
import { formatTime } from '@/lib/time';
import { Empty, Tag } from '@/ui/parts';
import { Moment } from '../kit/cells';
import { ChartCard } from '../kit/chart-card';
import { DataTable } from '../kit/data-table';
import { failedOf, FiguresFailed } from '../kit/figures-failed';
import { PageHead } from '../kit/page-head';
import { Stats, type Stat } from '../kit/stats';
import { CheckPanel } from '../parts/check-panel';
import { FollowPanel } from '../parts/follow-panel';
import { growth } from '../parts/growth';
import { ScrubPanel } from '../parts/scrub-panel';
import css from '../kit/kit.module.css';

type Monitor = Schemas['LakeMonitor'];
type Range = Schemas['Blocks'];

const refreshMs = 5_000;
/** The server looks at the growth once a minute. */
const growthMs = 60_000;
const mostSteps = 96;
/** A block comes every 12 seconds: three missed ones are worth a look. */
const lateMs = 48_000;

export function Component() {
  const { t } = useTranslation();
  const origin = useChain().data?.origin;
  const monitor = useQuery({ queryKey: ['system', 'monitor'], queryFn: ({ signal }) => call('get', '/api/chain/monitor', { signal, quiet: true }), refetchInterval: refreshMs });
  const server = useQuery({ queryKey: ['system', 'data status'], queryFn: ({ signal }) => call('get', '/api/system/dataLink/status', { signal, quiet: true }), refetchInterval: refreshMs });
  const held = monitor.data?.covered.reduce((sum, range) => sum + range.to - range.from + 1, 0) ?? 0;
  const failed = failedOf(monitor, server);
  return (
    <>
      <PageHead page="dataLink" note={t('system.data.asOf', { time: formatTime(monitor.dataUpdatedAt).slice(11) })} waiting={monitor.dataUpdatedAt === 0} />
      <FiguresFailed failed={failed} />
      {monitor.data && <Warnings monitor={monitor.data} />}
      {!failed.includes(server) && (
        <div className={css.panels}>
          <FollowPanel follow={server.data?.follow} />
          <CheckPanel check={server.data && (server.data.check ?? null)} held={held} />
          {!failed.includes(monitor) && <ScrubPanel scrub={monitor.data?.scrub} databases={server.data && (server.data.databases ?? null)} node={origin === 'node'} />}
        </div>
      )}
      {failed.length === 0 && <Figures monitor={monitor.data} server={server.data} sample={origin === 'sample'} />}
      {!failed.includes(monitor) && (
        <>
          <Charts monitor={monitor.data} origin={origin} />
          <Tables monitor={monitor.data} sample={origin === 'sample'} />
        </>
      )}
      {monitor.data && <History monitor={monitor.data} />}
    </>
  );
}

const rangeName = (range: Range): string => (range.from === range.to ? blockName(range.from) : `${blockName(range.from)} – ${blockName(range.to)}`);

function Warnings({ monitor }: { monitor: Monitor }) {
  const { t } = useTranslation();
  const [gap] = monitor.gaps;
  const warnings = [
    ...(gap ? [t('system.data.gapsWarning', { count: monitor.gaps.length, first: rangeName(gap) })] : []),
    ...(monitor.scrub.damaged.length > 0 ? [t('system.data.damageWarning', { count: monitor.scrub.damaged.length })] : []),
    ...(monitor.verificationFailures > 0 ? [t('system.data.failuresWarning', { count: monitor.verificationFailures })] : []),
  ];
  return warnings.map((text) => (
    <p key={text} role="status" className={css.warning}>
      <TriangleAlert size={17} strokeWidth={1.6} aria-hidden />
      {text}
    </p>
  ));
}

function Figures({ monitor, server, sample }: { monitor: Monitor | undefined; server: Schemas['DataStatus'] | undefined; sample: boolean }) {
  const { t } = useTranslation();
  const { elapsed } = useTimeTexts();
  const lag = server?.lagMs ?? null;
  const rows = monitor?.tables.reduce((sum, table) => sum + table.rows, 0);
  const size = monitor?.tables.reduce((sum, table) => sum + table.bytes, 0);
  const stats: Stat[] = [
    {
      label: t('system.data.head'),
      value: monitor && (monitor.head ? blockName(monitor.head.number) : t('system.data.empty')),
      note: monitor && !monitor.head ? undefined : `${formatTime(monitor?.head?.time ?? 0)} UTC`,
    },
    {
      label: t('system.data.lag'),
      value: server && (lag === null ? t('system.data.empty') : elapsed(lag)),
      note: sample ? t('shell.sample') : t('system.data.lagNote'),
      warn: !sample && lag !== null && lag > lateMs,
    },
    { label: t('system.data.finalised'), value: monitor && (typeof monitor.finalised === 'number' ? blockName(monitor.finalised) : t('system.data.empty')) },
    {
      label: t('system.data.rate'),
      value: monitor && (typeof monitor.blocksPerSecond === 'number' ? monitor.blocksPerSecond.toFixed(1) : t('system.data.quiet')),
      note: t('system.data.rateNote'),
    },
    { label: t('system.data.rows'), value: rows === undefined ? undefined : compact(rows), note: bytes(size ?? 0) },
    { label: t('system.data.gaps'), value: monitor && count(monitor.gaps.length), warn: (monitor?.gaps.length ?? 0) > 0 },
    { label: t('system.data.failures'), value: monitor && count(monitor.verificationFailures), warn: (monitor?.verificationFailures ?? 0) > 0 },
    {
      label: t('system.data.server'),
      value: server && t('system.data.active', { count: server.activeJobs }),
      note: t('system.data.answers', { sockets: count(server?.openSockets ?? 0), database: (server?.databaseMs ?? 0).toFixed(1), lake: (server?.lakeMs ?? 0).toFixed(1) }),
    },
  ];
  return <Stats label={t('system.pages.dataLink')} stats={stats} />;
}

function Charts({ monitor, origin }: { monitor: Monitor | undefined; origin: string | null | undefined }) {
  const { t } = useTranslation();
  const asked = useQuery({ queryKey: ['system', 'lake history'], queryFn: ({ signal }) => call('get', '/api/system/dataLink/history', { signal, quiet: true }), refetchInterval: growthMs });
  const looks = asked.data;
  const data = useMemo(() => {
    if (!looks) return undefined;
    const steps = growth(looks, mostSteps);
    const lags = steps.filter((step) => step.lagSeconds !== null);
    const times = (of: typeof steps) => of.map((step) => formatTime(step.at).slice(11, 16));
    return {
      blocks: { steps: times(steps), series: [{ name: t('system.data.blocks'), values: steps.map((step) => Math.round(step.blocksPerMinute * 10) / 10) }] },
      rows: { steps: times(steps), series: [{ name: t('system.data.rows'), values: steps.map((step) => Math.round(step.rowsPerMinute)) }] },
      lag: { steps: times(lags), series: [{ name: t('system.data.lag'), values: lags.map((step) => Math.round(step.lagSeconds ?? 0)) }] },
    };
  }, [looks, t]);
  const size = useMemo(() => {
    if (!monitor) return undefined;
    const tables = [...monitor.tables].sort((a, b) => b.bytes - a.bytes);
    return { steps: tables.map((table) => table.name), series: [{ name: t('system.files.size'), values: tables.map((table) => table.bytes) }] };
  }, [monitor, t]);
  const failed = failedOf(asked);
  if (failed.length > 0) return <FiguresFailed failed={failed} />;
  if (origin === undefined) return <div className={`${css.charts} ${css.chartWaiting}`} />;
  return (
    <div className={css.charts}>
      <ChartCard kind="bars" title={t('system.data.brought')} note={t('system.data.perMinute')} stepName={t('system.kit.utc', { head: t('system.kit.time') })} data={data?.blocks} empty={t('system.data.nothingWritten')} />
      <ChartCard kind="bars" title={t('system.data.written')} note={t('system.data.perMinute')} stepName={t('system.kit.utc', { head: t('system.kit.time') })} data={data?.rows} empty={t('system.data.nothingWritten')} />
      {/* The sample chain ended when it was made; its age says nothing. */}
      {origin !== 'sample' && <ChartCard kind="line" title={t('system.data.lag')} note={t('system.data.lagChart')} stepName={t('system.kit.utc', { head: t('system.kit.time') })} data={data?.lag} />}
      <ChartCard kind="bars" title={t('system.data.sizes')} note={t('system.data.sizesChart')} stepName={t('system.data.table')} data={size} write={bytes} />
    </div>
  );
}

function Tables({ monitor, sample }: { monitor: Monitor | undefined; sample: boolean }) {
  const { t } = useTranslation();
  const head = monitor?.head?.number;
  return (
    <DataTable
      label={t('system.data.tables')}
      waiting={!monitor}
      rows={monitor?.tables ?? []}
      rowKey={(table) => table.name}
      columns={[
        { key: 'name', head: t('system.data.table'), main: true, cell: (table) => <code>{table.name}</code> },
        { key: 'origin', head: t('system.data.source'), text: () => t(sample ? 'system.data.sample' : 'system.data.node') },
        {
          key: 'state',
          head: t('system.kit.state'),
          cell: (table) => {
            const empty = table.rows === 0;
            const warn = (monitor?.gaps.length ?? 0) > 0;
            return <Tag tone={empty ? 'plain' : warn ? 'warn' : 'ok'}>{t(empty ? 'system.data.empty' : warn ? 'system.data.gappy' : 'system.data.whole')}</Tag>;
          },
        },
        { key: 'head', head: t('system.data.lastBlock'), end: true, text: (table) => (typeof table.head === 'number' ? count(table.head) : '') },
        { key: 'behind', head: t('system.data.behind'), end: true, text: (table) => (typeof table.head === 'number' && head !== undefined ? count(Math.max(0, head - table.head)) : '') },
        { key: 'rows', head: t('system.data.rows'), end: true, text: (table) => count(table.rows) },
        { key: 'files', head: t('system.data.files'), end: true, text: (table) => count(table.files) },
        { key: 'size', head: t('system.files.size'), end: true, text: (table) => bytes(table.bytes) },
      ]}
    />
  );
}

function History({ monitor }: { monitor: Monitor }) {
  const { t } = useTranslation();
  return (
    <div className={css.charts} data-spaced="true">
      <section>
        <h2 className={css.sub}>{t('system.data.coverage')}</h2>
        <DataTable
          label={t('system.data.coverage')}
          rows={[...monitor.covered.map((range) => ({ range, missing: false })), ...monitor.gaps.map((range) => ({ range, missing: true }))].sort((a, b) => b.range.from - a.range.from)}
          rowKey={({ range }) => range.from}
          columns={[
            { key: 'blocks', head: t('system.data.blocks'), main: true, text: ({ range }) => rangeName(range) },
            { key: 'count', head: t('system.data.number'), end: true, text: ({ range }) => count(range.to - range.from + 1) },
            { key: 'state', head: t('system.kit.state'), cell: ({ missing }) => <Tag tone={missing ? 'warn' : 'ok'}>{t(missing ? 'system.data.missing' : 'system.data.held')}</Tag> },
          ]}
        >
          {monitor.covered.length === 0 && <Empty title={t('common.noData')} />}
        </DataTable>
      </section>
      <section>
        <h2 className={css.sub}>{t('system.data.reorgs')}</h2>
        <DataTable
          label={t('system.data.reorgs')}
          rows={monitor.reorgs}
          rowKey={(reorg) => `${reorg.time} ${reorg.blocks.from}`}
          columns={[
            { key: 'time', head: t('system.kit.utc', { head: t('system.kit.time') }), main: true, cell: (reorg) => <Moment ms={reorg.time} /> },
            { key: 'blocks', head: t('system.data.replaced'), text: (reorg) => rangeName(reorg.blocks) },
            { key: 'depth', head: t('system.data.depth'), end: true, text: (reorg) => count(reorg.blocks.to - reorg.blocks.from + 1) },
          ]}
        >
          {monitor.reorgs.length === 0 && <Empty title={t('common.noData')} />}
        </DataTable>
      </section>
      <section>
        <h2 className={css.sub}>{t('system.data.checks')}</h2>
        <DataTable
          label={t('system.data.checks')}
          rows={monitor.lastFailures}
          rowKey={(failure) => `${failure.time} ${failure.block ?? ''} ${failure.detail}`}
          columns={[
            { key: 'time', head: t('system.kit.utc', { head: t('system.kit.time') }), cell: (failure) => <Moment ms={failure.time} /> },
            { key: 'block', head: t('system.data.block'), main: true, text: (failure) => (typeof failure.block === 'number' ? blockName(failure.block) : '') },
            { key: 'detail', head: t('system.audit.detail'), cut: true, text: (failure) => failure.detail },
          ]}
        >
          {monitor.lastFailures.length === 0 && <Empty title={t('common.noData')}>{t('system.data.noFailures')}</Empty>}
        </DataTable>
      </section>
    </div>
  );
}
