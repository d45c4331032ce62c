/** What every visualization type is made of: options with automatic defaults, a pure transform, an editor and a view. */
import type { LucideIcon } from 'lucide-react';
import type { ComponentType } from 'react';
import type { Cell, Column } from '@/lib/columns';
import type { FetchRows } from '@/ui/grid-rows';

/** The rows that are drawn, and how many rows the whole result has. */
export interface ResultTable {
  readonly columns: readonly Column[];
  readonly rows: readonly (readonly Cell[])[];
  readonly total: number;
  /** Where the rows that are not drawn come from, page by page; `source` names the result. */
  readonly pages?: { readonly source: string; readonly fetchRows: FetchRows };
}

/** Why a chart can't be drawn; the texts are `viz:problem.<code>`. */
export type ProblemCode =
  | 'noRows'
  | 'columnMissing'
  | 'columnUnset'
  | 'notNumber'
  | 'rowBeyond'
  | 'allHidden'
  | 'duplicateX'
  | 'notSortable'
  | 'tooManyPoints'
  | 'percentNegative';

export interface Problem {
  readonly code: ProblemCode;
  readonly values?: Readonly<Record<string, string | number>>;
}

export type Outcome<M> = { readonly ok: true; readonly model: M } | { readonly ok: false; readonly problem: Problem };

export const fail = (code: ProblemCode, values?: Problem['values']): { ok: false; problem: Problem } => ({
  ok: false,
  problem: values ? { code, values } : { code },
});

export type VizId = 'table' | 'counter' | 'bar' | 'line';

/** How one type is written down; `O` are its options, `M` is what the transform hands to the view. */
export interface VizSpec<O extends object, M> {
  readonly id: VizId;
  readonly icon: LucideIcon;
  readonly defaults: (table: ResultTable) => O;
  readonly transform: (table: ResultTable, options: O) => Outcome<M>;
  readonly Editor: ComponentType<{ table: ResultTable; options: O; onChange: (change: Partial<O>) => void }>;
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
