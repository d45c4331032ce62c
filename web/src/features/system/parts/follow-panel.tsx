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

const optional = (name: string, value: string | false): [string, string][] => (value === false ? [] : [[name, value]]);

/** What is most likely before the server has answered: it only keeps the room. */
const unknown: Schemas['FollowView'] = { configured: false, running: false, nodes: [] };

export function FollowPanel({ follow: known }: { follow: Schemas['FollowView'] | undefined }) {
  const { t } = useTranslation();
  const act = useAct();
  const tell = useFailures();
  const { configured, running, nodes, startedAt, head, behindBlocks, trouble, troubleAt } = known ?? unknown;
  const facts: [string, string][] = [
    [t('system.follow.nodes'), configured ? nodes.join(', ') : t('system.follow.none')],
    ...optional(t('system.follow.since'), typeof startedAt === 'number' && `${formatTime(startedAt)} UTC`),
    ...optional(t('system.follow.head'), typeof head === 'number' && blockName(head)),
    ...optional(t('system.follow.behind'), typeof behindBlocks === 'number' && count(behindBlocks)),
    ...optional(t('system.follow.trouble'), typeof trouble === 'string' && `${typeof troubleAt === 'number' ? `${formatTime(troubleAt)} UTC  ` : ''}${tell({ message: trouble })}`),
  ];
  return (
    <Card
      className={`${css.follow} ${known ? '' : css.unknown}`}
      title={
        <>
          {t('system.follow.title')} <span>
            <Tag tone={running ? 'ok' : 'plain'}>{t(running ? 'system.follow.running' : 'system.follow.stopped')}</Tag>
          </span>
        </>
      }
      extra={
        running ? (
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
            disabled={!configured}
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
