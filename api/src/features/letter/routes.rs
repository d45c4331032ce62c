//! Calls for private letters.

use axum::extract::State;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::model::{ChatItem, FromParam, LetterView, ThreadParams};
use crate::app::App;
use crate::auth::CurrentUser;
use crate::http::{Answer, ApiError, Failure, Query, Reply, Success};
use crate::letters;
use crate::ws::message::{ChatRead, ServerMessage};

/// Letters of one answer when the caller does not say.
const THREAD: i64 = 50;

pub fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(unread))
        .routes(routes!(contacts))
        .routes(routes!(thread))
        .routes(routes!(set_read))
}

/// Whether somebody wrote what the caller has not read.
#[utoipa::path(get, path = "/api/private/letter/is-exist-not-read-message", tag = "letter",
    operation_id = "isExistNotReadMessage", security(("bearer" = [])),
    responses((status = 200, body = Success<bool>), (status = "default", body = Failure)))]
async fn unread(state: State<App>, user: CurrentUser) -> Answer<bool> {
    Ok(Reply(letters::has_unread(&state.db, user.id).await?))
}

/// Everybody the caller wrote with: those with unread letters first, then the latest.
#[utoipa::path(get, path = "/api/private/letter/user/list", tag = "letter", operation_id = "chatList",
    security(("bearer" = [])),
    responses((status = 200, body = Success<Vec<ChatItem>>), (status = "default", body = Failure)))]
async fn contacts(state: State<App>, user: CurrentUser) -> Answer<Vec<ChatItem>> {
    let contacts = letters::contacts(&state.db, user.id).await?;
    let items = contacts.into_iter().map(|contact| ChatItem {
        username: contact.user_name,
        avatar: contact.head_photo,
        content: contact.content,
        send_time: contact.sent_at,
        if_not_read: contact.unread > 0,
        unread: contact.unread,
        online: state.hub.sockets(contact.user_id) > 0,
    });
    Ok(Reply(items.collect()))
}

/// Letters with another user, oldest first: the newest, or those before a letter.
#[utoipa::path(get, path = "/api/private/letter/chat/content", tag = "letter", operation_id = "chatContent",
    params(ThreadParams), security(("bearer" = [])),
    responses((status = 200, body = Success<Vec<LetterView>>), (status = "default", body = Failure)))]
async fn thread(state: State<App>, user: CurrentUser, query: Query<ThreadParams>) -> Answer<Vec<LetterView>> {
    let params = query.0;
    let other = other(&state, &params.comment_from).await?;
    let limit = params.size.unwrap_or(THREAD).clamp(1, 100);
    let letters = letters::thread(&state.db, user.id, other, params.before, limit).await?;
    let views = letters.into_iter().map(|letter| LetterView {
        id: letter.id,
        comment: letter.content,
        comment_from: letter.from_name,
        comment_to: letter.to_name,
        comment_time: letter.sent_at,
        if_read: if letter.read_at.is_some() { "是" } else { "否" }.to_string(),
    });
    Ok(Reply(views.collect()))
}

/// Marks the letters of another user as read.
#[utoipa::path(post, path = "/api/private/letter/set-read", tag = "letter", operation_id = "setRead",
    params(FromParam), security(("bearer" = [])),
    responses((status = 200, body = Success<bool>), (status = "default", body = Failure)))]
async fn set_read(state: State<App>, user: CurrentUser, query: Query<FromParam>) -> Answer<bool> {
    let other = other(&state, &query.0.comment_from).await?;
    if letters::set_read(&state.db, user.id, other).await? > 0 {
        let read = ServerMessage::ChatRead(ChatRead { by: user.name, from: query.0.comment_from });
        state.hub.send(user.id, read.clone());
        state.hub.send(other, read);
    }
    Ok(Reply(true))
}

async fn other(app: &App, name: &str) -> Result<i64, ApiError> {
    let found = letters::correspondent(&app.db, name).await?;
    found.ok_or_else(|| ApiError::no_such_user().param("commentFrom"))
}
