// A saved graph as the table that graph charts are drawn from: nodes and edges in cells, as a graph query answers them.
import type { Schemas } from '@/api/call';
import type { ResultTable } from '@/viz/types';

export type Graph = Schemas['GraphContent'];

export function graphTable({ nodes = [], edges = [] }: Graph): ResultTable {
  const rows = [
    ...nodes.map((node) => [{ id: node.id, labels: node.category ? [node.category] : [], properties: { ...node.properties, name: node.name ?? node.id } }]),
    ...edges.map((edge) => [{ source: edge.source, target: edge.target, type: edge.name ?? '' }]),
  ];
  return { columns: [{ name: 'part', type: 'node' }], rows, total: rows.length };
}
