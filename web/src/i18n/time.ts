// Durations and ages in words.
import { useCallback } from 'react';
import { useTranslation } from 'react-i18next';
import { dayMs, durationParts } from '@/lib/time';

/** Writers of times in the language on show. */
export function useTimeTexts() {
  const { t } = useTranslation();

  /** 271000 → "4 min 31 s". */
  const elapsed = useCallback((ms: number) => durationParts(ms).map(([unit, value]) => t(`common.units.${unit}`, { value })).join(' '), [t]);

  /** How long ago, in one unit, for up to a week: after that null, and the time itself says more. */
  const ago = useCallback(
    (ms: number, now: number): string | null => {
      const age = now - ms;
      if (age > 7 * dayMs) return null;
      const [largest] = durationParts(age);
      if (!largest || (largest[0] === 'second' && largest[1] < 10)) return t('common.justNow');
      return t('common.ago', { duration: t(`common.units.${largest[0]}`, { value: largest[1] }) });
    },
    [t],
  );

  return { elapsed, ago };
}
