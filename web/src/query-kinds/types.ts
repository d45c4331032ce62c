/** What a query kind brings to the query page. */
import type { JobKind } from '@/live/jobs';
import type { EditorLanguage } from '@/ui/editor/language';
import type { Catalogue } from './catalogue';

export interface QueryKind {
  readonly id: JobKind;
  /** The kind's name; the same in every language. */
  readonly title: string;
  /** Text of a new query. */
  readonly starter: string;
  readonly language: (catalogue: Catalogue) => EditorLanguage;
  readonly format: (text: string) => Promise<string>;
  /** A name as it must be written to run. */
  readonly quoteName: (name: string) => string;
}
