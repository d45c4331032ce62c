// What is changed and not saved yet stays on this device, so that a reload or a crash loses nothing.
import { readStored, writeStored } from '@/lib/storage';
import type { Document } from './document';

export interface Draft {
  /** The revision that the changes were made on. */
  readonly revision: number;
  readonly document: Document;
}

const keyOf = (id: string) => `quarry.dashboard.${id}`;

export function readDraft(id: string): Draft | null {
  try {
    const stored = JSON.parse(readStored(keyOf(id)) ?? 'null') as Partial<Draft> | null;
    const document = stored?.document as Partial<Document> | undefined;
    const whole = typeof stored?.revision === 'number' && typeof document?.title === 'string' && Array.isArray(document.widgets) && Array.isArray(document.parameters) && Array.isArray(document.tags);
    return whole ? (stored as Draft) : null;
  } catch {
    // What can't be read is no draft.
    return null;
  }
}

export const keepDraft = (id: string, draft: Draft): void => writeStored(keyOf(id), JSON.stringify(draft));

export const forgetDraft = (id: string): void => writeStored(keyOf(id), null);
