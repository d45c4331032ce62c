/** What a query kind brings to the query page. */
import type { JobKind } from '@/live/jobs';
import type { EditorLanguage } from '@/ui/editor/language';
import type { Catalogue, CatalogueSchema } from './catalogue';

export interface QueryKind {
  readonly id: JobKind;
  /** The kind's name; the same in every language. */
  readonly title: string;
  /** Text of a new query. */
  readonly starter: string;
  readonly language: (catalogue: Catalogue) => EditorLanguage;
  /** Kinds that are filled in as a form: what a new query has, and what the text of a job says. */
  readonly firstSpec?: () => object;
  readonly specOf?: (text: string) => object | null;
  /** Its jobs are long and say much: the log opens with a run. */
  readonly logs?: true;
  /** Its result is shown by so many rows at a time, until all of it is asked for. */
  readonly pages?: number;
  /** What its queries name in place of the catalogue's tables. */
  readonly schemas?: readonly CatalogueSchema[];
  /** Its result may hold nodes and edges to draw. */
  readonly drawn?: true;
  readonly format: (text: string) => Promise<string>;
  /** A name as it must be written to run. */
  readonly quoteName: (name: string) => string;
}
