//! The call that runs a query.

use axum::extract::State;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::model::{Execution, Submitted};
use crate::app::App;
use crate::auth::CurrentUser;
use crate::http::{Answer, ApiError, Failure, Json, Reply, Success};

pub fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(execute))
}

/// Starts a job that runs the query; its progress comes over the websocket or from `GET /api/job/{jobId}`.
#[utoipa::path(post, path = "/api/query/execute", tag = "query", operation_id = "execute", request_body = Execution,
    security(("bearer" = [])),
    responses((status = 200, body = Success<Submitted>), (status = "default", body = Failure)))]
async fn execute(state: State<App>, user: CurrentUser, body: Json<Execution>) -> Answer<Submitted> {
    let Execution { kind, text, parameters } = body.0;
    if parameters.is_some_and(|parameters| !parameters.is_empty()) {
        return Err(ApiError::invalid("parameters", "Queries with parameters can't be run yet."));
    }
    let text = text.filter(|text| !text.trim().is_empty());
    let text = text.ok_or_else(|| ApiError::invalid("text", "There is no query to run."))?;
    let job_id = state.jobs.submit(&user, kind, text).await?;
    Ok(Reply(Submitted { job_id }))
}
