// What an entry of the audit log says was done, in the language on show.
import type { TFunction } from 'i18next';
import type { components } from '@/api/schema';
import { areaName } from './areas';
import { scoreRuleName } from './score-rules';

type Entry = components['schemas']['Entry'];

/** What older versions wrote, and what is not known further, stays as the server says it. */
export function deedText(t: TFunction, { deed, values, detail }: Pick<Entry, 'deed' | 'values' | 'detail'>): string {
  if (!deed) return detail;
  const { permission, permissions, rule } = values;
  const named = {
    ...values,
    ...(permission ? { permission: areaName(t, permission) } : {}),
    ...(permissions ? { permissions: permissions.split(' ').map((key) => areaName(t, key)).join(', ') } : {}),
    ...(rule ? { rule: scoreRuleName(t, rule) } : {}),
  };
  return t(`system.deeds.${deed}`, { ...named, defaultValue: detail });
}
