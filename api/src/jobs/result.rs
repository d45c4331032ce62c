//! Stored results, as pages show them and files hold them: the one place where a reader gets at a result.

use std::sync::Arc;

use quarry_engine::Engine;
use quarry_engine::exec::results::{ResultGraph as EngineGraph, StoredResult};
use serde::Serialize;
use serde_json::Value;
use utoipa::ToSchema;

use super::sources;
use crate::db::Db;
use crate::http::ApiError;

/// Bytes of values from which on a page takes no more rows: it is held in memory.
const LARGEST: usize = 32 << 20;

/// Rows of a result.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct ResultPage {
    pub columns: Vec<ResultColumn>,
    /// One list per row, as many as were asked for, or fewer where they are long: the next page begins behind them.
    /// Numbers that a JavaScript number can't hold exactly are text, bytes are `0x…`, times are `YYYY-MM-DD HH:mm:ss`.
    pub rows: Vec<Vec<Value>>,
    /// Rows of the whole result.
    pub total: u64,
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

/// Some rows of it: as many as were asked for, or fewer where their values are long.
pub async fn page(
    db: &Db,
    engine: &Arc<Engine>,
    reader: Option<i64>,
    job: &str,
    (offset, limit): (u64, u64),
) -> Result<ResultPage, ApiError> {
    page_within(db, engine, reader, job, (offset, limit), LARGEST).await
}

/// The same, with no more rows once their values take so many bytes of memory.
pub async fn page_within(
    db: &Db,
    engine: &Arc<Engine>,
    reader: Option<i64>,
    job: &str,
    (offset, limit): (u64, u64),
    bytes: usize,
) -> Result<ResultPage, ApiError> {
    sources::check(db, engine, reader, job).await?;
    // Visitors take turns by what they read.
    let owner = reader.map_or_else(|| job.to_string(), |account| account.to_string());
    rows(engine, &owner, job, (offset, limit), bytes).await
}

/// The first rows of a question that the server itself asked.
pub(super) async fn own_rows(engine: &Engine, owner: &str, job: &str, limit: u64) -> Result<ResultPage, ApiError> {
    rows(engine, owner, job, (0, limit), LARGEST).await
}

async fn rows(
    engine: &Engine,
    owner: &str,
    job: &str,
    (offset, limit): (u64, u64),
    bytes: usize,
) -> Result<ResultPage, ApiError> {
    let page = engine.read_result(owner, job, move |stored| {
        let rows = stored.page_within(offset, limit, bytes)?;
        let columns = stored.columns().iter();
        let columns =
            columns.map(|column| ResultColumn { name: column.name.clone(), type_name: column.type_name.clone() });
        Ok(ResultPage { columns: columns.collect(), rows, total: stored.total() })
    });
    Ok(page.await?)
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
