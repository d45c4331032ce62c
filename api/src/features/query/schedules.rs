//! Calls for the schedules of saved queries.

use axum::extract::State;
use axum::http::StatusCode;
use serde::Deserialize;
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::app::App;
use crate::auth::CurrentUser;
use crate::creations::model::CreationKind;
use crate::creations::paging::{Listing, PageParams};
use crate::creations::{queries, store as creations};
use crate::http::{Answer, ApiError, Failure, Json, Query, Reply, Success};
use crate::schedule::next::next;
use crate::schedule::store::{self, ScheduleView};
use crate::time::now_ms;

pub fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(list)).routes(routes!(pause))
}

/// Which schedules.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct ScheduleParams {
    /// `true` for everybody's; administrators only.
    pub all: Option<bool>,
    /// Counted from 1.
    pub page: Option<i64>,
    /// 1 to 100; 20 when left out.
    pub size: Option<i64>,
}

/// Whether a schedule rests.
#[derive(Debug, Deserialize, ToSchema)]
pub struct Pause {
    pub id: String,
    pub paused: bool,
}

/// Queries that run by themselves, the next due first.
#[utoipa::path(get, path = "/api/query/schedule/list", tag = "query", operation_id = "schedules",
    params(ScheduleParams), security(("bearer" = [])),
    responses((status = 200, body = Success<Listing<ScheduleView>>), (status = "default", body = Failure)))]
async fn list(state: State<App>, user: CurrentUser, params: Query<ScheduleParams>) -> Answer<Listing<ScheduleView>> {
    let ScheduleParams { all, page, size } = params.0;
    let window = PageParams { page, size }.window()?;
    let everybody = all.unwrap_or(false);
    if everybody && !user.is_admin() {
        let msg = "Only an administrator sees the schedules of others.";
        return Err(ApiError::new(StatusCode::FORBIDDEN, "forbidden", msg).param("all"));
    }
    let owner = (!everybody).then_some(user.id);
    let (items, total) = store::list(&state.db, owner, window.limit, window.offset).await?;
    Ok(Reply(Listing { items, total }))
}

/// Lets a schedule rest, or go on with its next moment.
#[utoipa::path(post, path = "/api/query/schedule/pause", tag = "query", operation_id = "pauseSchedule",
    request_body = Pause, security(("bearer" = [])),
    responses((status = 200, body = Success<bool>), (status = "default", body = Failure)))]
async fn pause(state: State<App>, user: CurrentUser, body: Json<Pause>) -> Answer<bool> {
    let Pause { id, paused } = body.0;
    let creation = creations::editable(&state.db, &user, CreationKind::Query, &id).await?;
    let row = queries::find(&state.db, &id).await?;
    let following = next(row.strategy, &row.cron, creation.number, now_ms())?;
    store::pause(&state.db, &id, paused, following).await?;
    state.scheduler.changed();
    Ok(Reply(paused))
}
