//! The call of the data monitor.

use std::time::Instant;

use axum::extract::State;
use quarry_engine::lake::tables::Table;
use serde::Serialize;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::app::App;
use crate::auth::Allowed;
use crate::auth::rights::DataLink;
use crate::http::{Answer, Failure, Reply, Success};
use crate::time::now_ms;

pub fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(status))
}

/// State of the data and of the server.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct DataStatus {
    /// Newest block; null while the lake is empty, like all about it.
    pub head: Option<i64>,
    /// Time of the newest block, in milliseconds since 1970.
    pub head_time: Option<i64>,
    /// How old the newest block is, in milliseconds.
    pub lag_ms: Option<i64>,
    /// Newest block that can't change any more.
    pub finalised: Option<i64>,
    pub tables: Vec<TableState>,
    /// Jobs that wait or run.
    pub active_jobs: usize,
    pub open_sockets: usize,
    /// How long the platform database took to answer, in milliseconds.
    pub database_ms: f64,
    /// How long reading the lake's catalogue took, in milliseconds.
    pub lake_ms: f64,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct TableState {
    pub name: String,
    pub rows: u64,
}

/// What the lake holds and how the parts of the server answer.
#[utoipa::path(get, path = "/api/system/dataLink/status", tag = "system", operation_id = "dataStatus",
    security(("bearer" = [])),
    responses((status = 200, body = Success<DataStatus>), (status = "default", body = Failure)))]
async fn status(state: State<App>, _by: Allowed<DataLink>) -> Answer<DataStatus> {
    let begin = Instant::now();
    state.db.ping().await?;
    let database_ms = begin.elapsed().as_secs_f64() * 1000.0;
    let begin = Instant::now();
    let snapshot = state.engine.lake().snapshot().await?;
    let lake_ms = begin.elapsed().as_secs_f64() * 1000.0;
    let head_time = snapshot.head.map(|head| head.time.div_euclid(1000));
    let tables = Table::ALL.map(|table| TableState { name: table.name().to_string(), rows: snapshot.rows(table) });
    Ok(Reply(DataStatus {
        head: snapshot.head.map(|head| head.number),
        head_time,
        lag_ms: head_time.map(|time| now_ms() - time),
        finalised: snapshot.finalised,
        tables: tables.into(),
        active_jobs: state.engine.active_jobs().len(),
        open_sockets: state.hub.all_sockets(),
        database_ms,
        lake_ms,
    }))
}
