//! Who proposes blocks, and whom the proposers pay.

use super::super::ModelQueries;
use super::{MOST_LINKS, MOST_NODES, sql};

const PARTS: &str = "WITH proposers AS (
  SELECT miner, count(*) AS blocks, min(\"timestamp\") AS at FROM blocks GROUP BY miner
), payouts AS (
  SELECT x.from_address AS source, x.to_address AS target, sum(x.value) AS size, min(x.block_timestamp) AS at
  FROM transactions x JOIN proposers p ON p.miner = x.from_address
  WHERE x.value > 0 AND x.receipt_status = 1 AND x.to_address IS NOT NULL
  GROUP BY x.from_address, x.to_address
)";

pub fn all() -> ModelQueries {
    let nodes = format!(
        "{PARTS}, received AS (
  SELECT target, sum(size) AS received, min(at) AS at FROM payouts GROUP BY target
), found AS (
  SELECT p.miner AS node, 'proposer' AS kind, p.blocks AS size, p.at, r.received
  FROM proposers p LEFT JOIN received r ON r.target = p.miner
  UNION ALL
  SELECT r.target, 'payout', 0, r.at, r.received
  FROM received r LEFT JOIN proposers p ON p.miner = r.target WHERE p.miner IS NULL
)
SELECT node, kind, size, at, received, count(*) OVER () AS total
FROM found ORDER BY size DESC, received DESC, node LIMIT {MOST_NODES}"
    );
    let links = format!(
        "{PARTS}
SELECT source, target, size, at, count(*) OVER () AS total
FROM payouts ORDER BY size DESC, source, target LIMIT {MOST_LINKS}"
    );
    sql(nodes, Some(links))
}
