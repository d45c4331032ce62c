import { describe as suite, expect, it } from 'vitest';
import { formatCypher } from './format';
import { describe, suggest } from './suggest';

const at = (marked: string, asked = false) => suggest(marked.replace('|', ''), marked.indexOf('|'), asked);
const labels = (marked: string) => at(marked)?.options.map((one) => one.label) ?? [];

suite('suggestions of Cypher', () => {
  it('offers labels in nodes and types in edges', () => {
    expect(labels('match (a:E|)')).toContain('EOA');
    expect(labels('match (a:E|)')).not.toContain('TRANSFER');
    expect(labels('match (a)-[t:|]->(b)')).toContain('TOKEN_TRANSFERS');
    expect(labels('match (a)-[t:|]->(b)')).not.toContain('EOA');
  });

  it('offers the properties of what the variable is', () => {
    expect(labels('match (a:EOA)-[t:TRANSFER]->(b) return a.|')).toContain('outDegree');
    expect(labels('match (a:EOA)-[t:TRANSFER]->(b) return a.|')).not.toContain('value');
    expect(labels('match (a:EOA)-[t:TRANSFER]->(b) return t.v|')).toContain('value');
  });

  it('replaces the whole name of a procedure, and knows its columns', () => {
    expect(at('call qua|')?.from).toBe(5);
    expect(at('call quarry.p|')?.from).toBe(5);
    expect(labels('call quarry.p|')).toContain('quarry.pagerank');
    expect(labels('call quarry.pagerank({}) yield |')).toEqual(['node', 'score']);
  });

  it('offers variables, functions and words elsewhere, and stays silent in texts and comments', () => {
    expect(labels('match (abc) return ab|')).toContain('abc');
    expect(labels('match (a) re|')).toContain('RETURN');
    for (const text of ["return 'fr|om'", '// sel|', 'return $na|', 'return 12|', 'match (a) |']) expect(at(text)).toBeNull();
  });
});

suite('descriptions of Cypher', () => {
  const on = (marked: string) => describe(marked.replace('|', ''), marked.indexOf('|'));
  it('explains functions, procedures, labels, types and properties', () => {
    expect(on('return col|lect(a)')).toMatchObject({ title: 'collect(x)', detail: 'aggregate' });
    expect(on('call quarry.page|rank({})')?.title).toContain('YIELD node, score');
    expect(on('match (a:EO|A) return a')).toMatchObject({ title: 'EOA', detail: 'label' });
    expect(on('match ()-[t:CRE|ATED]->() return t')).toMatchObject({ detail: 'type' });
    expect(on('match (a) return a.deg|ree')).toMatchObject({ title: 'degree', detail: 'node' });
    expect(on('mat|ch (a) return a')).toBeNull();
  });
});

suite('format of Cypher', () => {
  it('puts clauses on lines and keeps what stands inside', () => {
    expect(formatCypher("match (a:EOA)-[t:TRANSFER]->(b) where a.name starts with 'x  y' and exists { match (a)--(b) } return a, b order by a.address limit 5")).toBe(
      "MATCH (a:EOA)-[t:TRANSFER]->(b)\n  WHERE a.name STARTS WITH 'x  y' AND EXISTS { match (a)--(b) }\nRETURN a, b\n  ORDER BY a.address\n  LIMIT 5\n",
    );
  });

  it('changes nothing when it is done twice, and keeps comments', () => {
    const once = formatCypher('// who\nmatch (a) // all\nreturn a.limit');
    expect(once).toBe('// who\nMATCH (a) // all\nRETURN a.limit\n');
    expect(formatCypher(once)).toBe(once);
  });
});
