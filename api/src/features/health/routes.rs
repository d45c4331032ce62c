//! Liveness and readiness.

use axum::extract::State;
use axum::http::StatusCode;
use serde::Serialize;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::app::App;
use crate::http::{Answer, ApiError, Failure, Reply, Success};
use crate::space::Room;

pub fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(alive)).routes(routes!(ready))
}

#[derive(Debug, Serialize, ToSchema)]
pub struct Health {
    /// Version of the server.
    pub version: String,
}

/// The process answers.
#[utoipa::path(get, path = "/healthz", tag = "health", operation_id = "alive",
    responses((status = 200, body = Success<Health>)))]
async fn alive() -> Answer<Health> {
    Ok(Reply(health()))
}

/// The server can serve: its database and its lake answer, its disk has room, and it does not stop.
#[utoipa::path(get, path = "/readyz", tag = "health", operation_id = "ready",
    responses((status = 200, body = Success<Health>), (status = "default", body = Failure)))]
async fn ready(state: State<App>) -> Answer<Health> {
    let not = |what: &str| ApiError::new(StatusCode::SERVICE_UNAVAILABLE, "not_ready", what).retry_after(5);
    if state.stop.is_cancelled() {
        return Err(not("The server stops."));
    }
    if state.db.is_gone() {
        return Err(not("The platform database does not answer."));
    }
    if state.db.is_full() {
        return Err(not("There is no space left on the disk of the platform database."));
    }
    match state.space.room().await {
        Room::Enough => {}
        Room::Full => return Err(not("There is no space left on the disk of the home.")),
        Room::Unusable => return Err(not("The home can't be written to.")),
    }
    state.db.ping().await.map_err(|_| not("The database does not answer."))?;
    state.engine.lake().snapshot().await.map_err(|_| not("The lake can't be read."))?;
    Ok(Reply(health()))
}

fn health() -> Health {
    Health { version: env!("CARGO_PKG_VERSION").to_string() }
}
