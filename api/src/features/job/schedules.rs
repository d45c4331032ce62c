//! Schedules of everybody, for administrators: how they fare, a run at once, rest.

use axum::extract::State;
use serde::Deserialize;
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::model::Started;
use crate::app::App;
use crate::auth::Allowed;
use crate::auth::deeds::Deed;
use crate::auth::rights::Jobs;
use crate::creations::{self, queries};
use crate::db::list::{Page, Paged};
use crate::http::{Answer, ApiError, Failure, Json, Query, Reply, Success};
use crate::schedule::desk::{self, Condition, Filter, ScheduleRow, ScheduleSummary};
use crate::schedule::next::next;
use crate::schedule::store;
use crate::time::now_ms;

pub fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(list)).routes(routes!(summary)).routes(routes!(run)).routes(routes!(pause))
}

/// Which schedules of everybody.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(rename_all = "camelCase")]
#[into_params(parameter_in = Query)]
pub struct ScheduleDeskParams {
    /// Counted from 1.
    page: Option<i64>,
    /// 1 to 100; 20 when left out.
    size: Option<i64>,
    /// Part of the name of the query's owner.
    user_name: Option<String>,
    /// Part of the query's title.
    title: Option<String>,
    #[param(inline)]
    state: Option<Condition>,
}

/// The query to run.
#[derive(Debug, Deserialize, ToSchema)]
pub struct RunNow {
    pub id: String,
}

/// The schedule that shall rest or go on.
#[derive(Debug, Deserialize, ToSchema)]
pub struct Rest {
    pub id: String,
    pub paused: bool,
}

/// Queries that run by themselves, of everybody, the next due first.
#[utoipa::path(get, path = "/api/system/schedule/list", tag = "system", operation_id = "allSchedules",
    params(ScheduleDeskParams), security(("bearer" = [])),
    responses((status = 200, body = Success<Paged<ScheduleRow>>), (status = "default", body = Failure)))]
async fn list(state: State<App>, _by: Allowed<Jobs>, query: Query<ScheduleDeskParams>) -> Answer<Paged<ScheduleRow>> {
    let params = query.0;
    let filter = Filter {
        user_name: params.user_name.as_deref(),
        title: params.title.as_deref(),
        condition: params.state,
        now: now_ms(),
    };
    Ok(Reply(desk::page(&state.db, &filter, Page { page: params.page, size: params.size }).await?))
}

/// Figures over all schedules.
#[utoipa::path(get, path = "/api/system/schedule/summary", tag = "system", operation_id = "scheduleSummary",
    security(("bearer" = [])),
    responses((status = 200, body = Success<ScheduleSummary>), (status = "default", body = Failure)))]
async fn summary(state: State<App>, _by: Allowed<Jobs>) -> Answer<ScheduleSummary> {
    Ok(Reply(desk::summary(&state.db, now_ms()).await?))
}

/// Runs a query at once for its owner, as its schedule would; the schedule goes on as before.
#[utoipa::path(post, path = "/api/system/schedule/run", tag = "system", operation_id = "runScheduleNow",
    request_body = RunNow, security(("bearer" = [])),
    responses((status = 200, body = Success<Started>), (status = "default", body = Failure)))]
async fn run(state: State<App>, by: Allowed<Jobs>, body: Json<RunNow>) -> Answer<Started> {
    let job_id = state.scheduler.run_now(&body.0.id).await?;
    by.note(Deed::QueryRun, &[("query", &body.0.id), ("job", &job_id)]);
    Ok(Reply(Started { job_id }))
}

/// Lets anybody's schedule rest, or go on with its next moment.
#[utoipa::path(put, path = "/api/system/schedule/pause", tag = "system", operation_id = "pauseAnySchedule",
    request_body = Rest, security(("bearer" = [])),
    responses((status = 200, body = Success<bool>), (status = "default", body = Failure)))]
async fn pause(state: State<App>, by: Allowed<Jobs>, body: Json<Rest>) -> Answer<bool> {
    let Rest { id, paused } = body.0;
    let row = queries::find(&state.db, &id).await?;
    let creation = creations::store::any(&state.db, &id).await?.ok_or_else(|| ApiError::not_found("query"))?;
    let following = next(row.strategy, &row.cron, creation.number, now_ms())?;
    store::pause(&state.db, &id, paused, following).await?;
    state.scheduler.changed();
    by.note(if paused { Deed::SchedulePaused } else { Deed::ScheduleResumed }, &[("query", &id)]);
    Ok(Reply(paused))
}
