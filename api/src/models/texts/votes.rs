//! Governance: proposals, the votes on them, and who lets whom vote.

use super::super::ModelQueries;
use super::{MOST_LINKS, MOST_NODES, sql};

/// Events of a governor and of its token of votes; the arguments are those of OpenZeppelin's contracts.
const VOTE_CAST: &str = "0xb8e138887d0aa13bab447e82de9d5c1777041ecd21ca36ba824ff1e6c07ddda4";
const DELEGATE_CHANGED: &str = "0x3134e8a2e6d97e929a7e54011ea5485d7d196dd5f0ba4d4ef95803e8e3fc257f";

pub fn all() -> ModelQueries {
    let parts = format!(
        "WITH votes AS (
  SELECT concat(address, ' ', bytearray_to_uint256(bytearray_substring(data, 1, 32))) AS proposal,
    concat('', bytearray_substring(topic1, 13, 20)) AS voter,
    bytearray_to_uint256(bytearray_substring(data, 33, 32)) AS support,
    bytearray_to_uint256(bytearray_substring(data, 65, 32)) AS weight, block_timestamp AS at
  FROM logs WHERE topic0 = {VOTE_CAST}
), delegations AS (
  SELECT concat('', bytearray_substring(topic1, 13, 20)) AS holder, concat('', bytearray_substring(topic3, 13, 20)) AS delegate,
    block_timestamp AS at
  FROM logs WHERE topic0 = {DELEGATE_CHANGED}
)"
    );
    let nodes = format!(
        "{parts}, found AS (
  SELECT proposal AS node, 1 AS place, 'proposal' AS kind, weight, at FROM votes
  UNION ALL
  SELECT voter, 2, CASE WHEN support = 1 THEN 'votedFor' WHEN support = 0 THEN 'votedAgainst' ELSE 'abstained' END, weight, at
  FROM votes
  UNION ALL
  SELECT delegate, 3, 'delegate', 0, at FROM delegations
  UNION ALL
  SELECT holder, 4, 'delegator', 0, at FROM delegations
)
SELECT node, first_value(kind ORDER BY place, at) AS kind, sum(weight) AS size, min(at) AS at, count(*) AS events,
  count(*) OVER () AS total
FROM found GROUP BY node ORDER BY size DESC, node LIMIT {MOST_NODES}"
    );
    let links = format!(
        "{parts}, found AS (
  SELECT voter AS source, proposal AS target, weight AS size, at FROM votes
  UNION ALL
  SELECT holder, delegate, 0, at FROM delegations WHERE holder <> delegate
)
SELECT source, target, max(size) AS size, min(at) AS at, count(*) OVER () AS total
FROM found GROUP BY source, target ORDER BY size DESC, source, target LIMIT {MOST_LINKS}"
    );
    sql(nodes, Some(links))
}
