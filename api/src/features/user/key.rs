//! Calls for the keys of the developer API.

use axum::extract::State;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::model::{ApiKeyChange, KeyUsage, MadeApiKey, NewApiKey, UsageParams};
use crate::app::App;
use crate::auth::{CurrentUser, rules};
use crate::http::{Answer, ApiError, Failure, Json, Path, Query, Reply, Success};
use crate::keys::{self, ApiKey, MOST, NewKey};
use crate::time::now_ms;

/// In milliseconds.
const DAY: i64 = 86_400_000;

pub fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(list))
        .routes(routes!(create))
        .routes(routes!(edit))
        .routes(routes!(usage))
        .routes(routes!(delete))
}

/// The caller's keys, newest first.
#[utoipa::path(get, path = "/api/user/api-key/list", tag = "user", operation_id = "apiKeys",
    security(("bearer" = [])),
    responses((status = 200, body = Success<Vec<ApiKey>>), (status = "default", body = Failure)))]
async fn list(state: State<App>, user: CurrentUser) -> Answer<Vec<ApiKey>> {
    Ok(Reply(keys::list(&state.db, user.id).await?))
}

/// Makes a key; it is shown this once.
#[utoipa::path(post, path = "/api/user/api-key/create", tag = "user", operation_id = "createApiKey",
    request_body = NewApiKey, security(("bearer" = [])),
    responses((status = 200, body = Success<MadeApiKey>), (status = "default", body = Failure)))]
async fn create(state: State<App>, user: CurrentUser, body: Json<NewApiKey>) -> Answer<MadeApiKey> {
    let (db, new) = (&state.db, body.0);
    let name = name(&new.name)?;
    if new.expires_in_days.is_some_and(|days| !(1..=3650).contains(&days)) {
        return Err(ApiError::invalid("expiresInDays", "A key lasts 1 to 3,650 days."));
    }
    let restrictions = new.restrictions.unwrap_or_default().checked()?;
    let expires_at = new.expires_in_days.map(|days| now_ms() + days * DAY);
    let made = keys::create(db, user.id, &NewKey { name, expires_at, restrictions: &restrictions }).await?;
    let full = || ApiError::invalid("name", format!("An account has at most {MOST} keys."));
    let (id, key) = made.ok_or_else(full)?;
    Ok(Reply(MadeApiKey { id, key }))
}

/// Changes name and restrictions of a key; its expiry stays.
#[utoipa::path(post, path = "/api/user/api-key/edit/{id}", tag = "user", operation_id = "editApiKey",
    params(("id" = i64, Path)), request_body = ApiKeyChange, security(("bearer" = [])),
    responses((status = 200, body = Success<bool>), (status = "default", body = Failure)))]
async fn edit(state: State<App>, user: CurrentUser, id: Path<i64>, body: Json<ApiKeyChange>) -> Answer<bool> {
    let name = name(&body.0.name)?;
    let restrictions = body.0.restrictions.clone().checked()?;
    if !keys::edit(&state.db, user.id, id.0, name, &restrictions).await? {
        return Err(ApiError::not_found("key"));
    }
    state.keys.forget(id.0);
    Ok(Reply(true))
}

/// Requests of a key by day, UTC, oldest first.
#[utoipa::path(get, path = "/api/user/api-key/usage/{id}", tag = "user", operation_id = "apiKeyUsage",
    params(("id" = i64, Path), UsageParams), security(("bearer" = [])),
    responses((status = 200, body = Success<KeyUsage>), (status = "default", body = Failure)))]
async fn usage(state: State<App>, user: CurrentUser, id: Path<i64>, params: Query<UsageParams>) -> Answer<KeyUsage> {
    let days = params.0.days.unwrap_or(30);
    if !(1..=366).contains(&days) {
        return Err(ApiError::invalid("days", "The use of a key is told for 1 to 366 days."));
    }
    // What was counted is written first, so that the answer holds every request before it.
    state.keys.flush().await;
    let since = (now_ms().div_euclid(DAY) + 1 - days) * DAY;
    let days = keys::usage(&state.db, user.id, id.0, since).await?.ok_or_else(|| ApiError::not_found("key"))?;
    Ok(Reply(KeyUsage { id: id.0, days }))
}

/// Ends a key at once.
#[utoipa::path(post, path = "/api/user/api-key/delete/{id}", tag = "user", operation_id = "deleteApiKey",
    params(("id" = i64, Path)), security(("bearer" = [])),
    responses((status = 200, body = Success<bool>), (status = "default", body = Failure)))]
async fn delete(state: State<App>, user: CurrentUser, id: Path<i64>) -> Answer<bool> {
    if !keys::end(&state.db, user.id, id.0).await? {
        return Err(ApiError::not_found("key"));
    }
    state.keys.forget(id.0);
    Ok(Reply(true))
}

fn name(text: &str) -> Result<&str, ApiError> {
    let name = text.trim();
    if name.chars().count() > 50 || !rules::one_line(name) {
        return Err(ApiError::invalid("name", "The name of a key has 1 to 50 characters."));
    }
    Ok(name)
}
