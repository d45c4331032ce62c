/** What the editor needs to know of a query language: words to colour, suggestions at a place, a description of what stands there. */

export type SuggestionKind = 'column' | 'table' | 'schema' | 'function' | 'keyword';

export interface Suggestion {
  readonly label: string;
  readonly kind: SuggestionKind;
  /** Text that runs when inserted; `caret` is where the cursor goes inside it. */
  readonly insert: string;
  readonly caret?: number;
  /** Short fact on the right: a type, a number of rows. */
  readonly detail: string;
  readonly doc: string;
  /** Higher comes first among equally good matches. */
  readonly rank: number;
}

export interface Suggestions {
  readonly from: number;
  readonly options: readonly Suggestion[];
}

export interface Description {
  readonly from: number;
  readonly to: number;
  readonly title: string;
  readonly detail: string;
  readonly doc: string;
  readonly example: string;
}

export interface EditorLanguage {
  /** Whose grammar colours the text. */
  readonly dialect: 'sql' | 'hive' | 'cypher' | 'javascript';
  readonly keywords: readonly string[];
  readonly functions: readonly string[];
  readonly types: readonly string[];
  readonly suggest: (text: string, offset: number, asked: boolean) => Suggestions | null;
  readonly describe: (text: string, offset: number) => Description | null;
}
