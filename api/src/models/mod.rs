//! The official queries of the 3D models. Anyone may read their rows, including visitors. Only these queries run, they read only
//! public tables, and the caller's account plays no part. Their cost is bounded: few run at a time, each has a deadline, each
//! address has a rate limit, and rows are cached for everyone.

mod texts;
pub mod values;

use std::collections::HashMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

use quarry_engine::Engine;
use quarry_lake::SnapshotId;
use quarry_runtime::job::Schemas;
use serde::Serialize;
use tokio::sync::{Mutex, Semaphore};
use utoipa::ToSchema;

use crate::http::ApiError;
use crate::jobs::ask;
use crate::jobs::result::{ResultGraph, ResultPage};
use values::ModelValues;

/// Models that are run at the same time.
const AT_ONCE: usize = 2;
/// Longest run, and longest wait for a turn.
const DEADLINE: Duration = Duration::from_secs(60);
/// How long rows are shown before the queries run again.
const FRESH: Duration = Duration::from_secs(600);
/// Bytes of all rows that are kept.
const KEPT_BYTES: usize = 40 << 20;
/// Whose the queries are for the engine's fairness: nobody's.
const OWNER: &str = "model-pages";

/// The language of a model's queries.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, ToSchema)]
#[serde(rename_all = "UPPERCASE")]
pub enum ModelQueryKind {
    Sql,
    Graph,
}

/// The queries of a model.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, ToSchema)]
pub struct ModelQueries {
    pub kind: ModelQueryKind,
    /// Its rows are the nodes; of the kind GRAPH, its result is nodes and edges.
    pub nodes: String,
    /// Its rows are the links. Null for the kind GRAPH, and where links join one node of a kind to the next in time.
    pub links: Option<String>,
}

/// What the official queries of a model answer.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct ModelRows {
    pub queries: ModelQueries,
    /// Rows of the kind SQL.
    pub nodes: Option<ResultPage>,
    pub links: Option<ResultPage>,
    /// The result of the kind GRAPH.
    pub graph: Option<ResultGraph>,
}

impl ModelRows {
    /// About how much memory they take.
    fn bytes(&self) -> usize {
        let pages = [&self.nodes, &self.links].into_iter().flatten();
        let bytes: usize = pages.map(|page| page.rows.get().len()).sum();
        // A node or an edge is some ten values.
        bytes + self.graph.as_ref().map_or(0, |graph| 1_000 * (graph.nodes.len() + graph.edges.len()))
    }
}

/// Runs the official queries.
pub struct Models {
    engine: Arc<Engine>,
    gate: Semaphore,
    kept: Mutex<Kept>,
    /// When the first block was made, per snapshot of the lake.
    first: Mutex<Option<(SnapshotId, Option<String>)>>,
}

impl Models {
    pub fn new(engine: Arc<Engine>) -> Models {
        Models { engine, gate: Semaphore::new(AT_ONCE), kept: Mutex::default(), first: Mutex::default() }
    }

    /// The queries of a model at these values, over the lake as it is.
    pub async fn queries(&self, values: &ModelValues) -> Result<ModelQueries, ApiError> {
        let head = self.engine.lake().snapshot().await?.head;
        texts::queries(values, head.ok_or_else(|| ApiError::not_found("block"))?)
    }

    /// The rows of a model at these values; `permit` is asked before its queries run.
    pub async fn rows(
        &self,
        values: &ModelValues,
        permit: impl FnOnce() -> Result<(), ApiError>,
    ) -> Result<Arc<ModelRows>, ApiError> {
        let queries = self.queries(values).await?;
        if let Some(found) = self.kept.lock().await.find(&queries) {
            return Ok(found);
        }
        let turn = tokio::time::timeout(DEADLINE, self.gate.acquire()).await;
        let _turn = turn.map_err(|_| ask::too_slow())?.map_err(ApiError::internal)?;
        // Another request may have cached these rows while this one waited.
        if let Some(found) = self.kept.lock().await.find(&queries) {
            return Ok(found);
        }
        permit()?;
        let rows = Arc::new(self.run(queries).await?);
        self.kept.lock().await.keep(&rows);
        Ok(rows)
    }

    async fn run(&self, queries: ModelQueries) -> Result<ModelRows, ApiError> {
        let page = |text: &String| ask::page(&self.engine, OWNER, text.clone(), DEADLINE);
        let (nodes, links, graph) = match queries.kind {
            ModelQueryKind::Sql => {
                let links = async {
                    match &queries.links {
                        Some(text) => page(text).await.map(Some),
                        None => Ok(None),
                    }
                };
                let (nodes, links) = tokio::try_join!(page(&queries.nodes), links)?;
                (Some(nodes), links, None)
            }
            ModelQueryKind::Graph => {
                (None, None, Some(ask::graph(&self.engine, OWNER, queries.nodes.clone(), DEADLINE).await?))
            }
        };
        Ok(ModelRows { queries, nodes, links, graph })
    }

    /// When the first block of the lake was made, `YYYY-MM-DD HH:mm:ss`; none in an empty lake.
    pub async fn first(&self) -> Result<Option<String>, ApiError> {
        let snapshot = self.engine.lake().snapshot().await?.id;
        // Held while it is read: it runs once, however many ask.
        let mut known = self.first.lock().await;
        if let Some((of, first)) = known.as_ref()
            && *of == snapshot
        {
            return Ok(first.clone());
        }
        let text = "SELECT min(\"timestamp\") AS first FROM blocks".to_string();
        let rows = ask::rows(&self.engine, OWNER, Schemas::default(), text).await?;
        let first = rows.first().and_then(|row| row.first()).and_then(|cell| cell.as_str()).map(str::to_string);
        *known = Some((snapshot, first.clone()));
        Ok(first)
    }
}

/// Rows that were computed not long ago.
#[derive(Default)]
struct Kept {
    rows: HashMap<ModelQueries, (Instant, Arc<ModelRows>)>,
}

impl Kept {
    fn find(&mut self, queries: &ModelQueries) -> Option<Arc<ModelRows>> {
        self.rows.retain(|_, (at, _)| at.elapsed() < FRESH);
        self.rows.get(queries).map(|(_, rows)| rows.clone())
    }

    fn keep(&mut self, rows: &Arc<ModelRows>) {
        self.rows.insert(rows.queries.clone(), (Instant::now(), rows.clone()));
        while self.rows.values().map(|(_, rows)| rows.bytes()).sum::<usize>() > KEPT_BYTES {
            let oldest = self.rows.iter().min_by_key(|(_, (at, _))| *at).map(|(queries, _)| queries.clone());
            let Some(oldest) = oldest else { return };
            self.rows.remove(&oldest);
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::value::to_raw_value;

    use super::*;

    fn rows(name: &str, bytes: usize) -> Arc<ModelRows> {
        let queries = ModelQueries { kind: ModelQueryKind::Sql, nodes: name.to_string(), links: None };
        let rows = to_raw_value(&"x".repeat(bytes - 2)).unwrap();
        let nodes = ResultPage { columns: Vec::new(), rows, total: 0 };
        Arc::new(ModelRows { queries, nodes: Some(nodes), links: None, graph: None })
    }

    #[test]
    fn the_oldest_rows_make_room_for_new_ones() {
        let mut kept = Kept::default();
        let all: Vec<Arc<ModelRows>> = (0..4).map(|number| rows(&number.to_string(), KEPT_BYTES / 3)).collect();
        for one in &all {
            kept.keep(one);
        }
        let found: Vec<bool> = all.iter().map(|one| kept.find(&one.queries).is_some()).collect();
        assert_eq!(found, [false, true, true, true]);
    }

    #[test]
    fn rows_that_are_larger_than_the_room_are_not_kept() {
        let mut kept = Kept::default();
        let large = rows("large", KEPT_BYTES + 1);
        kept.keep(&large);
        assert!(kept.find(&large.queries).is_none());
    }
}
