// What earns credits, by the names people know.
import type { TFunction } from 'i18next';

export const scoreRules = ['favourite', 'fork', 'dashboard', 'manual'] as const;

export function scoreRuleName(t: TFunction, key: string): string {
  const known = scoreRules.find((rule) => rule === key);
  return known ? t(`system.score.rules.${known}`) : key;
}
