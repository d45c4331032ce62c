// Checking the lake again: start with the newest blocks or with all, progress, what was found, and stop.
import { Select } from 'antd';
import { ShieldCheck, Square } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call, type Schemas } from '@/api/call';
import { useFailures } from '@/i18n/failures';
import { blockName, count } from '@/lib/format';
import { formatTime } from '@/lib/time';
import { Button } from '@/ui/button';
import { useElapsedText } from '@/ui/elapsed';
import { Card, ProgressBar, Tag, type Tone } from '@/ui/parts';
import { useAct } from '../kit/act';
import { DataTable } from '../kit/data-table';
import css from '../kit/kit.module.css';

type Check = Schemas['CheckView'];

/** How many of the newest blocks; 0 stands for all. */
const spans = [1_000, 10_000, 0] as const;

/** `check` is null before the first one, and undefined until the server has answered. */
export function CheckPanel({ check, held }: { check: Check | null | undefined; held: number }) {
  const { t } = useTranslation();
  const act = useAct();
  const [span, setSpan] = useState<number>(spans[0]);
  const running = check?.state === 'running';
  return (
    <Card
      className={`${css.follow} ${check === undefined ? css.unknown : ''}`}
      title={
        <>
          {t('system.check.title')} {check && <Tag tone={toneOf(check)}>{t(`system.check.states.${check.state}`)}</Tag>}
        </>
      }
      extra={
        running ? (
          <Button
            size="small"
            kind="danger"
            icon={<Square size={14} strokeWidth={1.8} />}
            onClick={() => act({ run: () => call('post', '/api/system/dataLink/check/stop', {}), done: t('system.check.hasStopped') })}
          >
            {t('system.follow.stop')}
          </Button>
        ) : (
          <span className={css.toolbarInline}>
            <Select<number>
              size="small"
              aria-label={t('system.check.span')}
              popupMatchSelectWidth={false}
              value={span}
              onChange={setSpan}
              options={spans.map((value) => ({ value, label: value === 0 ? t('system.check.all') : t('system.check.newest', { count: value, shown: count(value) }) }))}
            />
            <Button
              size="small"
              kind="primary"
              disabled={held === 0}
              icon={<ShieldCheck size={14} strokeWidth={1.8} />}
              onClick={() => act({ run: () => call('post', '/api/system/dataLink/check/start', { body: span === 0 ? {} : { blocks: span } }), done: t('system.check.hasStarted') })}
            >
              {t('system.check.now')}
            </Button>
          </span>
        )
      }
    >
      {check ? <Checked check={check} /> : <p className={css.panelText}>{t('system.check.never')}</p>}
    </Card>
  );
}

const tones: Record<Check['state'], Tone> = { running: 'accent', done: 'ok', stopped: 'warn', failed: 'bad' };
const toneOf = (check: Check): Tone => (check.mismatches > 0 ? 'bad' : tones[check.state]);

function Checked({ check }: { check: Check }) {
  const { t } = useTranslation();
  const elapsedText = useElapsedText();
  const tell = useFailures();
  const took = typeof check.finishedAt === 'number' ? elapsedText(check.finishedAt - check.startedAt) : '';
  const percent = check.blocksTotal === 0 ? null : (100 * check.blocksDone) / check.blocksTotal;
  const found = check.mismatches > 0 ? t('system.check.mismatches', { count: check.mismatches }) : check.state === 'done' ? t('system.data.noFailures') : t('system.check.soFar');
  const facts: [string, string][] = [
    [t('system.jobList.start'), `${formatTime(check.startedAt)} UTC`],
    ...(took === '' ? [] : [[t('jobs.elapsed'), took] as [string, string]]),
    [t('system.data.blocks'), `${count(check.blocksDone)} / ${count(check.blocksTotal)}${check.blocks ? `  (${blockName(check.blocks.from)} – ${blockName(check.blocks.to)})` : ''}`],
    [t('system.check.result'), typeof check.trouble === 'string' ? tell({ message: check.trouble }) : found],
  ];
  return (
    <>
      {check.state === 'running' && (
        <div className={css.panelBar}>
          <ProgressBar percent={percent} label={t('system.check.title')} />
        </div>
      )}
      <dl className={css.facts}>
        {facts.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      {check.found.length > 0 && (
        <DataTable
          label={t('system.check.found')}
          rows={check.found.map((found, index) => ({ ...found, index }))}
          rowKey={(found) => found.index}
          columns={[
            { key: 'block', head: t('system.data.block'), main: true, text: (found) => blockName(found.block) },
            { key: 'check', head: t('system.check.what'), text: (found) => found.check },
            { key: 'detail', head: t('system.audit.detail'), cut: true, text: (found) => found.detail },
          ]}
        />
      )}
    </>
  );
}
