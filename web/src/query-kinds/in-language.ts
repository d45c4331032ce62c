/** What a person reads of a query language (the words beside names, the sentences about them) in the language of the page. */
import { inEnglish, type Say } from '@/i18n/sentences';
import type { EditorLanguage, Suggestion } from '@/ui/editor/language';
import type { Catalogue } from './catalogue';

/** The catalogue with what it says of tables, columns and functions. */
export function catalogueIn(catalogue: Catalogue, say: Say): Catalogue {
  if (say === inEnglish) return catalogue;
  const said = <T extends { readonly doc: string }>(one: T): T => ({ ...one, doc: say(one.doc) });
  return {
    ...catalogue,
    schemas: catalogue.schemas.map((schema) => ({ ...schema, tables: schema.tables.map((table) => ({ ...said(table), columns: table.columns.map(said) })) })),
    functions: catalogue.functions.map(said),
  };
}

/** The language with its own hints; those that it made of the catalogue stay as they are. */
export function inLanguage(language: EditorLanguage, say: Say): EditorLanguage {
  if (say === inEnglish) return language;
  // Beside a function stands what it takes, which is code.
  const suggestion = (one: Suggestion): Suggestion => ({ ...one, detail: one.kind === 'function' ? one.detail : say(one.detail), doc: say(one.doc) });
  return {
    ...language,
    suggest: (text, offset, asked) => {
      const found = language.suggest(text, offset, asked);
      return found && { ...found, options: found.options.map(suggestion) };
    },
    describe: (text, offset) => {
      const found = language.describe(text, offset);
      return found && { ...found, detail: say(found.detail), doc: say(found.doc) };
    },
  };
}
