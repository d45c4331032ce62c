//! The graphs of one engine, and the limits of queries on them.

use std::sync::{Arc, Mutex, PoisonError};

use crate::graph::{JsonGraph, NewestGraph};
use quarry_labels::Labels;
use quarry_lake::Lake;
use quarry_runtime::results::{ResultLimits, ResultStore};
use quarry_types::Result;

/// How much one graph query may take.
#[derive(Debug, Clone, Copy)]
pub struct GraphLimits {
    /// Bytes of its text.
    pub text: usize,
    /// Bytes of memory that the address graph may take.
    pub memory: usize,
    pub result: ResultLimits,
}

/// The graphs that queries of one engine run on: a graph file where one was loaded, else the chain's address graph.
pub struct Graphs {
    pub(crate) lake: Lake,
    pub(crate) labels: Arc<Labels>,
    pub(crate) results: ResultStore,
    pub(crate) limits: GraphLimits,
    /// A small property graph in place of the chain.
    file: Mutex<Option<Arc<JsonGraph>>>,
    /// The address graph of the newest snapshot that a query read; `None` before the first query.
    pub(crate) chain: NewestGraph,
}

impl Graphs {
    pub fn new(lake: Lake, labels: Arc<Labels>, results: ResultStore, limits: GraphLimits) -> Graphs {
        Graphs { lake, labels, results, limits, file: Mutex::default(), chain: NewestGraph::default() }
    }

    /// Reads the text of a graph file; queries run on it from now on.
    ///
    /// # Errors
    ///
    /// The text is no graph file.
    pub fn load(&self, text: &str) -> Result<()> {
        let graph = JsonGraph::parse(text)?;
        *self.file.lock().unwrap_or_else(PoisonError::into_inner) = Some(Arc::new(graph));
        Ok(())
    }

    pub(crate) fn file(&self) -> Option<Arc<JsonGraph>> {
        self.file.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}
