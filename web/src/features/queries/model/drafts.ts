/** Drafts: what is written but not yet kept on the server. Each window has one; older ones stay on this device and can be taken up again. */
import { readStored, writeStored } from '@/lib/storage';
import type { JobKind } from '@/api/jobs';
import type { VizId } from '@/viz/types';

export interface ChartDraft {
  readonly id: string;
  readonly type: VizId;
  readonly title: string;
  /** The type's own options where they differ from its defaults. */
  readonly options: object;
}

export interface Draft {
  readonly id: string;
  readonly kind: JobKind;
  readonly text: string;
  /** The last run, and where in the text its part began. */
  readonly job: { readonly id: string; readonly from: number; readonly text: string } | null;
  /** The last run that gave a result, which stays on show while the next one runs. */
  readonly resultJob: string | null;
  readonly charts: readonly ChartDraft[];
  /** Milliseconds of the last change. */
  readonly changed: number;
}

const KEY = 'quarry.drafts';
const WINDOW_KEY = 'quarry.draft';
const MOST_DRAFTS = 20;

export const newId = (): string => crypto.randomUUID().slice(0, 8);

function isDraft(value: unknown): value is Draft {
  if (typeof value !== 'object' || value === null) return false;
  const draft = value as Partial<Draft>;
  return typeof draft.id === 'string' && typeof draft.text === 'string' && typeof draft.kind === 'string' && typeof draft.changed === 'number' && Array.isArray(draft.charts);
}

/** All drafts of this device, the newest first; what can't be read is left out. */
export function readDrafts(): Draft[] {
  try {
    const stored: unknown = JSON.parse(readStored(KEY) ?? '[]');
    return Array.isArray(stored) ? stored.filter(isDraft).sort((a, b) => b.changed - a.changed) : [];
  } catch {
    return [];
  }
}

/** Keeps the draft; other windows' drafts are read anew, so that none is lost. */
export function keepDraft(draft: Draft): void {
  const others = readDrafts().filter((one) => one.id !== draft.id);
  writeStored(KEY, JSON.stringify([draft, ...others].slice(0, MOST_DRAFTS)));
}

export function forgetDraft(id: string): void {
  writeStored(KEY, JSON.stringify(readDrafts().filter((draft) => draft.id !== id)));
}

/** Which draft this window had open; it survives a reload and not the window. */
export const windowDraft = (): string | null => sessionStorage.getItem(WINDOW_KEY);

export const setWindowDraft = (id: string): void => sessionStorage.setItem(WINDOW_KEY, id);

export function emptyDraft(kind: JobKind, text: string, now: number): Draft {
  return { id: newId(), kind, text, job: null, resultJob: null, charts: [], changed: now };
}

/** A name for a text nobody named: its first comment, else its first line. */
export function draftTitle(text: string): string {
  const lines = text.split('\n').map((line) => line.trim()).filter((line) => line !== '');
  const comment = lines[0]?.startsWith('--') ? lines[0].replace(/^--\s*/, '') : '';
  return (comment || lines.join(' ')).slice(0, 80);
}
