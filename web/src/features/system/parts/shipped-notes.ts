// Notes of what ships with Quarry, in the reader's language; the server keeps them in English.
import type { TFunction } from 'i18next';

/** The notes as `api/src/auth/rights.rs` and `api/src/labels/registry.rs` write them, and the names of their texts. */
const shipped = [
  ['Everybody', 'everybody'],
  ['Administrators: hold every permission', 'administrators'],
  ['A DApp of the sample chain.', 'sampleDapp'],
] as const;

/** The note to show: what somebody wrote stays as they wrote it. */
export function shippedNote(t: TFunction, note: string): string {
  const known = shipped.find(([text]) => text === note);
  return known ? t(`system.shippedNotes.${known[1]}`) : note;
}
