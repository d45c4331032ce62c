/** Drafts: what is written and not saved yet. Each is kept on this device at once and on the server soon after, so that it survives a reload, a crash and another device. */
import type { JobKind } from '@/api/jobs';
import type { Parameter, QueryText, SavedQuery, SavedVisualization, StoredDraft } from '@/api/queries';
import { randomHex } from '@/lib/random';
import { readStored, writeStored } from '@/lib/storage';
import type { VizId } from '@/viz/types';
import type { Values } from './parameters';

export interface ChartDraft {
  readonly id: string;
  readonly type: VizId;
  readonly title: string;
  /** The type's own options where they differ from its defaults. */
  readonly options: object;
  /** The saved visualization it is a change of. */
  readonly saved?: { readonly id: string; readonly revision: number };
}

/** The saved query that a draft changes, and the revision it began with. */
export interface DraftOf {
  readonly id: string;
  readonly revision: number;
}

export interface Draft {
  readonly id: string;
  /** The account it belongs to. */
  readonly owner: string;
  readonly kind: JobKind;
  readonly text: string;
  /** What kinds without a text run. */
  readonly spec: object | null;
  readonly parameters: readonly Parameter[];
  /** Values that were given on the page; parameters without one have their default. */
  readonly values: Values;
  readonly query: DraftOf | null;
  /** Title of the saved query; empty for a new one. */
  readonly title: string;
  /** The last run, and where in the text its part began. */
  readonly job: { readonly id: string; readonly from: number; readonly text: string } | null;
  /** The last run that gave a result, which stays on show while the next one runs. */
  readonly resultJob: string | null;
  readonly charts: readonly ChartDraft[];
  /** Milliseconds of the last change. */
  readonly changed: number;
  /** Somebody else's query: read, run and forked, never kept; the token of the share link it was opened with. */
  readonly viewing?: { readonly share: string | null; readonly titleZh: string | null };
  /** What it is kept under where that is not its id: another window keeps another text of the same draft under it. */
  readonly keptAs?: string;
}

export const keptId = ({ id, keptAs }: Draft): string => keptAs ?? id;

const KEY = 'quarry.drafts';
const MOST_DRAFTS = 50;

export const newId = (): string => randomHex(4);

function isDraft(value: unknown): value is Draft {
  if (typeof value !== 'object' || value === null) return false;
  const draft = value as Partial<Draft>;
  const texts = [draft.id, draft.owner, draft.text, draft.kind, draft.title].every((one) => typeof one === 'string');
  return texts && typeof draft.changed === 'number' && Array.isArray(draft.charts) && Array.isArray(draft.parameters) && typeof draft.values === 'object';
}

function readAll(): Draft[] {
  try {
    const stored: unknown = JSON.parse(readStored(KEY) ?? '[]');
    return Array.isArray(stored) ? stored.filter(isDraft).sort((a, b) => b.changed - a.changed) : [];
  } catch {
    return [];
  }
}

/** An account's drafts on this device, the newest first; what can't be read is left out. */
export const readDrafts = (owner: string): Draft[] => readAll().filter((draft) => draft.owner === owner);

/** Keeps the draft; other windows' drafts are read anew, so that none is lost. */
export function keepDraft(draft: Draft): void {
  const others = readAll().filter((one) => one.id !== draft.id);
  writeStored(KEY, JSON.stringify([draft, ...others].slice(0, MOST_DRAFTS)));
}

export function forgetDraft(id: string): void {
  writeStored(KEY, JSON.stringify(readAll().filter((draft) => draft.id !== id)));
}

export function emptyDraft(kind: JobKind, text: string, owner: string, now: number): Draft {
  return { id: newId(), owner, kind, text, spec: null, parameters: [], values: {}, query: null, title: '', job: null, resultJob: null, charts: [], changed: now };
}

export const chartOf = ({ id, revision, title, viz }: SavedVisualization): ChartDraft => ({ id, type: viz.type, title, options: viz.options, saved: { id, revision } });

/** What a saved query looks like in the editor before anything is changed. */
export function draftOf(query: SavedQuery, owner: string, now: number): Draft {
  const { what } = query;
  return {
    ...emptyDraft(what.kind, what.text ?? '', owner, now),
    spec: what.spec ?? null,
    parameters: what.parameters ?? [],
    query: { id: query.id, revision: query.revision },
    title: query.title,
    charts: query.visualizations.map(chartOf),
  };
}

/** Whether nothing that somebody wrote or drew would be lost if one took the place of the other. */
export const sameWork = (a: Draft, b: Draft): boolean => sameText(textOf(a), textOf(b)) && JSON.stringify(a.charts) === JSON.stringify(b.charts);

/** What the draft would save. */
export function textOf(draft: Draft): QueryText {
  const spec = draft.spec === null ? {} : { spec: draft.spec as Record<string, never> };
  return { kind: draft.kind, text: draft.text, parameters: [...draft.parameters], ...spec };
}

/** In one order of keys, without those that say nothing. */
function ordered(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(ordered);
  if (typeof value !== 'object' || value === null) return value ?? null;
  const entries = Object.entries(value).filter(([, part]) => part !== null && part !== undefined && part !== '' && part !== false && !(Array.isArray(part) && part.length === 0));
  return Object.fromEntries(entries.map(([key, part]) => [key, ordered(part)]).sort(([a], [b]) => (String(a) < String(b) ? -1 : 1)));
}

/** Text, kind, spec and parameters as one text, to tell whether two of them are the same; key order does not count. */
function fingerprint(what: QueryText): string {
  return JSON.stringify(ordered({ kind: what.kind, text: what.text ?? '', spec: what.spec ?? null, parameters: what.parameters ?? [] }));
}

/** What is laid side by side to compare: the text, of kinds without one the spec as indented JSON. */
export const comparable = ({ text, spec }: Pick<QueryText, 'text' | 'spec'>): string => (spec ? JSON.stringify(ordered(spec), null, 2) : (text ?? ''));

/** The same of a run: what it remembers of a spec is JSON. */
export function comparableRun(text: string, now: QueryText): string {
  if (!now.spec) return text;
  try {
    return comparable({ spec: JSON.parse(text) as Record<string, never> });
  } catch {
    // The query was of another kind then.
    return text;
  }
}

export const sameText = (a: QueryText, b: QueryText): boolean => fingerprint(a) === fingerprint(b);

/** The draft as the server keeps it. */
export function toStored(draft: Draft): StoredDraft {
  const { job, resultJob, charts, values, changed } = draft;
  const state = { job, resultJob, charts, values, changed } as unknown as Record<string, never>;
  return { id: draft.id, title: draft.title || draftTitle(draft.text), queryId: draft.query?.id ?? null, revision: draft.query?.revision ?? null, what: textOf(draft), state };
}

/** A draft that the server kept; parts of its state that can't be read are as in a new one. */
export function fromStored(stored: StoredDraft, owner: string): Draft {
  const state = (stored.state ?? {}) as Partial<Pick<Draft, 'job' | 'resultJob' | 'charts' | 'values' | 'changed'>>;
  const { queryId, revision, what } = stored;
  return {
    ...emptyDraft(what.kind, what.text ?? '', owner, typeof state.changed === 'number' ? state.changed : (stored.updateTime ?? 0)),
    id: stored.id,
    spec: what.spec ?? null,
    parameters: what.parameters ?? [],
    values: typeof state.values === 'object' ? state.values : {},
    query: queryId ? { id: queryId, revision: revision ?? 0 } : null,
    title: queryId ? (stored.title ?? '') : '',
    job: state.job ?? null,
    resultJob: state.resultJob ?? null,
    charts: Array.isArray(state.charts) ? state.charts : [],
  };
}

/** Both sides' drafts, of each the one that was changed last. */
export function mergeDrafts(here: readonly Draft[], there: readonly Draft[]): Draft[] {
  const merged = new Map(there.map((draft) => [draft.id, draft]));
  for (const draft of here) if (draft.changed >= (merged.get(draft.id)?.changed ?? 0)) merged.set(draft.id, draft);
  return [...merged.values()].sort((a, b) => b.changed - a.changed);
}

/** A name for a text nobody named: its first comment, else its first line. */
export function draftTitle(text: string): string {
  const lines = text.split('\n').map((line) => line.trim()).filter((line) => line !== '');
  const comment = /^(?:--|\/\/)\s*(.*)/.exec(lines[0] ?? '')?.[1] ?? '';
  return (comment || lines.join(' ')).slice(0, 80);
}
