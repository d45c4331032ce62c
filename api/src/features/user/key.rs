//! Calls for the keys of the developer API: shown once, kept as a hash.

use axum::extract::State;
use sha2::{Digest, Sha256};
use sqlx::FromRow;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::model::{ApiKey, MadeApiKey, NewApiKey};
use crate::app::App;
use crate::auth::CurrentUser;
use crate::auth::token::random_key;
use crate::db::Db;
use crate::http::{Answer, ApiError, Failure, Json, Path, Reply, Success};
use crate::time::now_ms;

/// Keys that one account may have.
const MOST: usize = 20;
/// Characters of a key that are shown later.
const PREFIX: usize = 10;
/// In milliseconds.
const DAY: i64 = 86_400_000;

pub fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(list)).routes(routes!(create)).routes(routes!(delete))
}

/// The caller's keys, newest first.
#[utoipa::path(get, path = "/api/user/api-key/list", tag = "user", operation_id = "apiKeys",
    security(("bearer" = [])),
    responses((status = 200, body = Success<Vec<ApiKey>>), (status = "default", body = Failure)))]
async fn list(state: State<App>, user: CurrentUser) -> Answer<Vec<ApiKey>> {
    Ok(Reply(keys(&state.db, user.id).await?))
}

/// Makes a key; it is shown this once.
#[utoipa::path(post, path = "/api/user/api-key/create", tag = "user", operation_id = "createApiKey",
    request_body = NewApiKey, security(("bearer" = [])),
    responses((status = 200, body = Success<MadeApiKey>), (status = "default", body = Failure)))]
async fn create(state: State<App>, user: CurrentUser, body: Json<NewApiKey>) -> Answer<MadeApiKey> {
    let (db, new) = (&state.db, body.0);
    let name = new.name.trim();
    if !(1..=50).contains(&name.chars().count()) {
        return Err(ApiError::invalid("name", "The name of a key has 1 to 50 characters."));
    }
    if new.expires_in_days.is_some_and(|days| !(1..=3650).contains(&days)) {
        return Err(ApiError::invalid("expiresInDays", "A key lasts 1 to 3,650 days."));
    }
    if keys(db, user.id).await?.len() >= MOST {
        return Err(ApiError::invalid("name", format!("An account has at most {MOST} keys.")));
    }
    let key = format!("qk_{}", random_key());
    let id = db.next_id("api_keys").await?;
    let now = now_ms();
    sqlx::query(
        "insert into api_keys (id, user_id, name, key_hash, prefix, created_at, expires_at)
         values ($1, $2, $3, $4, $5, $6, $7)",
    )
    .bind(id)
    .bind(user.id)
    .bind(name)
    .bind(hex::encode(Sha256::digest(&key)))
    .bind(&key[..PREFIX])
    .bind(now)
    .bind(new.expires_in_days.map(|days| now + days * DAY))
    .execute(db.pool())
    .await?;
    Ok(Reply(MadeApiKey { id, key }))
}

/// Ends a key at once.
#[utoipa::path(post, path = "/api/user/api-key/delete/{id}", tag = "user", operation_id = "deleteApiKey",
    params(("id" = i64, Path)), security(("bearer" = [])),
    responses((status = 200, body = Success<bool>), (status = "default", body = Failure)))]
async fn delete(state: State<App>, user: CurrentUser, id: Path<i64>) -> Answer<bool> {
    let ended =
        sqlx::query("update api_keys set revoked_at = $3 where id = $1 and user_id = $2 and revoked_at is null")
            .bind(id.0)
            .bind(user.id)
            .bind(now_ms())
            .execute(state.db.pool())
            .await?;
    if ended.rows_affected() == 0 {
        return Err(ApiError::not_found("key"));
    }
    Ok(Reply(true))
}

async fn keys(db: &Db, user: i64) -> Result<Vec<ApiKey>, sqlx::Error> {
    let rows = sqlx::query(
        "select id, name, prefix, created_at, expires_at, last_used_at, uses from api_keys
         where user_id = $1 and revoked_at is null order by id desc",
    )
    .bind(user)
    .fetch_all(db.pool())
    .await?;
    rows.iter().map(ApiKey::from_row).collect()
}
