// Following a node: whether it is under way, how far behind, what went wrong, and start and stop.
import { Play, Square } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { call, type Schemas } from '@/api/call';
import { useFailures } from '@/i18n/failures';
import { blockName, count } from '@/lib/format';
import { formatTime } from '@/lib/time';
import { Button } from '@/ui/button';
import { Card, Tag } from '@/ui/parts';
import { useAct } from '../kit/act';
import css from '../kit/kit.module.css';

export function FollowPanel({ follow }: { follow: Schemas['FollowView'] }) {
  const { t } = useTranslation();
  const act = useAct();
  const tell = useFailures();
  const facts: [string, string][] = [
    [t('system.follow.nodes'), follow.configured ? follow.nodes.join(', ') : t('system.follow.none')],
    ...(typeof follow.startedAt === 'number' ? [[t('system.follow.since'), `${formatTime(follow.startedAt)} UTC`] as [string, string]] : []),
    ...(typeof follow.head === 'number' ? [[t('system.follow.head'), blockName(follow.head)] as [string, string]] : []),
    ...(typeof follow.behindBlocks === 'number' ? [[t('system.follow.behind'), count(follow.behindBlocks)] as [string, string]] : []),
    ...(typeof follow.trouble === 'string' ? [[t('system.follow.trouble'), `${typeof follow.troubleAt === 'number' ? `${formatTime(follow.troubleAt)} UTC  ` : ''}${tell({ message: follow.trouble })}`] as [string, string]] : []),
  ];
  return (
    <Card
      className={css.follow ?? ''}
      title={
        <>
          {t('system.follow.title')} <Tag tone={follow.running ? 'ok' : 'plain'}>{t(follow.running ? 'system.follow.running' : 'system.follow.stopped')}</Tag>
        </>
      }
      extra={
        follow.running ? (
          <Button
            size="small"
            kind="danger"
            icon={<Square size={14} strokeWidth={1.8} />}
            onClick={() =>
              act({
                run: () => call('post', '/api/system/dataLink/follow/stop', {}),
                done: t('system.follow.hasStopped'),
                confirm: { title: t('system.follow.stopTitle'), text: t('system.follow.stopText'), ok: t('system.follow.stop') },
              })
            }
          >
            {t('system.follow.stop')}
          </Button>
        ) : (
          <Button
            size="small"
            kind="primary"
            disabled={!follow.configured}
            icon={<Play size={14} strokeWidth={1.8} />}
            onClick={() => act({ run: () => call('post', '/api/system/dataLink/follow/start', {}), done: t('system.follow.hasStarted') })}
          >
            {t('system.follow.start')}
          </Button>
        )
      }
    >
      <dl className={css.facts}>
        {facts.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </Card>
  );
}
