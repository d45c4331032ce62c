import { expect, it } from 'vitest';
import { graphText } from './graph-values';

const first = { id: '0x6f68c096fac017311a949584e9c65e54ab521b8c', labels: ['Address', 'EOA', 'Whale'], properties: {} };
const second = { id: '0x7ea4da5e0aeac08c0bee20342504ed59bce30108', labels: ['Address'], properties: {} };
const paid = { id: 0, type: 'TRANSFER', source: first.id, target: second.id, properties: {} };

it('writes nodes by what they are and relationships by their ends', () => {
  expect(graphText(first)).toBe('(:EOA 0x6f68…1b8c)');
  expect(graphText(second)).toBe('(:Address 0x7ea4…0108)');
  expect(graphText(paid)).toBe('(0x6f68…1b8c)-[:TRANSFER]->(0x7ea4…0108)');
});

it('writes paths in the direction of their relationships', () => {
  expect(graphText({ nodes: [first, second], relationships: [paid] })).toBe('(:EOA 0x6f68…1b8c)-[:TRANSFER]->(:Address 0x7ea4…0108)');
  expect(graphText({ nodes: [second, first], relationships: [paid] })).toBe('(:Address 0x7ea4…0108)<-[:TRANSFER]-(:EOA 0x6f68…1b8c)');
});

it('writes lists of them, and leaves other values alone', () => {
  expect(graphText([first, second])).toBe('[(:EOA 0x6f68…1b8c), (:Address 0x7ea4…0108)]');
  for (const value of [null, 1, 'text', [], [1, first], { id: 1 }, { nodes: [1], relationships: [] }]) expect(graphText(value)).toBeNull();
});
