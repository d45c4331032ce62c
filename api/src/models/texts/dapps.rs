//! Contracts and the people who call them: which contracts share people, and who called what in a month.

use super::super::ModelQueries;
use super::super::values::ModelValues;
use super::{KIND_OF_ADDRESS, MOST_LINKS, MOST_NODES, on_day, sql};
use crate::http::ApiError;

/// Each brings one person at most, so that people and contracts together are not more than are drawn.
const MOST_USES: usize = 2_800;

pub fn relation(values: &ModelValues) -> Result<ModelQueries, ApiError> {
    let uses = uses(&on_day("x.block_timestamp", &values.day()?));
    let nodes = format!(
        "WITH {uses}
SELECT a.app AS node, {KIND_OF_ADDRESS} AS kind, coalesce(d.name, c.name) AS name, d.dapp_type, a.people AS size, a.at, a.calls,
  count(*) OVER () AS total
FROM (SELECT app, count(*) AS people, sum(times) AS calls, min(at) AS at FROM uses GROUP BY app) a
JOIN contracts c ON c.address = a.app LEFT JOIN labels.dapps d ON d.address = a.app
ORDER BY a.people DESC, a.app LIMIT {MOST_NODES}"
    );
    let links = format!(
        "WITH {uses}
SELECT a.app AS source, b.app AS target, count(*) AS size, min(a.at) AS at, count(*) OVER () AS total
FROM uses a JOIN uses b ON b.person = a.person AND a.app < b.app
GROUP BY a.app, b.app ORDER BY size DESC, source, target LIMIT {MOST_LINKS}"
    );
    Ok(sql(nodes, Some(links)))
}

pub fn users(values: &ModelValues) -> Result<ModelQueries, ApiError> {
    let (start, end) = values.month()?;
    let (start, end) = (format!("TIMESTAMP '{start} 00:00:00'"), format!("TIMESTAMP '{end} 00:00:00'"));
    let uses = uses(&format!("x.block_timestamp >= {start} AND x.block_timestamp < {end}"));
    let shown = format!(
        "WITH {uses}, shown AS (
  SELECT app, person, at, times, count(*) OVER () AS total FROM uses ORDER BY times DESC, person, app LIMIT {MOST_USES}
)"
    );
    let nodes = format!(
        "{shown}, known AS (
  SELECT from_address AS person, min(block_timestamp) AS first FROM transactions GROUP BY from_address
), found AS (
  SELECT u.app AS node, {KIND_OF_ADDRESS} AS kind, coalesce(d.name, c.name) AS name, sum(u.times) AS size, min(u.at) AS at,
    count(*) AS partners, 1 AS place
  FROM shown u JOIN contracts c ON c.address = u.app LEFT JOIN labels.dapps d ON d.address = u.app
  GROUP BY u.app, c.address, c.is_erc20, c.is_erc721, c.is_erc1155, coalesce(d.name, c.name)
  UNION ALL
  SELECT u.person, CASE WHEN k.first >= {start} THEN 'newcomer' ELSE 'returning' END, NULL, sum(u.times), min(u.at),
    count(*), 2
  FROM shown u JOIN known k ON k.person = u.person GROUP BY u.person, k.first
)
SELECT node, kind, name, size, at, partners, count(*) OVER () AS total
FROM found ORDER BY place, size DESC, node LIMIT {MOST_NODES}"
    );
    let links = format!(
        "{shown}
SELECT person AS source, app AS target, times AS size, at, total FROM shown ORDER BY size DESC, source, target"
    );
    Ok(sql(nodes, Some(links)))
}

/// Who called which contract how often, where `condition` holds for the transaction `x`.
fn uses(condition: &str) -> String {
    format!(
        "uses AS (
  SELECT x.to_address AS app, x.from_address AS person, min(x.block_timestamp) AS at, count(*) AS times
  FROM transactions x JOIN contracts d ON d.address = x.to_address
  WHERE {condition} AND x.receipt_status = 1
  GROUP BY x.to_address, x.from_address
)"
    )
}
