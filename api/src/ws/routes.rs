//! The calls that lead to a websocket: a ticket, then the upgrade.

use axum::extract::State;
use axum::extract::ws::WebSocketUpgrade;
use axum::extract::ws::rejection::WebSocketUpgradeRejection;
use axum::http::StatusCode;
use axum::response::Response;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::{SOCKETS_PER_USER, socket};
use crate::app::App;
use crate::auth::CurrentUser;
use crate::http::intake::Intake;
use crate::http::{Answer, ApiError, Failure, Query, Reply, Success};

/// Largest message a client may send, in bytes.
pub(super) const MESSAGE_LIMIT: usize = 64 * 1024;
/// What a socket holds for reading: messages are small, and sockets are many. A larger message makes it grow.
const READ_BUFFER: usize = 4 * 1024;

pub fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(ticket)).routes(routes!(connect))
}

/// A key that opens one websocket.
#[derive(Debug, Serialize, ToSchema)]
pub struct SocketTicket {
    pub ticket: String,
}

#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct ConnectParams {
    /// From `POST /api/ws/ticket`; works once, within 30 seconds.
    pub ticket: Option<String>,
}

/// Makes a ticket for one websocket; it works once, within 30 seconds.
#[utoipa::path(post, path = "/api/ws/ticket", tag = "live", operation_id = "socketTicket", security(("bearer" = [])),
    responses((status = 200, body = Success<SocketTicket>), (status = "default", body = Failure)))]
async fn ticket(state: State<App>, user: CurrentUser) -> Answer<SocketTicket> {
    Ok(Reply(SocketTicket { ticket: state.socket_tickets.issue(user.id, (user.id, user.session)) }))
}

/// The websocket. Every message is `{"type","data"}`: see the schemas ClientMessage and ServerMessage.
#[utoipa::path(get, path = "/api/ws", tag = "live", operation_id = "socket", params(ConnectParams),
    responses((status = 101, description = "The connection is a websocket from here on."),
        (status = "default", body = Failure)))]
async fn connect(
    state: State<App>,
    query: Query<ConnectParams>,
    intake: Intake,
    upgrade: Result<WebSocketUpgrade, WebSocketUpgradeRejection>,
) -> Result<Response, ApiError> {
    let app = state.0;
    let ticket = query.0.ticket.ok_or_else(ApiError::unauthenticated)?;
    let upgrade = upgrade.map_err(|_| {
        ApiError::new(StatusCode::UPGRADE_REQUIRED, "upgrade_required", "This address speaks websocket only.")
    })?;
    let (user, session) = app.socket_tickets.take(&ticket).ok_or_else(ApiError::unauthenticated)?;
    // Counted from here on, so that many at once can't all find that there are few; and before the session is looked at, so
    // that its end is either seen there or told here.
    let notices = app.hub.listen(user, SOCKETS_PER_USER).ok_or_else(too_many)?;
    let user = CurrentUser::of_session(&app, &session).await?;
    let place = app.limits.sockets.begin(user.budget).ok_or_else(too_many)?;
    let upgrade = upgrade.max_message_size(MESSAGE_LIMIT).max_frame_size(MESSAGE_LIMIT).read_buffer_size(READ_BUFFER);
    Ok(upgrade.on_upgrade(async move |stream| {
        socket::serve(app, user, notices, stream, intake).await;
        drop(place);
    }))
}

fn too_many() -> ApiError {
    let msg = "Too many connections of this account are open; close some tabs.";
    ApiError::new(StatusCode::TOO_MANY_REQUESTS, "too_many_connections", msg).retry_after(30)
}
