// Where a live model's blocks come from: the websocket as they reach the lake, or a replay of the chain that does not grow.
import { useTranslation } from 'react-i18next';
import { useHeads } from '@/live/heads';
import { useLiveState } from '@/live/socket';
import { blockName } from '@/lib/format';
import { formatTime } from '@/lib/time';
import type { Lake } from '../model';
import css from '../models.module.css';

export function LiveState({ lake }: { lake: Lake }) {
  const { t } = useTranslation();
  useHeads(!lake.sample);
  const state = useLiveState();
  if (lake.sample) return <p className={css.hint}>{t('models.replay')}</p>;
  return (
    <p className={css.live} data-open={state === 'open'} role="status">
      {t(state === 'open' ? 'models.live' : 'models.connecting', { block: blockName(lake.headNumber), time: formatTime(lake.head) })}
    </p>
  );
}
