// The description of the lake's tables: made by the engine in English, its sentences in Chinese beside it.
import type { Language } from '@/i18n';
import { loadSentences } from '@/i18n/sentences';

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

const english = import.meta.glob<TableTexts>('../../../../data/docs/tables.json', { import: 'default' });

async function loadEnglish(): Promise<TableTexts> {
  const [file] = Object.values(english);
  if (!file) throw new Error('The description of the tables is missing.');
  return file();
}

export async function loadTables(language: Language): Promise<TableTexts> {
  const [tables, say] = await Promise.all([loadEnglish(), loadSentences(language)]);
  return Object.fromEntries(Object.entries(tables).map(([name, table]) => [name, { ...table, doc: say(table.doc), columns: table.columns.map((column) => ({ ...column, doc: say(column.doc) })) }]));
}
