/** How long a run took, as text: tenths under ten seconds, then the two largest units. */
import { useTranslation } from 'react-i18next';
import { useTimeTexts } from '@/i18n/time';

export function useElapsedText(): (ms: number) => string {
  const { t } = useTranslation();
  const { elapsed } = useTimeTexts();
  return (ms) => (ms < 10_000 ? t('common.units.second', { value: (Math.max(0, ms) / 1000).toFixed(1) }) : elapsed(ms));
}
