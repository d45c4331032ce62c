// The permissions of the back office and what people call them.
import type { TFunction } from 'i18next';

export const areas = [
  'system.user',
  'system.role',
  'system.permission',
  'system.dataLink',
  'system.cluster',
  'system.platformUser',
  'system.revenue',
  'system.loginRecord',
  'system.onlineUser',
  'system.dashboardRecord',
  'system.messageRecord',
  'system.platformMessage',
  'system.file',
  'system.job',
  'system.feedback',
  'system.dapp',
  'system.label',
  'system.score',
  'system.whitePaper',
  'system.webAccess',
  'system.official',
  'system.audit',
] as const;

type Area = (typeof areas)[number];
type Short<A> = A extends `system.${infer S}` ? S : never;

/** What administrators did with what belongs to others stands in the audit log under their role. */
export const byRole = 'admin';

/** The name of an area in the language on show; one that this page does not know is called by its key. */
export function areaName(t: TFunction, area: string): string {
  if (area === byRole) return t('system.audit.byRole');
  const known = areas.find((one) => one === area);
  return known ? t(`system.areas.${known.slice('system.'.length) as Short<Area>}`) : area;
}
