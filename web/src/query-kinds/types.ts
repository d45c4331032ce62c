/** What a query kind brings to the query page. */
import type { ComponentType } from 'react';
import type { TextPosition } from '@/api/jobs';
import type { Say } from '@/i18n/sentences';
import type { JobKind } from '@/live/jobs';
import type { EditorLanguage } from '@/ui/editor/language';
import type { Catalogue, CatalogueSchema } from './catalogue';

/** Why a run failed, and which field of the form it is about. */
export interface FormProblem {
  readonly param: string | null;
  readonly message: string;
  /** A place in the field's text. */
  readonly position: TextPosition | null;
}

/** A kind that is filled in as a form; what it fills in is the spec of its jobs. */
export interface FormProps {
  spec: object;
  onChange: (spec: object) => void;
  readOnly: boolean;
  /** A run was tried: what is missing is told. */
  tried: boolean;
  problem: FormProblem | null;
  running: boolean;
  /** Runs the form, or another spec made of it. */
  onRun: (spec?: object) => void;
}

/** What a new form has, what is wrong with one, and what it is called. */
export interface QueryForm {
  readonly Form: ComponentType<FormProps>;
  readonly first: () => object;
  /** The spec that a link's text holds; that of a new form where it holds none. */
  readonly read: (text: string) => object;
  /** Whether it can be run. */
  readonly complete: (spec: object) => boolean;
  readonly titleOf: (spec: object) => string;
  /** Share of the height that it wants, in percent, where nobody dragged it. */
  readonly height: number;
}

export interface QueryKind {
  readonly id: JobKind;
  /** The kind's name; the same in every language. */
  readonly title: string;
  /** Text of a new query; empty where there is a form. */
  readonly starter: string;
  readonly language: (catalogue: Catalogue) => EditorLanguage;
  /** Takes the place of the text. */
  readonly form?: QueryForm;
  /** Its jobs are long and say much: the log opens with a run. */
  readonly logs?: true;
  /** Its result is shown by so many rows at a time, until all of it is asked for. */
  readonly pages?: number;
  /** What its queries name in place of the catalogue's tables. */
  readonly schemas?: (say: Say) => readonly CatalogueSchema[];
  /** Its result may hold nodes and edges to draw. */
  readonly drawn?: true;
  readonly format: (text: string) => Promise<string>;
  /** A name as it must be written to run. */
  readonly quoteName: (name: string) => string;
}
