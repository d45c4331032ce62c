/** What every visualization type is made of: options with automatic defaults, a pure transform, an editor and a view. */
import type { LucideIcon } from 'lucide-react';
import type { ComponentType } from 'react';
import type { Cell, Column } from '@/lib/columns';
import type { Texts } from '@/i18n/texts';
import { count } from '@/lib/format';
import type { FetchRows } from '@/ui/grid-rows';
import { cut } from './tooltip';

/** The rows that are drawn, and how many rows the whole result has. */
export interface ResultTable {
  readonly columns: readonly Column[];
  readonly rows: readonly (readonly Cell[])[];
  readonly total: number;
  /** Where the rows that are not drawn come from, page by page; `source` names the result. */
  readonly pages?: { readonly source: string; readonly fetchRows: FetchRows };
}

/** A text with a form for one and one for more is one text. */
type Named<K extends string> = K extends `${infer Name}_${'one' | 'other'}` ? Name : K;

/** Why a chart can't be drawn; the texts are `viz:problem.<code>`. */
export type ProblemCode = Named<keyof Texts['viz']['problem']>;

/** What a reader has to know about a chart that is drawn; the texts are `viz:note.<code>`. */
export type NoteCode = Named<keyof Texts['viz']['note']>;

/** Which column is meant, in problems: the texts are `viz:field.<part>`. */
export type Part = keyof Texts['viz']['field'];

type Values = Readonly<Record<string, string | number>>;

export interface Problem {
  readonly code: ProblemCode;
  readonly values?: Values;
  /** The part of the chart that has no column yet. */
  readonly part?: Part;
}

export interface Note {
  readonly code: NoteCode;
  readonly values?: Values;
}

/** The values as a sentence has them: numbers with their separators, names cut to what a line has room for. */
export function written(values: Values = {}): Values {
  const texts = Object.fromEntries(Object.entries(values).map(([key, value]) => [key, typeof value === 'number' ? count(value) : cut(value, MOST_SIGNS)]));
  const many = DECIDING.map((name) => values[name]).find((value) => typeof value === 'number');
  return many === undefined ? texts : { ...texts, count: many, counted: count(many) };
}

/** The number that a sentence with a form for one and one for more goes by. */
const DECIDING = ['count', 'left', 'rows'] as const;

const MOST_SIGNS = 120;

export type Failure = { readonly ok: false; readonly problem: Problem };
export type Outcome<M> = { readonly ok: true; readonly model: M } | Failure;

export const fail = (code: ProblemCode, values?: Values): Failure => ({
  ok: false,
  problem: values ? { code, values } : { code },
});

export const ok = <M>(model: M): Outcome<M> => ({ ok: true, model });

export const VIZ_TYPES = [
  'table',
  'counter',
  'pie',
  'bar',
  'line',
  'area',
  'scatter',
  'radar',
  'funnel',
  'heatmap',
  'bar3d',
  'boxplot',
  'parallel',
  'tree',
  'sankey',
  'sunburst',
  'themeRiver',
  'graph',
  'gauge',
] as const;

/** The types by the names they have in stored options and over the API. */
export type VizId = (typeof VIZ_TYPES)[number];

/** What the builder's fields get; `model` is there while the chart can be drawn. */
export interface EditorProps<O, M> {
  table: ResultTable;
  options: O;
  model?: M | undefined;
  onChange: (change: Partial<O>) => void;
}

/** How one type is written down; `O` are its options, `M` is what the transform hands to the view. */
export interface VizSpec<O extends object, M> {
  readonly id: VizId;
  readonly icon: LucideIcon;
  readonly defaults: (table: ResultTable) => O;
  readonly transform: (table: ResultTable, options: O) => Outcome<M>;
  readonly Editor: ComponentType<EditorProps<O, M>>;
  readonly View: ComponentType<{ model: M; options: O; title: string; table: ResultTable }>;
  /** It shows every row of the result, not only those that were loaded for drawing. */
  readonly complete?: true;
}

/** A type as the registry holds it: `stored` options are whatever a draft or the server kept. */
export interface VizType {
  readonly id: VizId;
  readonly icon: LucideIcon;
  readonly Editor: ComponentType<{ table: ResultTable; stored: unknown; onChange: (stored: object) => void }>;
  readonly View: ComponentType<{ table: ResultTable; stored: unknown; title: string }>;
}

/** Stored options over the defaults; a stored value of another kind than the default's is dropped. */
export function mergeOptions<O extends object>(defaults: O, stored: unknown): O {
  if (typeof stored !== 'object' || stored === null) return defaults;
  const kept = Object.entries(stored).filter(([key, value]) => {
    const wanted: unknown = (defaults as Record<string, unknown>)[key];
    return typeof value === typeof wanted && Array.isArray(value) === Array.isArray(wanted) && (value === null) === (wanted === null);
  });
  return { ...defaults, ...(Object.fromEntries(kept) as Partial<O>) };
}
