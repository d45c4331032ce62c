//! Calls for logins and online users.

use axum::extract::State;
use axum::response::Response;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::model::{EndParams, OnlineParams, RecordParams};
use crate::app::App;
use crate::auth::Allowed;
use crate::auth::deeds::Deed;
use crate::auth::rights::{LoginRecords, OnlineUsers};
use crate::auth::sessions::{self, Action, LoginRecord, OnlineSession};
use crate::db::list::{List, Page, Paged};
use crate::http::{Answer, ApiError, Client, Failure, Query, Reply, Success, csv};

pub fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(records))
        .routes(routes!(records_file))
        .routes(routes!(online))
        .routes(routes!(end))
}

/// Logins and logouts of everybody, newest first.
#[utoipa::path(get, path = "/api/interceptor/logInAndOutAll", tag = "system", operation_id = "logInAndOutAll",
    params(RecordParams), security(("bearer" = [])),
    responses((status = 200, body = Success<Paged<LoginRecord>>), (status = "default", body = Failure)))]
async fn records(
    state: State<App>,
    _by: Allowed<LoginRecords>,
    query: Query<RecordParams>,
) -> Answer<Paged<LoginRecord>> {
    let page = Page { page: query.0.page, size: query.0.size };
    Ok(Reply(list(&query.0).page(&state.db, page).await?))
}

/// The same list as a CSV file.
#[utoipa::path(get, path = "/api/interceptor/logInAndOutAll/export", tag = "system",
    operation_id = "exportLogInAndOut", params(RecordParams), security(("bearer" = [])),
    responses((status = 200, description = "The file.", content_type = "text/csv"),
        (status = "default", body = Failure)))]
async fn records_file(
    state: State<App>,
    by: Allowed<LoginRecords>,
    query: Query<RecordParams>,
) -> Result<Response, ApiError> {
    by.note(Deed::Exported, &[]);
    let records: Vec<LoginRecord> = list(&query.0).all(&state.db).await?;
    csv("logins", &records)
}

/// Sessions in use, the latest first.
#[utoipa::path(get, path = "/api/interceptor/onlineUser/list", tag = "system", operation_id = "onlineUsers",
    params(OnlineParams), security(("bearer" = [])),
    responses((status = 200, body = Success<Paged<OnlineSession>>), (status = "default", body = Failure)))]
async fn online(
    state: State<App>,
    _by: Allowed<OnlineUsers>,
    query: Query<OnlineParams>,
) -> Answer<Paged<OnlineSession>> {
    let OnlineParams { page, size, user_name } = query.0;
    Ok(Reply(sessions::online(&state.db, user_name.as_deref(), Page { page, size }).await?))
}

/// Ends a session at once.
#[utoipa::path(get, path = "/api/interceptor/onlineUser/delete", tag = "system", operation_id = "endSession",
    params(EndParams), security(("bearer" = [])),
    responses((status = 200, body = Success<bool>), (status = "default", body = Failure)))]
async fn end(state: State<App>, by: Allowed<OnlineUsers>, client: Client, query: Query<EndParams>) -> Answer<bool> {
    let id = query.0.session_id;
    let session = sessions::find(&state.db, &id).await?.filter(|session| !session.revoked);
    let account = session.ok_or_else(|| ApiError::not_found("session"))?.account;
    sessions::revoke(&state.db, &id).await?;
    sessions::record(&state.db, account.id, &account.user_name, Action::Ended, &client).await?;
    state.hub.end(account.id, &id);
    by.note(Deed::SessionEnded, &[("name", &account.user_name)]);
    Ok(Reply(true))
}

fn list(params: &RecordParams) -> List {
    List::new("id, user_id, user_name, action, address, agent, acted_at", "login_records", "acted_at desc, id desc")
        .contains_small("user_name", params.user_name.as_deref())
        .text("action", params.action.as_deref())
        .between("acted_at", params.from, params.to)
}
