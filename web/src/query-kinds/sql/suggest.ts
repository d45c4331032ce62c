/** Completion: what can stand at a place of a SQL text, as text that runs. */
import { compactExact, parseExact } from '@/lib/exact';
import type { Suggestion, Suggestions } from '@/ui/editor/language';
import { SEARCH_PATH, type Catalogue, type CatalogueFunction, type CatalogueTable } from '../catalogue';
import { scopeAt, type Source } from './scope';
import { insideText, isSign, isWord, nameOf, statementAt, type Token } from './tokens';
import { SQL_DIALECT, type Dialect } from './words';

/** Letters looked back for the word that is being typed: the whole of a long text costs more than a key may. */
const LONGEST_WORD = 256;
const AFTER_TABLE = ['from', 'join', 'into', 'table'];

/** Rows of a table in few characters. */
export function rowsText(rows: number | null): string {
  const exact = rows === null ? null : parseExact(rows);
  return exact ? compactExact(exact) : '';
}

function columnsOf(source: Source, rank: number, { quote }: Dialect): Suggestion[] {
  return source.columns.map((column) => ({
    label: column.name,
    kind: 'column',
    insert: quote(column.name),
    detail: column.type,
    doc: [source.name, column.doc].filter(Boolean).join(': '),
    rank,
  }));
}

function tableSuggestion(schema: string, table: CatalogueTable, qualified: boolean, { quote }: Dialect): Suggestion {
  const prefix = qualified && schema !== SEARCH_PATH ? `${quote(schema)}.` : '';
  return { label: prefix + table.name, kind: 'table', insert: prefix + quote(table.name), detail: rowsText(table.rows), doc: table.doc, rank: schema === SEARCH_PATH ? 3 : 2 };
}

function tables(catalogue: Catalogue, dialect: Dialect): Suggestion[] {
  return catalogue.schemas.flatMap((schema) => schema.tables.map((table) => tableSuggestion(schema.name, table, true, dialect)));
}

const schemas = (catalogue: Catalogue, { quote }: Dialect): Suggestion[] =>
  catalogue.schemas.map((schema) => ({ label: schema.name, kind: 'schema', insert: `${quote(schema.name)}.`, detail: String(schema.tables.length), doc: '', rank: 1 }));

function functionSuggestion(fn: CatalogueFunction): Suggestion {
  const empty = /\(\s*\)$/.test(fn.signature);
  return { label: fn.name, kind: 'function', insert: `${fn.name}()`, caret: fn.name.length + (empty ? 2 : 1), detail: fn.signature, doc: fn.doc, rank: 1 };
}

function keywords(catalogue: Catalogue, dialect: Dialect): Suggestion[] {
  const words = new Set<string>([...dialect.keywords, ...catalogue.keywords.map((word) => word.toLowerCase())]);
  return [...words].map((word) => ({ label: word, kind: 'keyword', insert: word, detail: '', doc: '', rank: 0 }));
}

const sourceSuggestion = (source: Source, { quote }: Dialect): Suggestion => ({
  label: source.name,
  kind: 'table',
  insert: quote(source.name),
  detail: '',
  doc: source.columns.map((column) => column.name).join(', '),
  rank: 4,
});

/** Names before the cursor that the dots join to it: `labels.addresses.|` gives [labels, addresses]. */
function pathBefore(tokens: Token[], end: number): string[] {
  const path: string[] = [];
  for (let at = end; isSign(tokens[at], '.'); at -= 2) {
    const name = nameOf(tokens[at - 1]);
    if (name === null) break;
    path.unshift(name);
  }
  return path;
}

/** Whether a table name is expected: right after FROM or JOIN, or after a comma of the FROM list. */
function expectsTable(tokens: Token[], last: number): boolean {
  if (isWord(tokens[last], ...AFTER_TABLE)) return true;
  if (!isSign(tokens[last], ',')) return false;
  let depth = 0;
  for (let at = last - 1; at >= 0; at--) {
    if (isSign(tokens[at], ')')) depth++;
    else if (isSign(tokens[at], '(') && --depth < 0) return false;
    else if (depth === 0 && isWord(tokens[at], 'from', 'join')) return true;
    else if (depth === 0 && isWord(tokens[at], 'select', 'where', 'by', 'on', 'with', 'having')) return false;
  }
  return false;
}

function member(path: string[], text: string, offset: number, catalogue: Catalogue, dialect: Dialect): Suggestion[] {
  const [first = '', second] = path;
  if (second !== undefined) {
    const table = catalogue.schemas.find((schema) => schema.name === first)?.tables.find((one) => one.name === second);
    return table ? columnsOf({ name: table.name, kind: 'table', columns: table.columns }, 3, dialect) : [];
  }
  const source = scopeAt(text, offset, catalogue).sources.find((one) => one.name === first);
  const schema = catalogue.schemas.find((one) => one.name === first);
  return [...(source ? columnsOf(source, 3, dialect) : []), ...(schema?.tables.map((table) => tableSuggestion(schema.name, table, false, dialect)) ?? [])];
}

/** Suggestions at the offset; null inside strings and comments, and for an empty word nobody asked about. */
export function suggest(text: string, offset: number, asked: boolean, catalogue: Catalogue, dialect: Dialect = SQL_DIALECT): Suggestions | null {
  if (insideText(text, offset)) return null;
  const typed = /[\p{L}\p{N}_$]*$/u.exec(text.slice(Math.max(0, offset - LONGEST_WORD), offset))?.[0] ?? '';
  if (/^\d/.test(typed)) return null;
  const from = offset - typed.length;
  const before = statementAt(text, from).filter((token) => token.to <= from);
  const last = before.length - 1;
  const path = pathBefore(before, last);
  if (path.length > 0) return { from, options: member(path, text, offset, catalogue, dialect) };
  if (isSign(before[last], '.')) return null;
  if (typed === '' && !asked && !expectsTable(before, last)) return null;
  const scope = scopeAt(text, offset, catalogue);
  if (expectsTable(before, last)) return { from, options: [...scope.ctes.map((source) => sourceSuggestion(source, dialect)), ...tables(catalogue, dialect), ...schemas(catalogue, dialect)] };
  const columns = scope.sources.flatMap((source, index) => columnsOf(source, index === 0 ? 4 : 3, dialect));
  const seen = new Set<string>();
  const once = columns.filter((column) => !seen.has(column.label) && seen.add(column.label));
  const aliases = scope.sources.filter((source) => source.name !== '').map((source) => sourceSuggestion(source, dialect));
  // Where a value is wanted a table is the least likely word, but it may be the start of `table.column`.
  const distant = tables(catalogue, dialect).map((table) => ({ ...table, rank: -1 }));
  return { from, options: [...once, ...aliases, ...catalogue.functions.map(functionSuggestion), ...keywords(catalogue, dialect), ...distant] };
}
