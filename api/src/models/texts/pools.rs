//! A vampire attack: providers who left a pool and gave to another one within seven days.

use super::super::ModelQueries;
use super::{MOST_LINKS, MOST_NODES, ZERO, sql};

pub fn migrated() -> ModelQueries {
    // Shares of a pool go back to the pool when they are burned, and come from nobody when they are made.
    let migrated = format!(
        "WITH gone AS (
  SELECT from_address AS provider, token_address AS pool, min(block_timestamp) AS at, sum(value) AS shares
  FROM token_transfers WHERE to_address = token_address GROUP BY from_address, token_address
), come AS (
  SELECT to_address AS provider, token_address AS pool, min(block_timestamp) AS at, sum(value) AS shares
  FROM token_transfers WHERE standard = 'erc20' AND from_address = {ZERO} GROUP BY to_address, token_address
), moved AS (
  SELECT g.provider, g.pool AS victim, c.pool AS attacker, g.at AS left_at, c.at AS joined_at, g.shares AS taken,
    c.shares AS given, count(*) OVER (PARTITION BY g.pool, c.pool) AS people
  FROM gone g JOIN come c ON c.provider = g.provider AND c.pool <> g.pool
  WHERE c.at >= g.at AND c.at <= g.at + INTERVAL '7' DAY
), ranked AS (
  SELECT *, dense_rank() OVER (ORDER BY people DESC, victim, attacker) AS place FROM moved
)"
    );
    let nodes = format!(
        "{migrated}
SELECT CASE p.part WHEN 1 THEN r.victim WHEN 2 THEN r.attacker ELSE r.provider END AS node,
  CASE p.part WHEN 1 THEN 'victimPool' WHEN 2 THEN 'attackerPool' ELSE 'migrated' END AS kind,
  sum(CASE WHEN p.part = 2 THEN r.given ELSE r.taken END) AS size,
  min(CASE WHEN p.part = 2 THEN r.joined_at ELSE r.left_at END) AS at, count(*) OVER () AS total
FROM ranked r CROSS JOIN (VALUES (1), (2), (3)) AS p(part) WHERE r.place = 1
GROUP BY 1, 2 ORDER BY size DESC, node LIMIT {MOST_NODES}"
    );
    let links = format!(
        "{migrated}
SELECT r.provider AS source, CASE p.part WHEN 1 THEN r.victim ELSE r.attacker END AS target,
  CASE p.part WHEN 1 THEN r.taken ELSE r.given END AS size,
  CASE p.part WHEN 1 THEN r.left_at ELSE r.joined_at END AS at, count(*) OVER () AS total
FROM ranked r CROSS JOIN (VALUES (1), (2)) AS p(part) WHERE r.place = 1
ORDER BY size DESC, source, target LIMIT {MOST_LINKS}"
    );
    sql(nodes, Some(links))
}
