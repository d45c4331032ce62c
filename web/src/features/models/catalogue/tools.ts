/** Tools on the address graph: three hops around an address, and any query that returns nodes and edges. */
import type { Model } from '../model';
import { zero } from '../sql';

const arrows = { out: ['-', '->'], in: ['<-', '-'], both: ['-', '-'] } as const;

export const threeHop: Model = {
  id: 'threeHop',
  path: 'test/3hop',
  layout: 'force',
  hubs: true,
  unit: 'count',
  kinds: ['account', 'contract', 'token'],
  controls: [
    { name: 'address', kind: 'address' },
    { name: 'hops', kind: 'choice', options: ['1', '2', '3'], start: '3' },
    { name: 'direction', kind: 'choice', options: ['out', 'in', 'both'], start: 'out' },
    { name: 'least', kind: 'choice', options: ['0', '0.1', '1', '10'], start: '1' },
  ],
  queries: ({ address = '', hops = '3', direction = 'out', least = '1' }) => {
    const [from, to] = arrows[direction as keyof typeof arrows];
    const wei = BigInt(Math.round(Number(least) * 10)) * 10n ** 17n;
    // Without an address: the account that sent most often.
    const start = address === '' ? `MATCH (a:EOA) WHERE a.address <> '${zero}'\nWITH a ORDER BY a.outDegree DESC, a.address LIMIT 1` : `MATCH (a {address: '${address}'})`;
    return { kind: 'GRAPH', text: `${start}\nMATCH p = (a)${from}[ts:TRANSFERS*1..${hops}]${to}(b)\nWHERE all(t IN ts WHERE t.value >= ${wei})\nRETURN p LIMIT 2000` };
  },
};

export const graph: Model = {
  id: 'graph',
  path: 'test/graph',
  layout: 'force',
  hubs: true,
  unit: 'count',
  kinds: ['account', 'contract', 'token'],
  controls: [{ name: 'cypher', kind: 'text', start: 'MATCH (a:EOA)-[t:TRANSFERS]->(b)\nRETURN a, t, b\nORDER BY t.value DESC\nLIMIT 300' }],
  queries: ({ cypher = '' }) => ({ kind: 'GRAPH', text: cypher }),
};
