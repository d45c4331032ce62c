//! Calls for jobs and what they left.

use axum::extract::State;
use axum::http::StatusCode;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::model::{JobList, JobLog, ListParams, PageParams, WaitParams};
use super::{desk, download, schedules};
use crate::app::App;
use crate::auth::CurrentUser;
use crate::auth::deeds::Deed;
use crate::db::list::Page;
use crate::http::{Answer, ApiError, Failure, Path, Query, Reply, Success};
use crate::jobs::model::{JobView, State as JobState, spec_of};
use crate::jobs::result::{self as results, ResultGraph, ResultPage};
use crate::jobs::store::{self, Filter};
use crate::jobs::{longest_wait, page_size, sources};

/// Jobs of one page of the list.
const LIST: i64 = 20;
const LARGEST_LIST: i64 = 100;

pub fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(list))
        .routes(routes!(one))
        .routes(routes!(result))
        .routes(routes!(graph))
        .routes(routes!(log))
        .routes(routes!(kill))
        .merge(download::routes())
        .merge(desk::routes())
        .merge(schedules::routes())
}

/// The caller's jobs, newest first.
#[utoipa::path(get, path = "/api/job/list", tag = "job", operation_id = "jobs", params(ListParams),
    security(("bearer" = [])),
    responses((status = 200, body = Success<JobList>), (status = "default", body = Failure)))]
async fn list(state: State<App>, user: CurrentUser, query: Query<ListParams>) -> Answer<JobList> {
    let params = query.0;
    let page = params.page.unwrap_or(1);
    let size = params.size.unwrap_or(LIST);
    // The offset of a page beyond this would not fit the database's numbers, and no list is that long.
    if !(1..=1_000_000_000).contains(&page) {
        return Err(ApiError::invalid("page", "Pages count from 1 to 1,000,000,000."));
    }
    if !(1..=LARGEST_LIST).contains(&size) {
        return Err(ApiError::invalid("size", format!("A page has 1 to {LARGEST_LIST} jobs.")));
    }
    let everybody = params.all.unwrap_or(false);
    if everybody && !user.is_admin() {
        let msg = "Only an administrator sees the jobs of others.";
        return Err(ApiError::new(StatusCode::FORBIDDEN, "forbidden", msg).param("all"));
    }
    let filter =
        Filter { owner: (!everybody).then_some(user.id), owner_name: None, kind: params.kind, state: params.state };
    let page = Page { page: Some(page), size: Some(size) };
    let (items, total) = state.jobs.list(&filter, page).await?;
    Ok(Reply(JobList { items, total }))
}

/// One job; with `wait`, as soon as it has ended, so that nobody has to ask again and again.
#[utoipa::path(get, path = "/api/job/{jobId}", tag = "job", operation_id = "job",
    params(("jobId" = String, Path), WaitParams), security(("bearer" = [])),
    responses((status = 200, body = Success<JobView>), (status = "default", body = Failure)))]
async fn one(state: State<App>, user: CurrentUser, id: Path<String>, query: Query<WaitParams>) -> Answer<JobView> {
    let wait = longest_wait(query.0.wait)?;
    let row = state.jobs.find(&user, &id.0).await?;
    state.jobs.until_ended(&row, wait).await;
    let mut view = state.jobs.view(&row).await;
    view.spec = spec_of(row.kind, &row.text);
    view.text = view.spec.is_none().then_some(row.text);
    // Nothing is written down of a job that ran without any.
    view.parameters = serde_json::from_str(&store::given(&state.db, &row.id).await?).ok();
    Ok(Reply(view))
}

/// Some rows of the result of a job that succeeded.
#[utoipa::path(get, path = "/api/job/{jobId}/result", tag = "job", operation_id = "jobResult",
    params(("jobId" = String, Path), PageParams), security(("bearer" = [])),
    responses((status = 200, body = Success<ResultPage>), (status = "default", body = Failure)))]
async fn result(
    state: State<App>,
    user: CurrentUser,
    id: Path<String>,
    query: Query<PageParams>,
) -> Answer<ResultPage> {
    let (app, params) = (state.0, query.0);
    let limit = page_size(params.limit)?;
    let offset = params.offset.unwrap_or(0);
    let row = app.jobs.find(&user, &id.0).await?;
    finished(&app.jobs.view(&row).await)?;
    Ok(Reply(results::page(&app.db, &app.engine, Some(user.id), &row.id, (offset, limit)).await?))
}

/// The nodes and edges of the result of a GRAPH job that succeeded, for drawing; empty when the result has none.
#[utoipa::path(get, path = "/api/job/{jobId}/graph", tag = "job", operation_id = "jobGraph",
    params(("jobId" = String, Path)), security(("bearer" = [])),
    responses((status = 200, body = Success<ResultGraph>), (status = "default", body = Failure)))]
async fn graph(state: State<App>, user: CurrentUser, id: Path<String>) -> Answer<ResultGraph> {
    let app = state.0;
    let row = app.jobs.find(&user, &id.0).await?;
    finished(&app.jobs.view(&row).await)?;
    Ok(Reply(results::graph(&app.db, &app.engine, user.id, &row.id).await?))
}

/// What the job said while it ran; of a long log the first lines and the last one are kept.
#[utoipa::path(get, path = "/api/job/{jobId}/log", tag = "job", operation_id = "jobLog",
    params(("jobId" = String, Path)), security(("bearer" = [])),
    responses((status = 200, body = Success<JobLog>), (status = "default", body = Failure)))]
async fn log(state: State<App>, user: CurrentUser, id: Path<String>) -> Answer<JobLog> {
    let row = state.jobs.find(&user, &id.0).await?;
    // Code of a MAPREDUCE job may have written rows into it.
    sources::check(&state.db, &state.engine, Some(user.id), &row.id).await?;
    Ok(Reply(JobLog { lines: state.jobs.log(&row).await? }))
}

/// Asks a job to stop; an ended one stays as it is.
#[utoipa::path(post, path = "/api/job/{jobId}/kill", tag = "job", operation_id = "killJob",
    params(("jobId" = String, Path)), security(("bearer" = [])),
    responses((status = 200, body = Success<JobView>), (status = "default", body = Failure)))]
async fn kill(state: State<App>, user: CurrentUser, id: Path<String>) -> Answer<JobView> {
    let row = state.jobs.find(&user, &id.0).await?;
    state.jobs.kill(&row.id).await?;
    user.touches(row.owner_id, Deed::JobStopped, &[("job", &row.id), ("owner", &row.owner_name)]);
    Ok(Reply(state.jobs.view(&row).await))
}

/// Only a job that succeeded has a result.
pub(super) fn finished(job: &JobView) -> Result<(), ApiError> {
    let (code, msg) = match job.state {
        JobState::Succeeded => return Ok(()),
        JobState::Queued | JobState::Running => ("job_running", "The job has not ended yet."),
        JobState::Failed => ("job_failed", "The job failed, so it has no result."),
        JobState::Killed => ("job_killed", "The job was stopped, so it has no result."),
    };
    Err(ApiError::new(StatusCode::CONFLICT, code, msg))
}
