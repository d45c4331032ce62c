/** How long a run took, as text: milliseconds under a tenth of a second, tenths under ten seconds, then the two largest units. */
import { useTranslation } from 'react-i18next';
import { useTimeTexts } from '@/i18n/time';

export function useElapsedText(): (ms: number) => string {
  const { t } = useTranslation();
  const { elapsed } = useTimeTexts();
  return (ms) =>
    ms < 100 ? t('common.units.millisecond', { value: Math.max(1, Math.round(ms)) }) : ms < 10_000 ? t('common.units.second', { value: (ms / 1000).toFixed(1) }) : elapsed(ms);
}
