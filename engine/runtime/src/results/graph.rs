//! Nodes and edges of a result, for drawing: kept beside the rows of a GRAPH query that returns some.

use serde_json::Value;

use super::{GRAPH, StoredResult, damaged};
use quarry_lake::checksums::unsealed;
use quarry_types::{Error, Result};

/// The part of a result that is drawn; the totals tell what was left out.
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
    /// The nodes and edges of the result; empty when it has none. Reads from disk, so call it off the async threads.
    pub fn graph(&self) -> Result<ResultGraph> {
        match std::fs::read(self.path().with_extension(GRAPH)) {
            Ok(text) => {
                let text = unsealed(&text).map_err(damaged)?;
                serde_json::from_slice(text).map_err(damaged)
            }
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(ResultGraph::default()),
            Err(error) => Err(Error::internal(error)),
        }
    }
}
