//! Flows of ether between addresses: the largest of all, those of a day, and how the network grew on a day.

use super::super::ModelQueries;
use super::super::values::{ModelValues, choice};
use super::{KIND_OF_ADDRESS, MOST_LINKS, MOST_NODES, on_day, sql};
use crate::http::ApiError;

/// The figures of the curves.
const MEASURES: &str = "('transactions'), ('pairs'), ('addresses'), ('soFar'), ('degree'), ('value')";

/// The largest flows between addresses.
pub fn overview(values: &ModelValues) -> Result<ModelQueries, ApiError> {
    let largest = choice("largest", values.largest.as_deref(), &["500", "2000", "6000"], "2000")?;
    Ok(network(&between("value > 0"), largest))
}

/// The flows of a day.
pub fn of_day(values: &ModelValues) -> Result<ModelQueries, ApiError> {
    let day = on_day("block_timestamp", &values.day()?);
    Ok(network(&between(&day), &MOST_LINKS.to_string()))
}

/// Hour by hour, one row for each figure.
pub fn curve(values: &ModelValues) -> Result<ModelQueries, ApiError> {
    let day = on_day("block_timestamp", &values.day()?);
    let nodes = format!(
        "WITH moves AS (
  SELECT date_trunc('hour', block_timestamp) AS hour, from_address AS source, to_address AS target, value
  FROM transactions WHERE {day} AND to_address IS NOT NULL
), hours AS (
  SELECT hour, count(*) AS transactions, sum(value) AS value FROM moves GROUP BY hour
), pairs AS (
  SELECT hour, count(*) AS pairs FROM (SELECT DISTINCT hour, source, target FROM moves) p GROUP BY hour
), ends AS (
  SELECT DISTINCT hour, source AS node FROM moves UNION SELECT DISTINCT hour, target FROM moves
), addresses AS (
  SELECT hour, count(*) AS addresses FROM ends GROUP BY hour
), arrivals AS (
  SELECT hour, count(*) AS arrived FROM (SELECT node, min(hour) AS hour FROM ends GROUP BY node) f GROUP BY hour
), figures AS (
  SELECT h.hour, h.transactions, p.pairs, a.addresses, sum(coalesce(n.arrived, 0)) OVER (ORDER BY h.hour) AS so_far,
    2.0 * p.pairs / a.addresses AS degree, h.value / 1000000000000000000 AS value
  FROM hours h JOIN pairs p ON p.hour = h.hour JOIN addresses a ON a.hour = h.hour LEFT JOIN arrivals n ON n.hour = h.hour
)
SELECT concat(m.kind, ' ', f.hour) AS node, m.kind,
  CASE m.kind WHEN 'transactions' THEN CAST(f.transactions AS DOUBLE) WHEN 'pairs' THEN CAST(f.pairs AS DOUBLE)
    WHEN 'addresses' THEN CAST(f.addresses AS DOUBLE) WHEN 'soFar' THEN CAST(f.so_far AS DOUBLE)
    WHEN 'degree' THEN CAST(f.degree AS DOUBLE) ELSE CAST(f.value AS DOUBLE) END AS size, f.hour AS at
FROM figures f CROSS JOIN (VALUES {MEASURES}) AS m(kind)
ORDER BY kind, at"
    );
    Ok(sql(nodes, None))
}

fn between(condition: &str) -> String {
    format!(
        "  SELECT from_address AS source, to_address AS target, sum(value) AS size, min(block_timestamp) AS at
  FROM transactions
  WHERE {condition} AND receipt_status = 1 AND to_address IS NOT NULL AND from_address <> to_address
  GROUP BY from_address, to_address"
    )
}

/// Both queries of a network of flows. `flows` has the columns `source`, `target`, `size` (a number) and `at`, one row for
/// each pair. The largest links are drawn, and the nodes at their ends.
fn network(flows: &str, largest: &str) -> ModelQueries {
    let shown = format!(
        "WITH flows AS (
{flows}
), shown AS (
  SELECT source, target, size, at, count(*) OVER () AS total
  FROM flows ORDER BY size DESC, source, target LIMIT {largest}
)"
    );
    let nodes = format!(
        "{shown}, ends AS (
  SELECT source AS node, size, at FROM shown UNION ALL SELECT target, size, at FROM shown
), sums AS (
  SELECT node, sum(size) AS size, min(at) AS at, count(*) AS links FROM ends GROUP BY node
)
SELECT s.node, {KIND_OF_ADDRESS} AS kind, c.name, s.size, s.at, s.links, count(*) OVER () AS total
FROM sums s LEFT JOIN contracts c ON c.address = s.node
ORDER BY s.size DESC, s.node LIMIT {MOST_NODES}"
    );
    let links =
        format!("{shown}\nSELECT source, target, size, at, total FROM shown ORDER BY size DESC, source, target");
    sql(nodes, Some(links))
}
