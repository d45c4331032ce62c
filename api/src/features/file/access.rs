//! Who may read which file, and who asks when no header can be sent.

use axum::extract::OptionalFromRequestParts;
use axum::http::request::Parts;

use crate::app::{App, FileAccess, FileUse};
use crate::auth::CurrentUser;
use crate::auth::rights::{self, Area, FeedbackDesk, Files};
use crate::http::ApiError;
use crate::uploads::{self, FileRow, Scene};

/// The file, if this user may read it: pictures of users and published white papers are everybody's, the rest is its
/// owner's and the back office's. A file of somebody else is not found.
pub async fn readable(app: &App, user: Option<&CurrentUser>, path: &str) -> Result<FileRow, ApiError> {
    let missing = || ApiError::not_found("file");
    let row = uploads::find(&app.db, path).await?.ok_or_else(missing)?;
    let public = row.scene == Scene::Avatar.name() || uploads::is_published(&app.db, path).await?;
    let own = user.is_some_and(|user| user.id == row.owner_id);
    if public || own || staff(app, user, &row).await? { Ok(row) } else { Err(missing()) }
}

async fn staff(app: &App, user: Option<&CurrentUser>, row: &FileRow) -> Result<bool, ApiError> {
    let Some(user) = user else { return Ok(false) };
    if rights::holds(&app.db, user, Files::PERMISSION).await? {
        return Ok(true);
    }
    Ok(row.scene == Scene::Feedback.name() && rights::holds(&app.db, user, FeedbackDesk::PERMISSION).await?)
}

/// Who asks: by a ticket for exactly this use, by a token in the address, or by the header.
pub async fn who(
    app: &App,
    parts: &mut Parts,
    ticket: Option<&str>,
    token: Option<&str>,
    wanted: &FileUse,
) -> Result<Option<CurrentUser>, ApiError> {
    for key in [ticket, token].into_iter().flatten().filter(|key| !key.is_empty()) {
        if let Some(FileAccess { session, to }) = app.file_tickets.take(key) {
            if to != *wanted {
                return Err(ApiError::unauthenticated());
            }
            return CurrentUser::of_session(app, &session).await.map(Some);
        }
    }
    match token.filter(|token| !token.is_empty()) {
        Some(token) => CurrentUser::of_token(app, token).await.map(Some),
        None if ticket.is_some() => Err(ApiError::unauthenticated()),
        None => <CurrentUser as OptionalFromRequestParts<App>>::from_request_parts(parts, app).await,
    }
}
