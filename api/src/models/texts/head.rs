//! The newest blocks and their transactions, and the newest swaps.

use quarry_lake::Head;

use super::super::ModelQueries;
use super::super::values::{ModelValues, choice};
use super::{MOST_LINKS, MOST_NODES, sql};
use crate::http::ApiError;
use crate::time;

/// Topics of Uniswap's swaps, versions 2 and 3.
const SWAPS: &str = "(0xd78ad95fa46c994b6551d0da85fc275fe613ce37657fb8d5e3d130840159d822, \
    0xc42079f94a6350d7e6235f29174924f928cc2ac818eb64fed8004e115fbcca67)";

pub fn blocks(values: &ModelValues, head: Head) -> Result<ModelQueries, ApiError> {
    let blocks = choice("blocks", values.blocks.as_deref(), &["8", "24", "48"], "24")?;
    let newest = |column: &str| format!("{column} > {0} - {blocks} AND {column} <= {0}", head.number);
    let (by_number, of_block) = (newest("number"), newest("block_number"));
    let nodes = format!(
        "WITH swaps AS (
  SELECT DISTINCT transaction_hash FROM logs WHERE {of_block} AND topic0 IN {SWAPS}
), moved AS (
  SELECT transaction_hash, max(standard) AS standard FROM token_transfers WHERE {of_block} GROUP BY transaction_hash
), found AS (
  SELECT concat('block ', number) AS node, 'block' AS kind, gas_used AS size, \"timestamp\" AS at,
    transaction_count AS transactions, 0 AS place
  FROM blocks WHERE {by_number}
  UNION ALL
  SELECT concat('', x.hash),
    CASE WHEN x.receipt_status = 0 THEN 'failed' WHEN x.to_address IS NULL THEN 'creation'
      WHEN s.transaction_hash IS NOT NULL THEN 'swap' WHEN m.standard = 'erc20' THEN 'token'
      WHEN m.standard IS NOT NULL THEN 'nft' WHEN x.value > 0 THEN 'transfer' ELSE 'call' END,
    x.value, x.block_timestamp, NULL, 1
  FROM transactions x LEFT JOIN swaps s ON s.transaction_hash = x.hash LEFT JOIN moved m ON m.transaction_hash = x.hash
  WHERE {of_block}
)
SELECT node, kind, size, at, transactions, count(*) OVER () AS total
FROM found ORDER BY place, at DESC, node LIMIT {MOST_NODES}"
    );
    let links = format!(
        "SELECT concat('', hash) AS source, concat('block ', block_number) AS target, value AS size, block_timestamp AS at,
  count(*) OVER () AS total
FROM transactions WHERE {of_block} ORDER BY at DESC, source LIMIT {MOST_LINKS}"
    );
    Ok(sql(nodes, Some(links)))
}

pub fn swaps(values: &ModelValues, head: Head) -> Result<ModelQueries, ApiError> {
    let days = choice("days", values.days.as_deref(), &["1", "7", "30"], "1")?;
    let end = time::text(time::milliseconds(head.time));
    let trades = format!(
        "WITH trades AS (
  SELECT concat(tx_hash, ' ', evt_index) AS trade, version, block_time AS at, token_sold_address AS sold,
    token_bought_address AS bought, token_sold_symbol, token_bought_symbol, token_pair
  FROM dex.trades WHERE block_time > TIMESTAMP '{end}' - INTERVAL '{days}' DAY
  ORDER BY block_number DESC, evt_index DESC LIMIT 2500
)"
    );
    let nodes = format!(
        "{trades}
SELECT CASE p.part WHEN 1 THEN concat('', t.sold) WHEN 2 THEN concat('', t.bought) ELSE t.trade END AS node,
  CASE p.part WHEN 3 THEN concat('swap', t.version) ELSE 'token' END AS kind,
  max(CASE p.part WHEN 1 THEN t.token_sold_symbol WHEN 2 THEN t.token_bought_symbol ELSE t.token_pair END) AS name,
  count(*) AS size, min(t.at) AS at, count(*) OVER () AS total
FROM trades t CROSS JOIN (VALUES (1), (2), (3)) AS p(part)
GROUP BY 1, 2 ORDER BY size DESC, at DESC, node LIMIT {MOST_NODES}"
    );
    let links = format!(
        "{trades}
SELECT CASE p.part WHEN 1 THEN concat('', t.sold) ELSE t.trade END AS source,
  CASE p.part WHEN 1 THEN t.trade ELSE concat('', t.bought) END AS target, 1 AS size, t.at, count(*) OVER () AS total
FROM trades t CROSS JOIN (VALUES (1), (2)) AS p(part) ORDER BY at DESC, source, target LIMIT {MOST_LINKS}"
    );
    Ok(sql(nodes, Some(links)))
}
