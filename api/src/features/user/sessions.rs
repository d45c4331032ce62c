//! Calls for the sessions of whoever is logged in: where they are logged in, and ending that.

use axum::extract::State;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::app::App;
use crate::auth::CurrentUser;
use crate::auth::devices::Device;
use crate::auth::sessions::{self, Action, OwnSession};
use crate::http::{Answer, ApiError, Client, Failure, Path, Reply, Success};

pub fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(list)).routes(routes!(end)).routes(routes!(end_others))
}

/// The caller's sessions, at most 200, the one used last first.
#[utoipa::path(get, path = "/api/user/session/list", tag = "user", operation_id = "ownSessions",
    security(("bearer" = [])),
    responses((status = 200, body = Success<Vec<OwnSession>>), (status = "default", body = Failure)))]
async fn list(state: State<App>, user: CurrentUser) -> Answer<Vec<OwnSession>> {
    let mut own = sessions::of_account(&state.db, user.id).await?;
    for session in &mut own {
        session.current = session.session_id == user.session;
    }
    Ok(Reply(own))
}

/// Ends one of the caller's sessions at once.
#[utoipa::path(post, path = "/api/user/session/end/{id}", tag = "user", operation_id = "endOwnSession",
    params(("id" = String, Path)), security(("bearer" = [])),
    responses((status = 200, body = Success<bool>), (status = "default", body = Failure)))]
async fn end(state: State<App>, user: CurrentUser, client: Client, id: Path<String>) -> Answer<bool> {
    if !sessions::revoke_own(&state.db, user.id, &id.0).await? {
        return Err(ApiError::not_found("session"));
    }
    sessions::record(&state.db, user.id, &user.name, Action::Ended, &client).await?;
    state.hub.end(user.id, &id.0);
    Ok(Reply(true))
}

/// Ends every other session of the caller at once, and forgets every other browser; answers how many sessions those were.
#[utoipa::path(post, path = "/api/user/session/end-others", tag = "user", operation_id = "endOtherSessions",
    security(("bearer" = [])),
    responses((status = 200, body = Success<usize>), (status = "default", body = Failure)))]
async fn end_others(state: State<App>, user: CurrentUser, client: Client, device: Device) -> Answer<usize> {
    let ended = sessions::revoke_others(&state.db, user.id, &user.session).await?;
    device.forget_others(&state.db, user.id).await?;
    for session in &ended {
        state.hub.end(user.id, session);
    }
    if !ended.is_empty() {
        sessions::record(&state.db, user.id, &user.name, Action::Ended, &client).await?;
    }
    Ok(Reply(ended.len()))
}
