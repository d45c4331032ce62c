//! Stored results, as pages show them and files hold them: the one place where a reader gets at a result.

use std::sync::Arc;

use quarry_engine::Engine;
use quarry_runtime::results::{ResultGraph as EngineGraph, StoredResult};
use serde::Serialize;
use serde_json::Value;
use serde_json::value::{RawValue, to_raw_value};
use utoipa::ToSchema;

use super::sources;
use crate::db::Db;
use crate::http::ApiError;

/// A page stops growing once its values take this many bytes of memory.
pub const MAX_PAGE_BYTES: usize = 32 << 20;

/// A page of a result, serialized for the client.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct ResultPage {
    pub columns: Vec<ResultColumn>,
    /// One list per row. A page of long rows has fewer than `limit`; the next page starts after the last one returned.
    /// Numbers that a JavaScript number can't hold exactly are text, bytes are `0x…`, times are `YYYY-MM-DD HH:mm:ss`.
    #[schema(value_type = Vec<Vec<Value>>)]
    pub rows: Box<RawValue>,
    /// Rows of the whole result.
    pub total: u64,
}

/// A page of a result that the server works on.
#[derive(Debug)]
pub struct Rows {
    pub columns: Vec<ResultColumn>,
    pub rows: Vec<Vec<Value>>,
}

#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct ResultColumn {
    pub name: String,
    #[serde(rename = "type")]
    pub type_name: String,
}

/// The part of a result that is drawn; the totals tell what was left out.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ResultGraph {
    /// At most 3,000 nodes, each `{id, labels, properties}`.
    pub nodes: Vec<Value>,
    /// At most 6,000 edges, each `{id, type, source, target, properties}`; both ends are among the nodes.
    pub edges: Vec<Value>,
    /// Nodes and edges of the whole result.
    pub nodes_total: u64,
    pub edges_total: u64,
}

impl From<EngineGraph> for ResultGraph {
    fn from(graph: EngineGraph) -> ResultGraph {
        let EngineGraph { nodes, edges, nodes_total, edges_total } = graph;
        ResultGraph { nodes, edges, nodes_total, edges_total }
    }
}

/// The whole result of a job that succeeded, if the tables of others that it was computed from may still be read. `reader` is
/// the account that reads; a visitor is none.
pub async fn whole(db: &Db, engine: &Arc<Engine>, reader: Option<i64>, job: &str) -> Result<StoredResult, ApiError> {
    sources::check(db, engine, reader, job).await?;
    let (engine, job) = (engine.clone(), job.to_string());
    Ok(tokio::task::spawn_blocking(move || engine.result(&job)).await.map_err(ApiError::internal)??)
}

/// Up to `limit` rows of a result, fewer if they are long.
pub async fn page(
    db: &Db,
    engine: &Arc<Engine>,
    reader: Option<i64>,
    job: &str,
    (offset, limit): (u64, u64),
) -> Result<ResultPage, ApiError> {
    sources::check(db, engine, reader, job).await?;
    let owner = owner(reader, job);
    Ok(engine.read_result(&owner, job, move |stored| written(&stored, offset, limit)).await?)
}

/// The same as values. The page stops growing once they take `bytes` of memory.
pub async fn rows(
    db: &Db,
    engine: &Arc<Engine>,
    reader: Option<i64>,
    job: &str,
    (offset, limit): (u64, u64),
    bytes: usize,
) -> Result<Rows, ApiError> {
    sources::check(db, engine, reader, job).await?;
    let owner = owner(reader, job);
    let rows = engine.read_result(&owner, job, move |stored| {
        Ok(Rows { rows: stored.page_within(offset, limit, bytes)?, columns: columns(&stored) })
    });
    Ok(rows.await?)
}

/// The first rows of a question that the server itself asked.
pub(super) async fn own_rows(engine: &Engine, owner: &str, job: &str, limit: u64) -> Result<Vec<Vec<Value>>, ApiError> {
    Ok(engine.read_result(owner, job, move |stored| stored.page_within(0, limit, MAX_PAGE_BYTES)).await?)
}

/// The same as a client gets them.
pub(super) async fn own_page(engine: &Engine, owner: &str, job: &str, limit: u64) -> Result<ResultPage, ApiError> {
    Ok(engine.read_result(owner, job, move |stored| written(&stored, 0, limit)).await?)
}

/// Serializes the rows on the thread that reads them. A large page takes long, and would block a thread that serves requests.
fn written(stored: &StoredResult, offset: u64, limit: u64) -> quarry_types::Result<ResultPage> {
    let rows = stored.page_within(offset, limit, MAX_PAGE_BYTES)?;
    let rows = to_raw_value(&rows).map_err(quarry_types::Error::internal)?;
    Ok(ResultPage { columns: columns(stored), rows, total: stored.total() })
}

fn columns(stored: &StoredResult) -> Vec<ResultColumn> {
    let named = |column: &quarry_types::type_names::ResultColumn| ResultColumn {
        name: column.name.clone(),
        type_name: column.type_name.clone(),
    };
    stored.columns().iter().map(named).collect()
}

/// The owner of a read, for fair queueing. Visitors of one result share a place in the queue.
fn owner(reader: Option<i64>, job: &str) -> String {
    reader.map_or_else(|| job.to_string(), |account| account.to_string())
}

/// The nodes and edges of a result for drawing; empty when it has none.
pub async fn graph(db: &Db, engine: &Arc<Engine>, reader: i64, job: &str) -> Result<ResultGraph, ApiError> {
    sources::check(db, engine, Some(reader), job).await?;
    own_graph(engine, &reader.to_string(), job).await
}

/// The same of a question that the server itself asked.
pub(super) async fn own_graph(engine: &Engine, owner: &str, job: &str) -> Result<ResultGraph, ApiError> {
    Ok(engine.read_result(owner, job, |stored| stored.graph()).await?.into())
}
