// What earns credits, by the names people know.
import type { TFunction } from 'i18next';

export const scoreRules = ['favourite', 'fork', 'dashboard', 'manual'] as const;

export function scoreRuleName(t: TFunction, key: string): string {
  const known = scoreRules.find((rule) => rule === key);
  return known ? t(`system.score.rules.${known}`) : key;
}

/** When a rule gives its credits; empty for what is written by hand. */
export function scoreRuleWhen(t: TFunction, key: string): string {
  const known = (['favourite', 'fork', 'dashboard'] as const).find((rule) => rule === key);
  return known ? t(`system.score.whens.${known}`) : '';
}
