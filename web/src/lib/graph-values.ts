/** Nodes, relationships and paths of a graph query in one line each, as Cypher writes patterns: `(:EOA 0x28c6…1d60)`. */
import { shortHex } from './format';

interface Node {
  readonly id: unknown;
  readonly labels: readonly unknown[];
}

interface Relationship {
  readonly type: string;
  readonly source: unknown;
  readonly target: unknown;
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> => typeof value === 'object' && value !== null && !Array.isArray(value);
const isNode = (value: unknown): value is Node => isRecord(value) && 'id' in value && Array.isArray(value['labels']);
const isRelationship = (value: unknown): value is Relationship => isRecord(value) && typeof value['type'] === 'string' && 'source' in value && 'target' in value;

/** What every node is says nothing. */
const EVERY_NODE = 'Address';

const idText = (id: unknown): string => (typeof id === 'string' ? shortHex(id) : String(id));

function nodeText({ id, labels }: Node): string {
  const label = labels.find((one) => one !== EVERY_NODE) ?? labels[0];
  return typeof label === 'string' ? `(:${label} ${idText(id)})` : `(${idText(id)})`;
}

/** The value in one line; null when it is none of a graph. */
export function graphText(value: unknown): string | null {
  if (isNode(value)) return nodeText(value);
  if (isRelationship(value)) return `(${idText(value.source)})-[:${value.type}]->(${idText(value.target)})`;
  if (Array.isArray(value) && value.length > 0) {
    const parts = value.map(graphText);
    return parts.every((part) => part !== null) ? `[${parts.join(', ')}]` : null;
  }
  return isRecord(value) && Array.isArray(value['nodes']) && Array.isArray(value['relationships']) ? pathText(value['nodes'], value['relationships']) : null;
}

function pathText(nodes: readonly unknown[], relationships: readonly unknown[]): string | null {
  if (!nodes.every(isNode) || !relationships.every(isRelationship)) return null;
  return nodes
    .map((node, at) => {
      const before = relationships[at - 1];
      if (before === undefined) return nodeText(node);
      // A path may go against the direction of a relationship.
      return before.target === node.id ? `-[:${before.type}]->${nodeText(node)}` : `<-[:${before.type}]-${nodeText(node)}`;
    })
    .join('');
}
