/** GRAPH: read-only openCypher over the address graph; its result is rows, and nodes and edges where it returns them. */
import type { CatalogueSchema } from '../catalogue';
import type { QueryKind } from '../types';
import { formatCypher } from './format';
import { describe, suggest } from './suggest';
import { EDGE_PROPERTIES, FUNCTIONS, KEYWORDS, LABELS, NODE_PROPERTIES, PROCEDURES, TYPES, type Word } from './vocabulary';

const columns = (words: readonly Word[]) => words.map(({ name, doc }) => ({ name, doc, type: '' }));

/** What the graph is made of, as the list beside the editor shows it. */
const SCHEMAS: readonly CatalogueSchema[] = [
  { name: 'nodes', tables: LABELS.map(({ name, doc }) => ({ name, doc, rows: null, columns: columns(NODE_PROPERTIES) })) },
  { name: 'edges', tables: TYPES.map(({ name, doc }) => ({ name, doc, rows: null, columns: columns(EDGE_PROPERTIES) })) },
  { name: 'procedures', tables: PROCEDURES.map((one) => ({ name: one.name, doc: `${one.signature}\n${one.doc}`, rows: null, columns: one.columns.map((name) => ({ name, doc: '', type: '' })) })) },
];

export const graph: QueryKind = {
  id: 'GRAPH',
  title: 'GRAPH',
  starter: `MATCH (a:EOA)-[t:TRANSFERS]->(b)
RETURN a, t, b
  ORDER BY t.value DESC
  LIMIT 60
`,
  drawn: true,
  schemas: SCHEMAS,
  language: () => ({ dialect: 'cypher', keywords: KEYWORDS.flatMap((word) => word.split(' ')), functions: FUNCTIONS.map((one) => one.name), types: [], suggest, describe }),
  format: (text) => Promise.resolve(formatCypher(text)),
  quoteName: (name) => (/^[A-Za-z_][A-Za-z0-9_]*$/.test(name) ? name : `\`${name.replaceAll('`', '')}\``),
};
