/** What the code of a MAPREDUCE job finds beside JavaScript itself. */
import type { EditorLanguage, Suggestion } from '@/ui/editor/language';
import type { Catalogue } from '../catalogue';
import { SEARCH_PATH } from '../catalogue';

type Word = readonly [name: string, insert: string, doc: string];

export const WORDS: readonly Word[] = [
  ['emit', 'emit()', 'Mapper: emit(key, value) makes a pair. Reducer: emit({column: value}) makes a row.'],
  ['count', 'count()', 'count(name, by) adds to a counter of the job.'],
  ['log', 'log()', 'log(text) says a line in the log of the job.'],
  ['params', 'params', 'The values of params in the driver.'],
  ['input', 'input', 'Driver: the table that is read. Mapper: the name of the input of the row.'],
  ['columns', 'columns: []', 'Driver: the columns that are read.'],
  ['where', "where: ''", 'Driver: a condition of SQL.'],
  ['output', 'output: {}', 'Driver: the columns of the output and their types.'],
  ['sort', "sort: 'ascending'", 'Driver: the values of a key come in the order of the third value of emit.'],
  ['partitions', 'partitions: 1', 'Driver: parts that reducing is divided into, 1 to 16.'],
  ['batch', 'batch: true', 'Driver: the mapper is called with batches.'],
  ['row', 'row', 'Mapper: a row with the columns of the driver as members.'],
  ['values', 'values', 'Reducer: the values of the key, a stream that is read once.'],
];

/** What a batch has beside its columns. */
export const OF_BATCH: readonly Word[] = [
  ['length', 'length', 'batch.length: how many rows the batch has.'],
  ['sums', "sums('', '')", 'batch.sums(by, of): the column `of` added up for each value of `by`.'],
  ['counts', "counts('')", 'batch.counts(by): how many rows each value of `by` has.'],
];

/** The word as a suggestion; the cursor goes into its first empty text or pair of brackets. */
function option([label, insert, doc]: Word, rank: number): Suggestion {
  const empty = /''|\(\)|\[\]|\{\}/.exec(insert);
  return { label, kind: 'function', insert, caret: empty ? empty.index + 1 : insert.length, detail: '', doc, rank };
}

/**
 * Completion offers these words, and the columns of the chain's tables after `row.` and `batch.` and where the code names
 * columns as texts.
 */
export function mapReduceLanguage(catalogue: Catalogue): EditorLanguage {
  const tables = catalogue.schemas.find((schema) => schema.name === SEARCH_PATH)?.tables ?? [];
  const columns = [...new Map(tables.flatMap((table) => table.columns.map((column) => [column.name, { ...column, table: table.name }] as const))).values()];
  const named = columns.map(({ name, type, doc, table }): Suggestion => ({ label: name, kind: 'column', insert: name, detail: type, doc: `${table}: ${doc}`, rank: 3 }));
  const ofBatch = [...OF_BATCH.map((word) => option(word, 4)), ...named];
  return {
    dialect: 'javascript',
    keywords: [],
    functions: [],
    types: [],
    suggest: (text, offset, asked) => {
      const before = text.slice(0, offset);
      const typed = /[\w$]*$/.exec(before)?.[0] ?? '';
      const from = offset - typed.length;
      const lead = before.slice(0, from);
      const quoted = /['"]$/.test(lead);
      if (/\brow\.$/.test(lead) || (quoted && /(columns:\s*\[[^\]]*|\bbatch\.(sums|counts)\([^)]*)$/.test(lead))) return { from, options: named };
      if (/\bbatch\.$/.test(lead)) return { from, options: ofBatch };
      if (quoted && /input:\s*['"]$/.test(lead)) return { from, options: tables.map(({ name, doc }) => ({ label: name, kind: 'table' as const, insert: name, detail: '', doc, rank: 3 })) };
      if (quoted || lead.endsWith('.') || (typed === '' && !asked)) return null;
      return { from, options: WORDS.map((word) => option(word, 2)) };
    },
    describe: (text, offset) => {
      const start = offset - (/[\w$]*$/.exec(text.slice(0, offset))?.[0].length ?? 0);
      const name = /^[\w$]*/.exec(text.slice(start))?.[0] ?? '';
      const owner = /\b(row|batch)\.$/.exec(text.slice(0, start))?.[1];
      const words = owner === undefined ? WORDS : owner === 'batch' ? OF_BATCH : [];
      const word = words.find(([known]) => known === name);
      const column = owner !== undefined && !word ? columns.find((one) => one.name === name) : undefined;
      if (column) return { from: start, to: start + name.length, title: column.name, detail: `${column.type}, ${column.table}`, doc: column.doc, example: '' };
      return word ? { from: start, to: start + name.length, title: word[0], detail: '', doc: word[2], example: '' } : null;
    },
  };
}
