/** GRAPH: read-only openCypher over the address graph; its result is rows, and nodes and edges where it returns them. */
import type { Say } from '@/i18n/sentences';
import type { CatalogueSchema } from '../catalogue';
import type { QueryKind } from '../types';
import { formatCypher } from './format';
import { describe, suggest } from './suggest';
import { EDGE_PROPERTIES, FUNCTIONS, KEYWORDS, LABELS, NODE_PROPERTIES, PROCEDURES, TYPES, type Word } from './vocabulary';

/** What the graph is made of, as the list beside the editor shows it. */
function schemas(say: Say): readonly CatalogueSchema[] {
  const said = ({ name, doc }: Word) => ({ name, doc: say(doc) });
  const tables = (words: readonly Word[], properties: readonly Word[]) => words.map((word) => ({ ...said(word), rows: null, columns: properties.map((one) => ({ ...said(one), type: '' })) }));
  return [
    { name: say('nodes'), tables: tables(LABELS, NODE_PROPERTIES) },
    { name: say('edges'), tables: tables(TYPES, EDGE_PROPERTIES) },
    { name: say('procedures'), tables: PROCEDURES.map((one) => ({ name: one.name, doc: `${one.signature}\n${say(one.doc)}`, rows: null, columns: one.columns.map((name) => ({ name, doc: '', type: '' })) })) },
  ];
}

export const graph: QueryKind = {
  id: 'GRAPH',
  title: 'GRAPH',
  starter: `MATCH (a:EOA)-[t:TRANSFERS]->(b)
RETURN a, t, b
  ORDER BY t.value DESC
  LIMIT 60
`,
  drawn: true,
  schemas,
  language: () => ({ dialect: 'cypher', keywords: KEYWORDS.flatMap((word) => word.split(' ')), functions: FUNCTIONS.map((one) => one.name), types: [], suggest, describe }),
  format: (text) => Promise.resolve(formatCypher(text)),
  quoteName: (name) => (/^[A-Za-z_][A-Za-z0-9_]*$/.test(name) ? name : `\`${name.replaceAll('`', '')}\``),
};
