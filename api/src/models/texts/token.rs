//! The holders of one token and what moved between them.

use super::super::ModelQueries;
use super::super::values::{ModelValues, address};
use super::{KIND_OF_ADDRESS, MOST_LINKS, MOST_NODES, ZERO, sql};
use crate::http::ApiError;

/// The default token: the one with the most transfers.
const BUSIEST: &str = "(SELECT token_address FROM token_transfers GROUP BY token_address \
    ORDER BY count(*) DESC, token_address LIMIT 1)";

pub fn holders(values: &ModelValues) -> Result<ModelQueries, ApiError> {
    let token = address("token", values.token.as_deref())?;
    let token = token.as_deref().unwrap_or(BUSIEST);
    let moves = format!(
        "WITH moves AS (
  SELECT from_address AS source, to_address AS target, value, block_timestamp AS at
  FROM token_transfers WHERE token_address = {token}
)"
    );
    let nodes = format!(
        "{moves}, ins AS (
  SELECT target AS node, sum(value) AS received, count(*) AS times, min(at) AS at FROM moves GROUP BY target
), outs AS (
  SELECT source AS node, sum(value) AS sent, count(*) AS times, min(at) AS at FROM moves GROUP BY source
), holders AS (
  SELECT coalesce(i.node, o.node) AS node, i.received, o.sent,
    CASE WHEN o.sent IS NULL THEN i.received WHEN i.received > o.sent THEN i.received - o.sent END AS balance,
    coalesce(i.times, 0) + coalesce(o.times, 0) AS transfers, least(coalesce(i.at, o.at), coalesce(o.at, i.at)) AS at
  FROM ins i FULL JOIN outs o ON i.node = o.node
)
SELECT h.node, CASE WHEN h.node = {ZERO} THEN 'zero' ELSE {KIND_OF_ADDRESS} END AS kind, c.name,
  h.balance AS size, h.at, h.received, h.sent, h.transfers, count(*) OVER () AS total
FROM holders h LEFT JOIN contracts c ON c.address = h.node
ORDER BY h.transfers DESC, h.node LIMIT {MOST_NODES}"
    );
    let links = format!(
        "{moves}
SELECT source, target, count(*) AS size, min(at) AS at, count(*) OVER () AS total
FROM moves GROUP BY source, target ORDER BY size DESC, source, target LIMIT {MOST_LINKS}"
    );
    Ok(sql(nodes, Some(links)))
}
