//! Calls for the record of operations on dashboards: everybody's for the back office, one's own for everybody.

use axum::extract::State;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::model::RecordParams;
use crate::app::App;
use crate::auth::rights::DashboardRecords;
use crate::auth::{Allowed, CurrentUser};
use crate::creations::dashboards::records::{self, Operation, OperationRecord, RecordFilter};
use crate::creations::paging::{Listing, PageParams};
use crate::http::{Answer, Failure, Query, Reply, Success};

type Records = Listing<OperationRecord>;
/// The names of private dashboards are among everybody's records.
type Staff = Allowed<DashboardRecords>;

pub fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(all_created))
        .routes(routes!(all_edited))
        .routes(routes!(all_deleted))
        .routes(routes!(part_created))
        .routes(routes!(part_edited))
        .routes(routes!(part_deleted))
}

/// Every dashboard that was made, newest first; for the back office.
#[utoipa::path(get, path = "/api/dashboard/allCreateRecord", tag = "dashboard", operation_id = "allCreateRecord",
    params(RecordParams), security(("bearer" = [])),
    responses((status = 200, body = Success<Listing<OperationRecord>>), (status = "default", body = Failure)))]
async fn all_created(state: State<App>, _staff: Staff, params: Query<RecordParams>) -> Answer<Records> {
    all(&state, Operation::Create, params.0).await
}

/// Every change of a dashboard, newest first; for the back office.
#[utoipa::path(get, path = "/api/dashboard/allEditRecord", tag = "dashboard", operation_id = "allEditRecord",
    params(RecordParams), security(("bearer" = [])),
    responses((status = 200, body = Success<Listing<OperationRecord>>), (status = "default", body = Failure)))]
async fn all_edited(state: State<App>, _staff: Staff, params: Query<RecordParams>) -> Answer<Records> {
    all(&state, Operation::Edit, params.0).await
}

/// Every dashboard that was removed, newest first; for the back office.
#[utoipa::path(get, path = "/api/dashboard/allDeleteRecord", tag = "dashboard", operation_id = "allDeleteRecord",
    params(RecordParams), security(("bearer" = [])),
    responses((status = 200, body = Success<Listing<OperationRecord>>), (status = "default", body = Failure)))]
async fn all_deleted(state: State<App>, _staff: Staff, params: Query<RecordParams>) -> Answer<Records> {
    all(&state, Operation::Delete, params.0).await
}

/// The dashboards that the caller made, newest first.
#[utoipa::path(get, path = "/api/dashboard/partCreateRecord", tag = "dashboard", operation_id = "partCreateRecord",
    params(RecordParams), security(("bearer" = [])),
    responses((status = 200, body = Success<Listing<OperationRecord>>), (status = "default", body = Failure)))]
async fn part_created(state: State<App>, user: CurrentUser, params: Query<RecordParams>) -> Answer<Records> {
    part(&state, &user, Operation::Create, params.0).await
}

/// The caller's changes of dashboards, newest first.
#[utoipa::path(get, path = "/api/dashboard/partEditRecord", tag = "dashboard", operation_id = "partEditRecord",
    params(RecordParams), security(("bearer" = [])),
    responses((status = 200, body = Success<Listing<OperationRecord>>), (status = "default", body = Failure)))]
async fn part_edited(state: State<App>, user: CurrentUser, params: Query<RecordParams>) -> Answer<Records> {
    part(&state, &user, Operation::Edit, params.0).await
}

/// The dashboards that the caller removed, newest first.
#[utoipa::path(get, path = "/api/dashboard/partDeleteRecord", tag = "dashboard", operation_id = "partDeleteRecord",
    params(RecordParams), security(("bearer" = [])),
    responses((status = 200, body = Success<Listing<OperationRecord>>), (status = "default", body = Failure)))]
async fn part_deleted(state: State<App>, user: CurrentUser, params: Query<RecordParams>) -> Answer<Records> {
    part(&state, &user, Operation::Delete, params.0).await
}

async fn all(app: &App, operation: Operation, params: RecordParams) -> Answer<Records> {
    let filter = RecordFilter { user: None, user_name: params.user_name, from: params.from, to: params.to };
    let window = PageParams { page: params.page, size: params.size }.window()?;
    Ok(Reply(records::list(&app.db, operation, &filter, window).await?))
}

async fn part(app: &App, user: &CurrentUser, operation: Operation, params: RecordParams) -> Answer<Records> {
    let filter = RecordFilter { user: Some(user.id), user_name: None, from: params.from, to: params.to };
    let window = PageParams { page: params.page, size: params.size }.window()?;
    Ok(Reply(records::list(&app.db, operation, &filter, window).await?))
}
