//! The call that runs a text, and all calls of the feature.

use axum::extract::State;
use quarry_runtime::job::Parameters;
use serde_json::Value;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::model::{Execution, Submitted};
use super::{drafts, runs, saved, schedules, versions};
use crate::app::App;
use crate::auth::{CurrentUser, rules};
use crate::creations::document::bounded;
use crate::creations::queries::SPEC_BYTES;
use crate::http::{Answer, ApiError, Failure, Json, Reply, Success};
use crate::jobs::model::{Kind, State as JobState, TITLE, Work};
use crate::jobs::{longest_wait, page_size, result as results};

pub fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(execute))
        .merge(saved::routes())
        .merge(versions::routes())
        .merge(runs::routes())
        .merge(drafts::routes())
        .merge(schedules::routes())
}

/// Starts a job that runs the query; its progress comes over the websocket or from `GET /api/job/{jobId}`. With `wait` the
/// answer comes when the job has ended, with its first rows.
#[utoipa::path(post, path = "/api/query/execute", tag = "query", operation_id = "execute", request_body = Execution,
    security(("bearer" = [])),
    responses((status = 200, body = Success<Submitted>), (status = "default", body = Failure)))]
async fn execute(state: State<App>, user: CurrentUser, body: Json<Execution>) -> Answer<Submitted> {
    let Execution { kind, text, spec, parameters, query_id, title, wait, limit } = body.0;
    let (wait, limit) = (longest_wait(wait)?, page_size(limit)?);
    let parameters: Parameters = parameters.unwrap_or_default().into_iter().collect();
    if !matches!(kind, Kind::Sql | Kind::Hive | Kind::Graph | Kind::MapReduce) && !parameters.is_empty() {
        return Err(ApiError::invalid("parameters", "Queries of this kind can't take parameters yet."));
    }
    let title = title.unwrap_or_default().trim().to_string();
    if title.chars().count() > TITLE || !rules::plain(&title) {
        let msg = format!("The title of a run has at most {TITLE} characters on one line.");
        return Err(ApiError::invalid("title", msg));
    }
    let work = match kind.has_spec() {
        true => {
            let spec = spec.filter(Value::is_object);
            let spec = spec.ok_or_else(|| ApiError::invalid("spec", "There is no spec to run; it is an object."))?;
            bounded(&spec, SPEC_BYTES, "spec")?;
            if kind == Kind::Label {
                // Told at once where the form is: a month that the chain does not know.
                state.engine.check_label(&spec).await?;
            }
            Work { kind, text: String::new(), spec: Some(spec), parameters, title }
        }
        false => {
            let text = text.filter(|text| !text.trim().is_empty());
            let text = text.ok_or_else(|| ApiError::invalid("text", "There is no query to run."))?;
            Work { kind, text, spec: None, parameters, title }
        }
    };
    let of = match query_id {
        Some(id) => Some(runs::run_of(&state, &user, &id, &work).await?),
        None => None,
    };
    let row = state.jobs.submit(&user, work, of.as_ref()).await?;
    let (mut job, mut result) = (None, None);
    if !wait.is_zero() {
        state.jobs.until_ended(&row, wait).await;
        let view = state.jobs.view(&row).await;
        if view.state == JobState::Succeeded {
            result = Some(results::page(&state.db, &state.engine, Some(user.id), &row.id, (0, limit)).await?);
        }
        job = Some(view);
    }
    Ok(Reply(Submitted { job_id: row.id, job, result }))
}
