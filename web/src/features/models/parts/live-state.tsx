// Where a live model's blocks come from: the websocket as they reach the lake, for visitors the head that is asked for, or a replay of the chain that does not grow.
import { useTranslation } from 'react-i18next';
import { useHeads } from '@/live/heads';
import { useLiveState } from '@/live/socket';
import { blockName } from '@/lib/format';
import { useSession } from '@/lib/session';
import { formatTime } from '@/lib/time';
import type { Lake } from '../model';
import css from '../models.module.css';

export function LiveState({ lake }: { lake: Lake }) {
  const { t } = useTranslation();
  useHeads(!lake.sample);
  const state = useLiveState();
  const visitor = useSession().token === null;
  if (lake.sample) return <p className={css.hint}>{t('models.replay')}</p>;
  // Visitors have no live connection: their page asks for the head now and then.
  const said = visitor ? 'models.polled' : state === 'open' ? 'models.live' : 'models.connecting';
  return (
    <p className={css.live} data-open={visitor || state === 'open'} role="status">
      {t(said, { block: blockName(lake.headNumber), time: formatTime(lake.head) })}
    </p>
  );
}
