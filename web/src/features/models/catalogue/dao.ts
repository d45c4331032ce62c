/** Governance: proposals, the votes on them, and who lets whom vote. */
import type { Model } from '../model';
import { mostLinks, mostNodes } from '../sql';

// Governor's and the votes token's events; the arguments are those of OpenZeppelin's contracts.
const voteCast = '0xb8e138887d0aa13bab447e82de9d5c1777041ecd21ca36ba824ff1e6c07ddda4';
const delegateChanged = '0x3134e8a2e6d97e929a7e54011ea5485d7d196dd5f0ba4d4ef95803e8e3fc257f';

const parts = `WITH votes AS (
  SELECT concat(address, ' ', bytearray_to_uint256(bytearray_substring(data, 1, 32))) AS proposal,
    concat('', bytearray_substring(topic1, 13, 20)) AS voter,
    bytearray_to_uint256(bytearray_substring(data, 33, 32)) AS support,
    bytearray_to_uint256(bytearray_substring(data, 65, 32)) AS weight, block_timestamp AS at
  FROM logs WHERE topic0 = ${voteCast}
), delegations AS (
  SELECT concat('', bytearray_substring(topic1, 13, 20)) AS holder, concat('', bytearray_substring(topic3, 13, 20)) AS delegate, block_timestamp AS at
  FROM logs WHERE topic0 = ${delegateChanged}
)`;

export const dao: Model = {
  id: 'dao',
  path: 'dao_model',
  layout: 'force',
  unit: 'raw',
  kinds: ['proposal', 'votedFor', 'votedAgainst', 'abstained', 'delegate', 'delegator'],
  controls: [],
  queries: () => ({
    kind: 'SQL',
    nodes: `${parts}, found AS (
  SELECT proposal AS node, 1 AS place, 'proposal' AS kind, weight, at FROM votes
  UNION ALL
  SELECT voter, 2, CASE WHEN support = 1 THEN 'votedFor' WHEN support = 0 THEN 'votedAgainst' ELSE 'abstained' END, weight, at FROM votes
  UNION ALL
  SELECT delegate, 3, 'delegate', 0, at FROM delegations
  UNION ALL
  SELECT holder, 4, 'delegator', 0, at FROM delegations
)
SELECT node, first_value(kind ORDER BY place, at) AS kind, sum(weight) AS size, min(at) AS at, count(*) AS events, count(*) OVER () AS total
FROM found GROUP BY node ORDER BY size DESC, node ${mostNodes}`,
    links: `${parts}, found AS (
  SELECT voter AS source, proposal AS target, weight AS size, at FROM votes
  UNION ALL
  SELECT holder, delegate, 0, at FROM delegations WHERE holder <> delegate
)
SELECT source, target, max(size) AS size, min(at) AS at, count(*) OVER () AS total
FROM found GROUP BY source, target ORDER BY size DESC, source, target ${mostLinks}`,
  }),
};
