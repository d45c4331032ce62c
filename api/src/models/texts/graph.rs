//! Queries of the address graph: three hops around an address, and the largest transfers.

use super::super::values::{ModelValues, address, choice};
use super::super::{ModelQueries, ModelQueryKind};
use super::ZERO;
use crate::http::ApiError;

pub fn hops(values: &ModelValues) -> Result<ModelQueries, ApiError> {
    let hops = choice("hops", values.hops.as_deref(), &["1", "2", "3"], "3")?;
    let (from, to) = match choice("direction", values.direction.as_deref(), &["out", "in", "both"], "out")? {
        "in" => ("<-", "-"),
        "both" => ("-", "-"),
        _ => ("-", "->"),
    };
    let wei = match choice("least", values.least.as_deref(), &["0", "0.1", "1", "10"], "1")? {
        "0" => "0",
        "0.1" => "100000000000000000",
        "10" => "10000000000000000000",
        _ => "1000000000000000000",
    };
    let start = match address("address", values.address.as_deref())? {
        Some(address) => format!("MATCH (a {{address: '{address}'}})"),
        // The account that sent most often.
        None => {
            format!("MATCH (a:EOA) WHERE a.address <> '{ZERO}'\nWITH a ORDER BY a.outDegree DESC, a.address LIMIT 1")
        }
    };
    Ok(graph(format!(
        "{start}
MATCH p = (a){from}[ts:TRANSFERS*1..{hops}]{to}(b)
WHERE all(t IN ts WHERE t.value >= {wei})
RETURN p LIMIT 2000"
    )))
}

pub fn largest() -> ModelQueries {
    graph("MATCH (a:EOA)-[t:TRANSFERS]->(b)\nRETURN a, t, b\nORDER BY t.value DESC\nLIMIT 300".to_string())
}

fn graph(text: String) -> ModelQueries {
    ModelQueries { kind: ModelQueryKind::Graph, nodes: text, links: None }
}
