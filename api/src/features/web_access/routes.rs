//! Calls for the statistics of web access.

use axum::extract::State;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::app::App;
use crate::auth::Allowed;
use crate::auth::rights::WebAccess;
use crate::db::list::{Page, Paged};
use crate::http::{Answer, Failure, Query, Reply, Success};
use crate::time::now_ms;
use crate::tracking::{self, DayAccess, PageAccess, RouteRow, Summary, Visits};

/// Thirty days in milliseconds: what is shown when the caller does not say.
const SPAN: i64 = 30 * 86_400_000;
/// Longest span of figures per day, in milliseconds.
const LONGEST_SPAN: i64 = 400 * 86_400_000;

pub fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(summary)).routes(routes!(pages)).routes(routes!(visits))
}

/// A span of time.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct SpanParams {
    /// In milliseconds since 1970; 30 days before `to` when left out.
    from: Option<i64>,
    /// Now when left out; at most 400 days after `from`.
    to: Option<i64>,
}

/// Figures of a span of time.
#[derive(Debug, Serialize, ToSchema)]
pub struct AccessView {
    pub summary: Summary,
    /// Oldest first; days without views are missing.
    pub days: Vec<DayAccess>,
}

/// Which pages.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct AccessPageParams {
    /// Counted from 1.
    page: Option<i64>,
    /// 1 to 100; 20 when left out.
    size: Option<i64>,
    /// Part of the address.
    url: Option<String>,
}

/// Which visits.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(rename_all = "camelCase")]
#[into_params(parameter_in = Query)]
pub struct VisitParams {
    /// Counted from 1.
    page: Option<i64>,
    /// 1 to 100; 20 when left out.
    size: Option<i64>,
    /// Part of the name.
    user_name: Option<String>,
    /// Part of the address.
    url: Option<String>,
    /// At or after this moment, in milliseconds since 1970.
    from: Option<i64>,
    /// Before this moment.
    to: Option<i64>,
}

/// Views, visitors and times of a span, and per day in UTC.
#[utoipa::path(get, path = "/api/system/web-access/summary", tag = "system", operation_id = "webAccess",
    params(SpanParams), security(("bearer" = [])),
    responses((status = 200, body = Success<AccessView>), (status = "default", body = Failure)))]
async fn summary(state: State<App>, _by: Allowed<WebAccess>, query: Query<SpanParams>) -> Answer<AccessView> {
    let to = query.0.to.unwrap_or_else(|| now_ms() + 1);
    let from = query.0.from.unwrap_or(to.saturating_sub(SPAN)).max(to.saturating_sub(LONGEST_SPAN));
    state.tracker.flush().await;
    let (summary, days) = tracking::summary(&state.db, from, to).await?;
    Ok(Reply(AccessView { summary, days }))
}

/// Pages, the most viewed first.
#[utoipa::path(get, path = "/api/system/web-access/pages", tag = "system", operation_id = "webAccessPages",
    params(AccessPageParams), security(("bearer" = [])),
    responses((status = 200, body = Success<Paged<PageAccess>>), (status = "default", body = Failure)))]
async fn pages(
    state: State<App>,
    _by: Allowed<WebAccess>,
    query: Query<AccessPageParams>,
) -> Answer<Paged<PageAccess>> {
    let AccessPageParams { page, size, url } = query.0;
    state.tracker.flush().await;
    Ok(Reply(tracking::pages(&state.db, url.as_deref(), Page { page, size }).await?))
}

/// Single visits of pages, newest first.
#[utoipa::path(get, path = "/api/system/web-access/list", tag = "system", operation_id = "webAccessVisits",
    params(VisitParams), security(("bearer" = [])),
    responses((status = 200, body = Success<Paged<RouteRow>>), (status = "default", body = Failure)))]
async fn visits(state: State<App>, _by: Allowed<WebAccess>, query: Query<VisitParams>) -> Answer<Paged<RouteRow>> {
    let params = query.0;
    state.tracker.flush().await;
    let filter =
        Visits { user_name: params.user_name.as_deref(), url: params.url.as_deref(), from: params.from, to: params.to };
    let page = Page { page: params.page, size: params.size };
    Ok(Reply(tracking::visits(&state.db, &filter, page).await?))
}
