//! Jobs of everybody, for administrators.

use axum::extract::State;
use serde::Deserialize;
use utoipa::IntoParams;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::model::JobList;
use crate::app::App;
use crate::auth::Allowed;
use crate::auth::deeds::Deed;
use crate::auth::rights::Jobs;
use crate::db::list::Page;
use crate::http::{Answer, ApiError, Failure, Path, Query, Reply, Success};
use crate::jobs::model::{JobView, Kind, State as JobState};
use crate::jobs::store::{self, Filter};

pub fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(list)).routes(routes!(kill))
}

/// Which jobs of everybody.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(rename_all = "camelCase")]
#[into_params(parameter_in = Query)]
pub struct DeskParams {
    /// Counted from 1.
    page: Option<i64>,
    /// 1 to 100; 20 when left out.
    size: Option<i64>,
    /// Part of the name of who ran it.
    user_name: Option<String>,
    kind: Option<Kind>,
    state: Option<JobState>,
}

/// Jobs of everybody, newest first.
#[utoipa::path(get, path = "/api/system/job/list", tag = "system", operation_id = "allJobs", params(DeskParams),
    security(("bearer" = [])),
    responses((status = 200, body = Success<JobList>), (status = "default", body = Failure)))]
async fn list(state: State<App>, _by: Allowed<Jobs>, query: Query<DeskParams>) -> Answer<JobList> {
    let params = query.0;
    let page = Page { page: params.page, size: params.size };
    let filter = Filter {
        owner: None,
        owner_name: params.user_name.filter(|name| !name.is_empty()),
        kind: params.kind,
        state: params.state,
    };
    let (items, total) = state.jobs.list(&filter, page).await?;
    Ok(Reply(JobList { items, total }))
}

/// Asks anybody's job to stop; an ended one stays as it is.
#[utoipa::path(post, path = "/api/system/job/kill/{jobId}", tag = "system", operation_id = "killAnyJob",
    params(("jobId" = String, Path)), security(("bearer" = [])),
    responses((status = 200, body = Success<JobView>), (status = "default", body = Failure)))]
async fn kill(state: State<App>, by: Allowed<Jobs>, id: Path<String>) -> Answer<JobView> {
    let row = store::find(&state.db, &id.0, None).await?.ok_or_else(|| ApiError::not_found("job"))?;
    state.jobs.kill(&row.id).await?;
    by.note(Deed::JobStopped, &[("job", &row.id), ("owner", &row.owner_name)]);
    Ok(Reply(state.jobs.view(&row).await))
}
