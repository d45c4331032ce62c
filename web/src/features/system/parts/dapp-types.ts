// The kinds of dapps, as the specification lists them.
import type { TFunction } from 'i18next';

export const dappTypes = ['games', 'finance', 'betting', 'market', 'social', 'others', 'utilities', 'high-risk'] as const;

export function dappTypeName(t: TFunction, type: string): string {
  const known = dappTypes.find((one) => one === type);
  return known ? t(`system.dapps.types.${known}`) : type;
}
