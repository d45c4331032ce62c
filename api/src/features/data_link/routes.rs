//! The calls of the data monitor.

use std::time::Instant;

use axum::extract::State;
use axum::http::StatusCode;
use quarry_engine::lake::tables::Table;
use serde::Serialize;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::app::App;
use crate::auth::Allowed;
use crate::auth::rights::DataLink;
use crate::following::{FollowStatus, Following};
use crate::http::{Answer, ApiError, Failure, Reply, Success};
use crate::time::now_ms;

pub fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(status)).routes(routes!(start)).routes(routes!(stop))
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
    /// Blocks per second over the last hour; null when too few came in it.
    pub blocks_per_second: Option<f64>,
    /// Blocks that did not prove what they say, ever.
    pub verification_failures: u64,
    pub follow: FollowView,
}

/// How following the head of the chain fares.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct FollowView {
    /// Whether the settings name nodes to follow.
    pub configured: bool,
    pub running: bool,
    /// Scheme, host and port of the nodes.
    pub nodes: Vec<String>,
    /// Since when, in milliseconds since 1970.
    pub started_at: Option<i64>,
    /// Newest block that came from the nodes.
    pub head: Option<i64>,
    /// Blocks that the nodes have and the lake has not yet; null before anything was seen.
    pub behind_blocks: Option<u64>,
    /// What went wrong last since the start, and when in milliseconds since 1970.
    pub trouble: Option<String>,
    pub trouble_at: Option<i64>,
}

impl FollowView {
    fn of(following: &Following) -> FollowView {
        let FollowStatus { running, nodes, started_at, head, behind, trouble } = following.status();
        let (trouble_at, trouble) = trouble.unzip();
        let configured = following.is_possible();
        FollowView { configured, running, nodes, started_at, head, behind_blocks: behind, trouble, trouble_at }
    }
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
    let lake = state.engine.lake().status().await?;
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
        blocks_per_second: lake.blocks_per_second,
        verification_failures: lake.verification_failures,
        follow: FollowView::of(&state.following),
    }))
}

/// Begins to follow the head of the chain on the nodes of the settings; false when that was under way already.
#[utoipa::path(post, path = "/api/system/dataLink/follow/start", tag = "system", operation_id = "startFollowing",
    security(("bearer" = [])),
    responses((status = 200, body = Success<bool>), (status = "default", body = Failure)))]
async fn start(state: State<App>, by: Allowed<DataLink>) -> Answer<bool> {
    if !state.following.is_possible() {
        let msg = "The settings name no node to follow: set rpc and start the server again.";
        return Err(ApiError::new(StatusCode::CONFLICT, "node_not_configured", msg));
    }
    let begun = state.following.start();
    by.note(if begun { "following was started" } else { "following was under way already" });
    Ok(Reply(begun))
}

/// Stops following until somebody starts it again, or the server; false when it was stopped already.
#[utoipa::path(post, path = "/api/system/dataLink/follow/stop", tag = "system", operation_id = "stopFollowing",
    security(("bearer" = [])),
    responses((status = 200, body = Success<bool>), (status = "default", body = Failure)))]
async fn stop(state: State<App>, by: Allowed<DataLink>) -> Answer<bool> {
    let ended = state.following.stop();
    by.note(if ended { "following was stopped" } else { "following was stopped already" });
    Ok(Reply(ended))
}
