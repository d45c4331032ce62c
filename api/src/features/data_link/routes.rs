//! The calls of the data monitor.

use std::time::Instant;

use axum::extract::State;
use axum::http::StatusCode;
use quarry_lake::tables::Table;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::model::{CheckForm, CheckView, DataStatus, DatabaseCheck, FollowView, LakeLook, TableState};
use crate::app::App;
use crate::auth::Allowed;
use crate::auth::deeds::Deed;
use crate::auth::rights::DataLink;
use crate::http::{Answer, ApiError, Failure, Json, Reply, Success};
use crate::lake_history::Look;
use crate::time::now_ms;

pub fn routes() -> OpenApiRouter<App> {
    let following = OpenApiRouter::new().routes(routes!(start)).routes(routes!(stop));
    let checking = OpenApiRouter::new().routes(routes!(start_check)).routes(routes!(stop_check));
    OpenApiRouter::new().routes(routes!(status)).routes(routes!(history)).merge(following).merge(checking)
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
        finalised: snapshot.finalized,
        tables: tables.into(),
        active_jobs: state.engine.active_jobs().len(),
        open_sockets: state.hub.all_sockets(),
        database_ms,
        lake_ms,
        blocks_per_second: lake.blocks_per_second,
        verification_failures: lake.verification_failures,
        follow: FollowView::of(&state.following),
        check: state.checking.status().map(CheckView::of),
        databases: state.checks.last().map(DatabaseCheck::from),
    }))
}

/// How the lake grew: one look a minute since the server started, at most those of a day, oldest first.
#[utoipa::path(get, path = "/api/system/dataLink/history", tag = "system", operation_id = "lakeHistory",
    security(("bearer" = [])),
    responses((status = 200, body = Success<Vec<LakeLook>>), (status = "default", body = Failure)))]
async fn history(state: State<App>, _by: Allowed<DataLink>) -> Answer<Vec<LakeLook>> {
    let look = |Look { time, head_time, blocks, rows }| LakeLook { time, head_time, blocks, rows };
    Ok(Reply(state.lake_history.looks().into_iter().map(look).collect()))
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
    by.note(if begun { Deed::FollowStarted } else { Deed::FollowUnderWay }, &[]);
    Ok(Reply(begun))
}

/// Stops following until somebody starts it again, or the server; false when it was stopped already.
#[utoipa::path(post, path = "/api/system/dataLink/follow/stop", tag = "system", operation_id = "stopFollowing",
    security(("bearer" = [])),
    responses((status = 200, body = Success<bool>), (status = "default", body = Failure)))]
async fn stop(state: State<App>, by: Allowed<DataLink>) -> Answer<bool> {
    let ended = state.following.stop();
    by.note(if ended { Deed::FollowStopped } else { Deed::FollowIdle }, &[]);
    Ok(Reply(ended))
}

/// Begins to check the lake by itself; false when a check was under way already.
#[utoipa::path(post, path = "/api/system/dataLink/check/start", tag = "system", operation_id = "startCheck",
    security(("bearer" = [])), request_body = CheckForm,
    responses((status = 200, body = Success<bool>), (status = "default", body = Failure)))]
async fn start_check(state: State<App>, by: Allowed<DataLink>, Json(form): Json<CheckForm>) -> Answer<bool> {
    if form.blocks == Some(0) {
        let msg = "Say at least 1 block, or none at all to check every block.";
        return Err(ApiError::invalid("blocks", msg));
    }
    let begun = state.checking.start(form.blocks);
    by.note(if begun { Deed::CheckStarted } else { Deed::CheckUnderWay }, &[]);
    Ok(Reply(begun))
}

/// Ends the check that is under way; false when there was none.
#[utoipa::path(post, path = "/api/system/dataLink/check/stop", tag = "system", operation_id = "stopCheck",
    security(("bearer" = [])),
    responses((status = 200, body = Success<bool>), (status = "default", body = Failure)))]
async fn stop_check(state: State<App>, by: Allowed<DataLink>) -> Answer<bool> {
    let ended = state.checking.stop();
    by.note(if ended { Deed::CheckStopped } else { Deed::CheckIdle }, &[]);
    Ok(Reply(ended))
}
