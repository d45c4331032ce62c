//! The language as its users see it, on small graphs.

mod clauses;
mod conformance;
mod errors;
mod expressions;
mod fuzz;
mod notation;
mod paths;
mod refusals;
mod reported;
mod times;

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use datafusion::execution::memory_pool::{GreedyMemoryPool, MemoryPool};
use serde_json::Value as Json;

use crate::executor::{Executor, Row};
use crate::graph::{Flow, JsonGraph, PropertyGraph};
use crate::memory_budget::MemoryBudget;
use crate::parser;
use crate::query_text::QueryText;
use crate::semantic_analysis::analyze;
use crate::values::{Map, Value};
use quarry_types::Result;

/// Column names, and rows in the notation of conformance suites.
type Answer = (Vec<String>, Vec<Vec<Json>>);

/// Runs a query over a graph; returns its columns.
fn execute(
    graph: &dyn PropertyGraph,
    text: &str,
    parameters: &Map,
    sink: &mut dyn FnMut(&mut Row) -> Result<Flow>,
) -> Result<Vec<String>> {
    let pool: Arc<dyn MemoryPool> = Arc::new(GreedyMemoryPool::new(64 << 20));
    let budget = MemoryBudget::new(&pool, Arc::new(AtomicBool::new(false)));
    let parsed = parser::parse(text, 1 << 20)?;
    let query = analyze(QueryText(text), &parsed, graph, parameters)?;
    let _ = Executor::new(QueryText(text), graph, &budget).query(&query, &Row::new(), sink)?;
    Ok(query.columns)
}

/// Runs a query over a graph, on a stack like that of a job.
fn run_on(graph: &dyn PropertyGraph, text: &str, parameters: &Map) -> Result<Answer> {
    let run = || {
        let mut rows = Vec::new();
        let columns = execute(graph, text, parameters, &mut |row| {
            rows.push(row.iter().map(|value| notation::of_value(value, graph)).collect());
            Ok(Flow::Continue(()))
        })?;
        Ok((columns, rows))
    };
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().stack_size(crate::job::STACK).spawn_scoped(scope, run).unwrap();
        thread.join().unwrap()
    })
}

/// The value that the first row of a query has in its only column.
fn value_of(graph: &dyn PropertyGraph, text: &str) -> Result<Value> {
    let mut value = Value::Null;
    execute(graph, text, &Map::new(), &mut |row| {
        value = row[0].clone();
        Ok(Flow::Break(()))
    })?;
    Ok(value)
}

/// The rows of a query over a graph given as JSON.
fn rows(graph: &str, text: &str) -> Vec<Vec<Json>> {
    let graph = JsonGraph::parse(graph).unwrap();
    run_on(&graph, text, &Map::new()).unwrap_or_else(|error| panic!("{text}: {error}")).1
}

/// Asserts the rows of a query, in the order they come in.
#[track_caller]
fn assert_rows(graph: &str, text: &str, expected: &[&[&str]]) {
    let expected: Vec<Vec<Json>> =
        expected.iter().map(|row| row.iter().map(|cell| notation::of_text(cell)).collect()).collect();
    assert_eq!(rows(graph, text), expected, "{text}");
}

/// Asserts the one value that `RETURN` of an expression gives.
#[track_caller]
fn assert_value(expression: &str, expected: &str) {
    assert_rows("{}", &format!("RETURN {expression}"), &[&[expected]]);
}
