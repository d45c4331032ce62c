/** What the address graph is made of and what its language can do; `docs/graph.md` tells the same at length. */
import type { CatalogueFunction } from '../catalogue';

export interface Word {
  readonly name: string;
  readonly doc: string;
}

const words = (list: readonly (readonly [string, string])[]): Word[] => list.map(([name, doc]) => ({ name, doc }));

export const LABELS = words([
  ['Address', 'Every node.'],
  ['EOA', "A person's account."],
  ['Contract', 'An account with code.'],
  ['Token', 'A token contract.'],
]);

export const TYPES = words([
  ['TRANSFER', 'One for each successful transaction that carries ether.'],
  ['INTERNAL_TRANSFER', 'One for each movement of ether by a contract inside a transaction.'],
  ['TOKEN_TRANSFER', 'One for each token moved; `token` is the contract.'],
  ['CALL', 'One for each successful transaction with call data.'],
  ['CREATED', 'From who made a contract to the contract.'],
  ['TRANSFERS', 'All ether from one address to another, added up.'],
  ['INTERNAL_TRANSFERS', 'All internal movements between two addresses, added up.'],
  ['TOKEN_TRANSFERS', 'All movements of one token between two addresses, added up.'],
  ['CALLS', 'All calls between two addresses, added up.'],
]);

export const NODE_PROPERTIES = words([
  ['address', '0x…, lower case; found by an index'],
  ['firstSeen', 'YYYY-MM-DD HH:mm:ss, UTC'],
  ['lastSeen', 'YYYY-MM-DD HH:mm:ss, UTC'],
  ['degree', 'number of its single edges'],
  ['inDegree', 'number of single edges that end here'],
  ['outDegree', 'number of single edges that begin here'],
  ['symbol', 'of a token contract, where known'],
  ['name', 'of a token contract, where known'],
]);

export const EDGE_PROPERTIES = words([
  ['value', "exact: wei, or the token's smallest unit"],
  ['time', 'YYYY-MM-DD HH:mm:ss, UTC; as text it sorts by time'],
  ['timestamp', 'seconds since 1970'],
  ['hash', 'of the transaction'],
  ['token', 'the token contract, of token transfers'],
  ['count', 'how many, of edges that add up'],
  ['first', 'time of the first, of edges that add up'],
  ['last', 'time of the last, of edges that add up'],
]);

export interface Procedure extends CatalogueFunction {
  readonly columns: readonly string[];
}

const procedure = (name: string, call: string, columns: string, doc: string, example: string): Procedure => ({
  name,
  kind: 'procedure',
  signature: `${name}(${call}) YIELD ${columns}`,
  doc,
  example,
  columns: columns.split(', '),
});

export const PROCEDURES: readonly Procedure[] = [
  procedure('quarry.khop', 'start, hops, [options]', 'node, hop, via, stopped', 'Addresses within so many steps. Options: types, from, to, minValue, direction, stopAt, stopDegree, maxNodes.', "CALL quarry.khop(a, 3, {types: 'TRANSFER'})"),
  procedure('quarry.cycles', 'start, [options]', 'nodes, relationships', 'Ways that lead back to the start. Options: types, from, to, minValue, maxLength (2 or 3).', 'CALL quarry.cycles(a, {maxLength: 3})'),
  procedure('quarry.wcc', '[options]', 'node, component, size', 'Parts that hang together, whatever the direction.', "CALL quarry.wcc({types: 'TRANSFER'})"),
  procedure('quarry.scc', '[options]', 'node, component, size', 'Parts in which every address reaches every other.', "CALL quarry.scc({types: 'TRANSFER'})"),
  procedure('quarry.pagerank', '[options]', 'node, score', 'How important an address is by who leads to it. Options: iterations, damping.', "CALL quarry.pagerank({types: 'TRANSFER'})"),
  procedure('quarry.communities', '[options]', 'node, community, size', 'Groups that deal mostly among themselves, by label propagation.', "CALL quarry.communities({types: 'TRANSFER'})"),
  procedure('quarry.jaccard', 'start, [options]', 'node, similarity, common', 'Addresses with the same neighbours. Options: direction, maxDegree.', 'CALL quarry.jaccard(a, {})'),
  procedure('db.labels', '', 'label', 'The labels there are.', 'CALL db.labels()'),
  procedure('db.relationshipTypes', '', 'relationshipType', 'The types of edges there are.', 'CALL db.relationshipTypes()'),
  procedure('db.propertyKeys', '', 'propertyKey', 'The properties there are.', 'CALL db.propertyKeys()'),
];

const fn = (signature: string, doc: string, example: string, kind = 'scalar'): CatalogueFunction => ({ name: signature.slice(0, signature.indexOf('(')), kind, signature, doc, example: `RETURN ${example}` });

export const FUNCTIONS: readonly CatalogueFunction[] = [
  fn('count(x)', 'Rows with a value; count(*) counts all.', 'count(*)', 'aggregate'),
  fn('sum(x)', 'The sum.', 'sum(1)', 'aggregate'),
  fn('avg(x)', 'The mean.', 'avg(1)', 'aggregate'),
  fn('min(x)', 'The smallest.', 'min(1)', 'aggregate'),
  fn('max(x)', 'The largest.', 'max(1)', 'aggregate'),
  fn('collect(x)', 'All values as a list.', 'collect(1)', 'aggregate'),
  fn('stDev(x)', 'Standard deviation of a sample.', 'stDev(1)', 'aggregate'),
  fn('percentileCont(x, share)', 'A percentile between values.', 'percentileCont(1, 0.5)', 'aggregate'),
  fn('percentileDisc(x, share)', 'A percentile that is one of the values.', 'percentileDisc(1, 0.5)', 'aggregate'),
  fn('coalesce(a, b, …)', 'The first that is not null.', 'coalesce(null, 1)'),
  fn('size(list or text)', 'Number of elements or characters.', 'size([1, 2])'),
  fn('length(path)', 'Number of edges of a path.', 'length(null)'),
  fn('nodes(path)', 'The nodes of a path.', 'nodes(null)'),
  fn('relationships(path)', 'The edges of a path.', 'relationships(null)'),
  fn('startNode(edge)', 'Where an edge begins.', 'startNode(null)'),
  fn('endNode(edge)', 'Where an edge ends.', 'endNode(null)'),
  fn('labels(node)', 'The labels of a node.', 'labels(null)'),
  fn('type(edge)', 'The type of an edge.', 'type(null)'),
  fn('id(node or edge)', 'Its id: of a node its address.', 'id(null)'),
  fn('properties(node or edge)', 'All its properties as a map.', 'properties(null)'),
  fn('keys(node, edge or map)', 'The names of its properties.', 'keys({a: 1})'),
  fn('head(list)', 'The first element.', 'head([1, 2])'),
  fn('last(list)', 'The last element.', 'last([1, 2])'),
  fn('tail(list)', 'All but the first element.', 'tail([1, 2])'),
  fn('range(from, to [, step])', 'Whole numbers from one to the other.', 'range(1, 3)'),
  fn('reverse(list or text)', 'Back to front.', 'reverse([1, 2])'),
  fn('reduce(sum = start, x IN list | expression)', 'One value of a whole list.', 'reduce(s = 0, x IN [1, 2] | s + x)'),
  fn('toInteger(x)', 'As a whole number; null when it is none.', "toInteger('12')"),
  fn('toFloat(x)', 'As a number; null when it is none.', "toFloat('1.5')"),
  fn('toString(x)', 'As text.', 'toString(1)'),
  fn('toLower(text)', 'In lower case.', "toLower('A')"),
  fn('toUpper(text)', 'In upper case.', "toUpper('a')"),
  fn('trim(text)', 'Without blanks at both ends.', "trim(' a ')"),
  fn('substring(text, start [, length])', 'A part; counted from 0.', "substring('quarry', 1, 2)"),
  fn('split(text, separator)', 'A list of the parts.', "split('a,b', ',')"),
  fn('replace(text, old, new)', 'Every old part replaced.', "replace('a.b', '.', '-')"),
  fn('abs(x)', 'Without its sign.', 'abs(-1)'),
  fn('round(x [, places])', 'Rounded.', 'round(2.5)'),
  fn('floor(x)', 'The next whole number below.', 'floor(2.5)'),
  fn('ceil(x)', 'The next whole number above.', 'ceil(2.5)'),
  fn('sqrt(x)', 'Square root.', 'sqrt(4)'),
  fn('log(x)', 'Natural logarithm.', 'log(2)'),
  fn('date(x)', 'A day.', "date('2026-03-01')"),
  fn('datetime(x)', 'A moment.', "datetime('2026-03-01T10:00:00')"),
  fn('duration(x)', 'A length of time.', "duration('P1D')"),
  fn('shortestPath(pattern)', 'A shortest path between two nodes.', '1'),
  fn('allShortestPaths(pattern)', 'All shortest paths between two nodes.', '1'),
];

export const KEYWORDS = [
  'MATCH', 'OPTIONAL MATCH', 'WHERE', 'WITH', 'RETURN', 'RETURN DISTINCT', 'DISTINCT', 'ORDER BY', 'SKIP', 'LIMIT', 'UNWIND', 'UNION', 'UNION ALL', 'CALL', 'YIELD', 'AS', 'AND', 'OR', 'XOR', 'NOT', 'IN', 'STARTS WITH', 'ENDS WITH', 'CONTAINS', 'IS NULL', 'IS NOT NULL',
  'CASE', 'WHEN', 'THEN', 'ELSE', 'END', 'ASC', 'DESC', 'EXISTS', 'COUNT', 'ALL', 'ANY', 'NONE', 'SINGLE', 'TRUE', 'FALSE', 'NULL',
] as const;
