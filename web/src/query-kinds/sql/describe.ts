/** What the name under the pointer means: a column, a table or a function. */
import type { Description } from '@/ui/editor/language';
import { findTable, type Catalogue } from '../catalogue';
import { scopeAt } from './scope';
import { rowsText } from './suggest';
import { isSign, nameOf, statementAt } from './tokens';

/** The first statement of an example; documentation also wraps it in a code fence and draws its output below. */
export function firstExample(example: string): string {
  const lines = example.split('\n').filter((line) => !/^\s*(```|[+|])/.test(line) && line.trim() !== '');
  const start = lines.findIndex((line) => line.startsWith('>'));
  const statement = start < 0 ? lines : lines.slice(start, lines.findIndex((line, index) => index >= start && line.trimEnd().endsWith(';')) + 1 || start + 1);
  return statement.map((line) => line.replace(/^>\s?/, '')).join('\n').trim();
}

export function describe(text: string, offset: number, catalogue: Catalogue): Description | null {
  const tokens = statementAt(text, offset);
  const index = tokens.findIndex((token) => token.from <= offset && offset <= token.to && nameOf(token) !== null);
  const token = tokens[index];
  const name = nameOf(token);
  if (!token || name === null) return null;
  const place = { from: token.from, to: token.to };
  if (isSign(tokens[index + 1], '(')) {
    const fn = catalogue.functions.find((one) => one.name === name);
    if (fn) return { ...place, title: fn.signature, detail: fn.kind, doc: fn.doc, example: firstExample(fn.example) };
  }
  const parent = isSign(tokens[index - 1], '.') ? nameOf(tokens[index - 2]) : null;
  const { sources } = scopeAt(text, offset, catalogue);
  for (const source of sources) {
    const column = parent === null || source.name === parent ? source.columns.find((one) => one.name === name) : undefined;
    if (column) return { ...place, title: column.name, detail: [column.type, source.name].filter(Boolean).join(', '), doc: column.doc, example: '' };
  }
  const table = findTable(catalogue, parent, name);
  return table ? { ...place, title: table.name, detail: rowsText(table.rows), doc: table.doc, example: '' } : null;
}
