/** Pieces of SQL that several models are made of. */
import { MOST_LINKS, MOST_NODES } from './model';

const second = (ms: number): string => new Date(ms).toISOString().slice(0, 19).replace('T', ' ');

/** A moment as a literal. */
export const moment = (ms: number): string => `TIMESTAMP '${second(ms)}'`;

/** The condition that a time lies on a day (`YYYY-MM-DD`). */
export const onDay = (column: string, day: string): string => `${column} >= TIMESTAMP '${day} 00:00:00' AND ${column} < TIMESTAMP '${day} 00:00:00' + INTERVAL '1' DAY`;

export const mostNodes = `LIMIT ${MOST_NODES}`;
export const mostLinks = `LIMIT ${MOST_LINKS}`;

export const zero = '0x0000000000000000000000000000000000000000';

/** What an address is, as the table of contracts tells; `c` is joined to it. */
export const kindOfAddress = `CASE WHEN c.address IS NULL THEN 'account' WHEN c.is_erc20 THEN 'token' WHEN c.is_erc721 OR c.is_erc1155 THEN 'nft' ELSE 'contract' END`;

/**
 * The two queries of a network of flows. `flows` is a query with the columns `source`, `target`, `size` (a number) and
 * `at`, one row for each pair. The largest links are drawn, and the nodes at their ends.
 */
export function network(flows: string, largest = MOST_LINKS): { nodes: string; links: string } {
  const shown = `WITH flows AS (
${flows}
), shown AS (
  SELECT source, target, size, at, count(*) OVER () AS total
  FROM flows ORDER BY size DESC, source, target LIMIT ${Math.min(largest, MOST_LINKS)}
)`;
  return {
    nodes: `${shown}, ends AS (
  SELECT source AS node, size, at FROM shown UNION ALL SELECT target, size, at FROM shown
), sums AS (
  SELECT node, sum(size) AS size, min(at) AS at, count(*) AS links FROM ends GROUP BY node
)
SELECT s.node, ${kindOfAddress} AS kind, c.name, s.size, s.at, s.links, count(*) OVER () AS total
FROM sums s LEFT JOIN contracts c ON c.address = s.node
ORDER BY s.size DESC, s.node ${mostNodes}`,
    links: `${shown}
SELECT source, target, size, at, total FROM shown ORDER BY size DESC, source, target`,
  };
}
