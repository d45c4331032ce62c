//! Nodes and edges of the result of a GRAPH query, for drawing; stored next to its rows.

use serde_json::Value;

use super::{GRAPH, StoredResult, damaged};
use quarry_lake::checksums::strip_checksum;
use quarry_types::{Error, Result};

/// The nodes and edges that are drawn. The totals include those that were left out.
#[derive(Debug, Clone, Default, PartialEq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ResultGraph {
    /// Each `{id, labels, properties}`.
    pub nodes: Vec<Value>,
    /// Each `{id, type, source, target, properties}`; both ends are among the nodes.
    pub edges: Vec<Value>,
    pub nodes_total: u64,
    pub edges_total: u64,
}

impl StoredResult {
    /// The nodes and edges of the result; empty if it has none. Blocks on disk reads.
    pub fn graph(&self) -> Result<ResultGraph> {
        match std::fs::read(self.path().with_extension(GRAPH)) {
            Ok(text) => {
                let text = strip_checksum(&text).map_err(damaged)?;
                serde_json::from_slice(text).map_err(damaged)
            }
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(ResultGraph::default()),
            Err(error) => Err(Error::internal(error)),
        }
    }
}
