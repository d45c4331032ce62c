//! Runs a file of conformance cases, one JSON object a line: `{id, graph, params, query, expect: {header, rows, ordered}}`.
//! By hand: `QUARRY_CYPHER_CASES=cases.jsonl cargo nextest run … --run-ignored all -E 'test(conformance_cases)'`.

use serde::Deserialize;
use serde_json::Value as Json;

use super::{notation, run_on};
use crate::graph::JsonGraph;
use crate::values::Map;

#[derive(Deserialize)]
struct Case {
    id: String,
    graph: Option<Json>,
    #[serde(default)]
    params: std::collections::BTreeMap<String, String>,
    query: String,
    expect: Expect,
}

#[derive(Deserialize)]
struct Expect {
    #[serde(default)]
    header: Vec<String>,
    #[serde(default)]
    rows: Vec<Vec<String>>,
    #[serde(default)]
    ordered: bool,
    #[serde(default)]
    ignore_list_order: bool,
}

#[test]
#[ignore = "needs a file of cases"]
#[expect(clippy::disallowed_methods, reason = "no setting of the engine: a test run by hand is told its file")]
fn conformance_cases() {
    let file = std::env::var("QUARRY_CYPHER_CASES").expect("QUARRY_CYPHER_CASES names a file of cases");
    let text = std::fs::read_to_string(file).unwrap();
    let (mut passed, mut failed) = (0, 0);
    for line in text.lines() {
        let case: Case = serde_json::from_str(line).unwrap();
        match std::panic::catch_unwind(|| check(&case)).unwrap_or_else(|_| Err("panicked".to_string())) {
            Ok(()) => passed += 1,
            Err(why) => {
                failed += 1;
                println!("{}\n{}\n{why}\n", case.id, case.query);
            }
        }
    }
    println!("{passed} passed, {failed} failed");
    assert_eq!(failed, 0);
}

fn check(case: &Case) -> Result<(), String> {
    let graph = case.graph.as_ref().map_or("{}".to_string(), Json::to_string);
    let graph = JsonGraph::parse(&graph).map_err(|error| error.to_string())?;
    let mut parameters = Map::new();
    for (name, value) in &case.params {
        parameters.insert(name.as_str().into(), parameter(value)?);
    }
    let (header, mut rows) = run_on(&graph, &case.query, &parameters).map_err(|error| error.to_string())?;
    let mut expected: Vec<Vec<Json>> =
        case.expect.rows.iter().map(|row| row.iter().map(|cell| notation::of_text(cell)).collect()).collect();
    if header != case.expect.header {
        return Err(format!("columns {header:?}, expected {:?}", case.expect.header));
    }
    if case.expect.ignore_list_order {
        rows.iter_mut().chain(&mut expected).flatten().for_each(sort_lists);
    }
    if !case.expect.ordered {
        rows.sort_by_key(|row| Json::Array(row.clone()).to_string());
        expected.sort_by_key(|row| Json::Array(row.clone()).to_string());
    }
    if rows == expected {
        Ok(())
    } else {
        Err(format!("got {}\nnot {}", Json::from(show(&rows)), Json::from(show(&expected))))
    }
}

fn show(rows: &[Vec<Json>]) -> Vec<Json> {
    rows.iter().map(|row| Json::Array(row.clone())).collect()
}

fn sort_lists(value: &mut Json) {
    if let Json::Array(items) = value {
        items.iter_mut().for_each(sort_lists);
        items.sort_by_key(Json::to_string);
    }
}

/// A parameter is written as an expression without variables.
fn parameter(text: &str) -> Result<crate::values::Value, String> {
    let graph = JsonGraph::default();
    super::value_of(&graph, &format!("RETURN {text}")).map_err(|error| error.to_string())
}
