//! Calls for messages to everybody.

use axum::extract::State;
use serde::{Deserialize, Serialize};
use sqlx::FromRow;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::app::App;
use crate::auth::deeds::Deed;
use crate::auth::rights::PlatformMessages;
use crate::auth::{Allowed, CurrentUser, rules};
use crate::db::list::{List, Page, Paged};
use crate::http::{Answer, ApiError, Failure, Json, Query, Reply, Success};
use crate::time::now_ms;
use crate::ws::message::{PlatformMessage, ServerMessage};

pub fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(list)).routes(routes!(send))
}

/// A message to everybody, as it is kept.
#[derive(Debug, Serialize, ToSchema, FromRow)]
pub struct KeptMessage {
    pub id: i64,
    pub msg: String,
    /// Milliseconds since 1970.
    pub time: i64,
    /// `info` or `warning`.
    #[serde(rename = "type")]
    pub kind: String,
    /// Name of who sent it.
    pub sender: String,
}

/// How urgent a message is.
#[derive(Debug, Clone, Copy, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum MessageKind {
    Info,
    Warning,
}

/// A message to be sent.
#[derive(Debug, Deserialize, ToSchema)]
pub struct PlatformForm {
    /// 1 to 1,000 characters.
    pub msg: String,
    #[serde(rename = "type")]
    pub kind: MessageKind,
}

/// Messages to everybody, newest first.
#[utoipa::path(get, path = "/api/platform/message/list", tag = "letter", operation_id = "platformMessages",
    params(Page), security(("bearer" = [])),
    responses((status = 200, body = Success<Paged<KeptMessage>>), (status = "default", body = Failure)))]
async fn list(state: State<App>, _user: CurrentUser, page: Query<Page>) -> Answer<Paged<KeptMessage>> {
    let columns = "id, content as msg, sent_at as time, kind, sender";
    let list = List::new(columns, "platform_messages", "sent_at desc, id desc");
    Ok(Reply(list.page(&state.db, page.0).await?))
}

/// Keeps a message and sends it to every open websocket.
#[utoipa::path(post, path = "/api/system/platform-message/send", tag = "system", operation_id = "sendPlatformMessage",
    request_body = PlatformForm, security(("bearer" = [])),
    responses((status = 200, body = Success<i64>), (status = "default", body = Failure)))]
async fn send(state: State<App>, by: Allowed<PlatformMessages>, body: Json<PlatformForm>) -> Answer<i64> {
    let text = body.0.msg.trim();
    if text.chars().count() > 1_000 || !rules::visible(text) {
        return Err(ApiError::invalid("msg", "A message has 1 to 1,000 characters."));
    }
    let kind = match body.0.kind {
        MessageKind::Info => "info",
        MessageKind::Warning => "warning",
    };
    let (id, time) = (state.db.next_id("platform_messages").await?, now_ms());
    sqlx::query("insert into platform_messages (id, kind, content, sender, sent_at) values ($1, $2, $3, $4, $5)")
        .bind(id)
        .bind(kind)
        .bind(text)
        .bind(&by.user.name)
        .bind(time)
        .execute(state.db.pool())
        .await?;
    let message = PlatformMessage { msg: text.to_string(), time, kind: kind.to_string() };
    state.hub.send_all(&ServerMessage::Platform(message));
    by.note(Deed::MessageSent, &[("id", &id)]);
    Ok(Reply(id))
}
