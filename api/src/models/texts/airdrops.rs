//! Airdrops: who gave to whom, and which of those who received acted alike.

use super::super::ModelQueries;
use super::super::values::{ModelValues, choice};
use super::{MOST_LINKS, MOST_NODES, sql};
use crate::http::ApiError;

/// A token's giver is an airdrop when a thousand addresses or more got the token from it, each once.
const DROPS: &str = "WITH counts AS (
  SELECT token_address, from_address AS giver, to_address AS person, value, block_timestamp AS at,
    count(*) OVER (PARTITION BY token_address, from_address) AS gifts,
    count(*) OVER (PARTITION BY token_address, from_address, to_address) AS again
  FROM token_transfers WHERE standard = 'erc20'
), repeats AS (
  SELECT *, max(again) OVER (PARTITION BY token_address, giver) AS most FROM counts WHERE gifts >= 1000
), given AS (
  SELECT token_address, giver, person, value, at FROM repeats WHERE most = 1
)";

pub fn given() -> ModelQueries {
    let nodes = format!(
        "{DROPS}, onward AS (
  SELECT g.person, max(CASE WHEN c.address IS NULL THEN 0 ELSE 1 END) AS to_contract
  FROM given g JOIN token_transfers t
    ON t.from_address = g.person AND t.token_address = g.token_address AND t.block_timestamp >= g.at
  LEFT JOIN contracts c ON c.address = t.to_address GROUP BY g.person
), found AS (
  SELECT giver AS node, 'distributor' AS kind, sum(value) AS size, min(at) AS at, 0 AS place FROM given GROUP BY giver
  UNION ALL
  SELECT g.person, CASE WHEN o.person IS NULL THEN 'kept' WHEN o.to_contract = 1 THEN 'sold' ELSE 'forwarded' END,
    sum(g.value), min(g.at), 1
  FROM given g LEFT JOIN onward o ON o.person = g.person GROUP BY g.person, o.person, o.to_contract
)
SELECT node, kind, size, at, count(*) OVER () AS total FROM found ORDER BY place, node LIMIT {MOST_NODES}"
    );
    let links = format!(
        "{DROPS}
SELECT giver AS source, person AS target, value AS size, at, count(*) OVER () AS total
FROM given ORDER BY target, source LIMIT {MOST_LINKS}"
    );
    sql(nodes, Some(links))
}

/// A step is a contract, the function called and the day. Two who received are as similar as the number of steps they
/// share, counting only steps of at most 5 % of all who received: the claim itself makes nobody suspect.
pub fn alike(values: &ModelValues) -> Result<ModelQueries, ApiError> {
    let similarity = choice("similarity", values.similarity.as_deref(), &["2", "5", "8"], "5")?;
    let only_poor = choice("poor", values.poor.as_deref(), &["0", "1"], "1")? == "1";
    let wanted = if only_poor { " WHERE balance < 100000000000000000" } else { "" };
    let alike = format!(
        "{DROPS}, people AS (
  SELECT DISTINCT person FROM given
), steps AS (
  SELECT DISTINCT x.from_address AS person,
    concat_ws('', x.to_address, bytearray_substring(x.input, 1, 4), date_trunc('day', x.block_timestamp)) AS step
  FROM transactions x JOIN people p ON p.person = x.from_address WHERE x.to_address IS NOT NULL
), counted AS (
  SELECT person, step, count(*) OVER (PARTITION BY step) AS sharers FROM steps
), telling AS (
  SELECT person, step FROM counted WHERE sharers > 1 AND 20 * sharers <= (SELECT count(*) FROM people)
), pairs AS (
  SELECT a.person AS source, b.person AS target, count(*) AS size
  FROM telling a JOIN telling b ON b.step = a.step AND a.person < b.person
  GROUP BY a.person, b.person HAVING count(*) >= {similarity}
)"
    );
    let nodes = format!(
        "{alike}, ends AS (
  SELECT CASE p.part WHEN 1 THEN source ELSE target END AS person, max(size) AS size, count(*) AS alike
  FROM pairs CROSS JOIN (VALUES (1), (2)) AS p(part) GROUP BY 1
), moves AS (
  SELECT CASE p.part WHEN 1 THEN to_address ELSE from_address END AS person,
    sum(CASE p.part WHEN 1 THEN value_decimal ELSE -value_decimal END) AS wei
  FROM traces CROSS JOIN (VALUES (1), (2)) AS p(part)
  WHERE status = 1 AND (trace_type <> 'call' OR call_type = 'call') GROUP BY 1
), fees AS (
  SELECT from_address AS person, sum(receipt_gas_used * receipt_effective_gas_price) AS wei
  FROM transactions GROUP BY from_address
), found AS (
  SELECT e.person, e.size, e.alike, coalesce(m.wei, 0) - coalesce(f.wei, 0) AS balance
  FROM ends e LEFT JOIN moves m ON m.person = e.person LEFT JOIN fees f ON f.person = e.person
)
SELECT person AS node, CASE WHEN balance < 100000000000000000 THEN 'poor' ELSE 'rich' END AS kind, size, alike, balance,
  count(*) OVER () AS total
FROM found{wanted}
ORDER BY size DESC, alike DESC, node LIMIT {MOST_NODES}"
    );
    let links = format!(
        "{alike}
SELECT source, target, size, count(*) OVER () AS total
FROM pairs ORDER BY size DESC, source, target LIMIT {MOST_LINKS}"
    );
    Ok(sql(nodes, Some(links)))
}
