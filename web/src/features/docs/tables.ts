// The description of the lake's tables: made by the engine in English, its sentences in Chinese beside it.
import type { Language } from '@/i18n';

export interface TableText {
  readonly doc: string;
  readonly columns: readonly {
    readonly name: string;
    readonly type: string;
    readonly unit: string;
    readonly nullable: boolean;
    readonly doc: string;
    /** A value of the sample chain, or empty. */
    readonly example: string;
  }[];
  readonly synonyms: readonly { readonly name: string; readonly means: string }[];
}

export type TableTexts = Readonly<Record<string, TableText>>;

/** What the engine says in English, in Chinese. */
type Sentences = Readonly<Record<string, string>>;

const english = import.meta.glob<TableTexts>('../../../../data/docs/tables.json', { import: 'default' });
const chinese = import.meta.glob<Sentences>('../../../../data/docs/zh/sentences.json', { import: 'default' });

async function load<T>(files: Record<string, () => Promise<T>>): Promise<T> {
  const [file] = Object.values(files);
  if (!file) throw new Error('The description of the tables is missing.');
  return file();
}

/** The sentences of the engine in a language, by their English; those without another say it in English. */
export async function loadSentences(language: Language): Promise<(english: string) => string> {
  if (language === 'en') return (sentence) => sentence;
  const sentences = await load(chinese);
  return (sentence) => sentences[sentence] ?? sentence;
}

export async function loadTables(language: Language): Promise<TableTexts> {
  const [tables, say] = await Promise.all([load(english), loadSentences(language)]);
  return Object.fromEntries(Object.entries(tables).map(([name, table]) => [name, { ...table, doc: say(table.doc), columns: table.columns.map((column) => ({ ...column, doc: say(column.doc) })) }]));
}
