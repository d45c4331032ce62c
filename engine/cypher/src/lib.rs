//! GRAPH queries: read-only openCypher over the address graph of the chain or a graph file.
//!
//! A query is parsed (`parser`, into the syntax tree of the crate `open_cypher`), analyzed (`semantic_analysis`, into a
//! `logical_plan`) and executed (`operators` and `expressions`, which share the `executor`).

mod executor;
mod expressions;
mod functions;
mod graph;
mod graphs;
mod job;
mod logical_plan;
mod memory_budget;
mod operators;
mod parser;
mod procedures;
mod query_text;
mod result;
mod semantic_analysis;
mod session;
#[cfg(test)]
mod tests;
mod values;

pub use graphs::{GraphLimits, Graphs};
pub use job::GraphJob;
pub use session::Session;
