//! Calls for running saved queries, their history, and the result that viewers see.

use axum::extract::State;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::model::{QueryView, RunChoice, RunList, RunParams, RunRequest, ShownParams, Submitted};
use super::store;
use crate::app::App;
use crate::auth::CurrentUser;
use crate::creations::access::Reader;
use crate::creations::model::CreationKind;
use crate::creations::paging::PageParams;
use crate::creations::queries::{self, QueryText};
use crate::creations::results::{self, RowParams, ShownRows};
use crate::creations::store as creations;
use crate::http::{Answer, ApiError, Failure, Json, Query, Reply, Success};
use crate::jobs::model::{Work, spec_of};
use crate::jobs::of_query::{self, RunOf, RunOrigin};

pub fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(start)).routes(routes!(list)).routes(routes!(restore)).routes(routes!(result))
}

/// Runs a saved query as it is saved. For its owner the result becomes the one that viewers see; for others it is theirs.
#[utoipa::path(post, path = "/api/query/run/start", tag = "query", operation_id = "runQuery",
    request_body = RunRequest, security(("bearer" = [])),
    responses((status = 200, body = Success<Submitted>), (status = "default", body = Failure)))]
async fn start(state: State<App>, user: CurrentUser, body: Json<RunRequest>) -> Answer<Submitted> {
    let RunRequest { id, parameters, share } = body.0;
    let reader = Reader::of(&user).with(share);
    let creation = creations::readable(&state.db, &reader, CreationKind::Query, &id).await?;
    let row = queries::find(&state.db, &id).await?;
    let values = row.what.values(&parameters)?;
    let of = RunOf {
        query_id: id,
        revision: creation.revision,
        origin: RunOrigin::Manual,
        shared: creation.owner_id == user.id,
        parameters: queries::values_key(&parameters)?,
    };
    let job_id = state.jobs.submit(&user, row.what.work(values), Some(&of)).await?.id;
    Ok(Reply(Submitted { job_id, job: None, result: None }))
}

/// The runs of a query, newest first: all of them for who may change it, the caller's own for others. What others have
/// tried in their editors is theirs: of such runs only administrators see text, values and message.
#[utoipa::path(get, path = "/api/query/run/list", tag = "query", operation_id = "queryRuns", params(RunParams),
    security(("bearer" = [])),
    responses((status = 200, body = Success<RunList>), (status = "default", body = Failure)))]
async fn list(state: State<App>, user: CurrentUser, params: Query<RunParams>) -> Answer<RunList> {
    let RunParams { id, page, size } = params.0;
    let creation = creations::readable(&state.db, &Reader::of(&user), CreationKind::Query, &id).await?;
    let window = PageParams { page, size }.window()?;
    let whose = (viewer(&user), creation.owner_id == user.id);
    let (items, total) = of_query::runs(&state.db, &id, whose, (window.limit, window.offset)).await?;
    Ok(Reply(RunList { items, total }))
}

/// Whose runs are read: an administrator reads everybody's.
fn viewer(user: &CurrentUser) -> Option<i64> {
    (!user.is_admin()).then_some(user.id)
}

/// Makes the text of a former run the query's again, as a new version. Its result is at `/api/job/{jobId}/result`.
#[utoipa::path(post, path = "/api/query/run/restore", tag = "query", operation_id = "restoreQueryRun",
    request_body = RunChoice, security(("bearer" = [])),
    responses((status = 200, body = Success<QueryView>), (status = "default", body = Failure)))]
async fn restore(state: State<App>, user: CurrentUser, body: Json<RunChoice>) -> Answer<QueryView> {
    let RunChoice { id, job_id } = body.0;
    creations::editable(&state.db, &user, CreationKind::Query, &id).await?;
    let text = of_query::text(&state.db, &id, &job_id, viewer(&user)).await?;
    let text = text.ok_or_else(|| ApiError::not_found("run"))?;
    let now = queries::find(&state.db, &id).await?.what;
    let what = match spec_of(now.kind, &text) {
        Some(spec) => QueryText { spec: Some(spec), ..now },
        None => QueryText { text, ..now },
    };
    store::put_back(&state.db, &user, &id, what).await?;
    Ok(Reply(store::view(&state.db, &Reader::of(&user), &id).await?))
}

/// The stored result that viewers of a query see; nothing is run. Official results end 30 days before now for visitors.
#[utoipa::path(get, path = "/api/query/result", tag = "query", operation_id = "queryResult", params(ShownParams),
    security(("bearer" = []), ()),
    responses((status = 200, body = Success<ShownRows>), (status = "default", body = Failure)))]
async fn result(state: State<App>, reader: Reader, params: Query<ShownParams>) -> Answer<ShownRows> {
    let ShownParams { id, share, offset, limit } = params.0;
    let reader = reader.with(share);
    let creation = creations::readable(&state.db, &reader, CreationKind::Query, &id).await?;
    let shown = of_query::shown(&state.db, &id, "").await?.ok_or_else(|| ApiError::not_found("result"))?;
    let rows = RowParams { offset, limit };
    Ok(Reply(results::rows(&state, &reader, creation.official, shown, rows).await?))
}

/// Which saved query a text in the editor belongs to, if the user may read it.
pub async fn run_of(app: &App, user: &CurrentUser, id: &str, work: &Work) -> Result<RunOf, ApiError> {
    let creation = creations::readable(&app.db, &Reader::of(user), CreationKind::Query, id).await?;
    let saved = queries::find(&app.db, id).await?.what;
    Ok(RunOf {
        query_id: id.to_string(),
        revision: creation.revision,
        origin: RunOrigin::Manual,
        // With values of the editor's own it is not what viewers ask for.
        shared: creation.owner_id == user.id
            && (&saved.text, &saved.spec) == (&work.text, &work.spec)
            && work.parameters.is_empty(),
        parameters: queries::values_key(&work.parameters)?,
    })
}
