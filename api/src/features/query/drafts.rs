//! Calls for drafts: what is being written, kept on the server for every open tab.

use axum::extract::State;
use sqlx::Row;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::model::{Draft, DraftList};
use crate::app::App;
use crate::auth::{CurrentUser, rules};
use crate::creations::document::bounded;
use crate::creations::model::Chosen;
use crate::http::{Answer, ApiError, Failure, Json, Reply, Success};
use crate::time::now_ms;

/// Drafts of one user; the oldest make room.
const MOST: i64 = 50;
const STATE_BYTES: usize = 256 * 1024;

pub fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(list)).routes(routes!(save)).routes(routes!(delete))
}

/// The caller's drafts, the newest first.
#[utoipa::path(get, path = "/api/query/draft/list", tag = "query", operation_id = "drafts",
    security(("bearer" = [])),
    responses((status = 200, body = Success<DraftList>), (status = "default", body = Failure)))]
async fn list(state: State<App>, user: CurrentUser) -> Answer<DraftList> {
    let rows = sqlx::query("select content, updated_at from drafts where user_id = $1 order by updated_at desc, id")
        .bind(user.id)
        .fetch_all(state.db.pool())
        .await?;
    let mut items = Vec::with_capacity(rows.len());
    for row in &rows {
        let content: String = row.try_get("content")?;
        let mut draft: Draft = serde_json::from_str(&content).map_err(ApiError::internal)?;
        draft.update_time = row.try_get("updated_at")?;
        items.push(draft);
    }
    Ok(Reply(DraftList { items }))
}

/// Keeps a draft, in place of the caller's draft with the same id.
#[utoipa::path(post, path = "/api/query/draft/save", tag = "query", operation_id = "saveDraft", request_body = Draft,
    security(("bearer" = [])),
    responses((status = 200, body = Success<Draft>), (status = "default", body = Failure)))]
async fn save(state: State<App>, user: CurrentUser, body: Json<Draft>) -> Answer<Draft> {
    let mut draft = body.0;
    check(&draft)?;
    draft.update_time = now_ms();
    let content = serde_json::to_string(&draft).map_err(ApiError::internal)?;
    let mut transaction = state.db.begin().await?;
    sqlx::query(
        "insert into drafts (user_id, id, title, content, updated_at) values ($1, $2, $3, $4, $5)
         on conflict (user_id, id) do update set title = $3, content = $4, updated_at = $5",
    )
    .bind(user.id)
    .bind(&draft.id)
    .bind(&draft.title)
    .bind(content)
    .bind(draft.update_time)
    .execute(&mut *transaction)
    .await?;
    sqlx::query(
        "delete from drafts where user_id = $1 and id not in
         (select id from drafts where user_id = $1 order by updated_at desc, id limit $2)",
    )
    .bind(user.id)
    .bind(MOST)
    .execute(&mut *transaction)
    .await?;
    transaction.commit().await?;
    Ok(Reply(draft))
}

/// Forgets a draft; a missing one is fine.
#[utoipa::path(post, path = "/api/query/draft/delete", tag = "query", operation_id = "deleteDraft",
    request_body = Chosen, security(("bearer" = [])),
    responses((status = 200, body = Success<bool>), (status = "default", body = Failure)))]
async fn delete(state: State<App>, user: CurrentUser, body: Json<Chosen>) -> Answer<bool> {
    sqlx::query("delete from drafts where user_id = $1 and id = $2")
        .bind(user.id)
        .bind(&body.0.id)
        .execute(state.db.pool())
        .await?;
    Ok(Reply(true))
}

fn check(draft: &Draft) -> Result<(), ApiError> {
    let letters = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_';
    if !(1..=40).contains(&draft.id.len()) || !draft.id.bytes().all(letters) {
        return Err(ApiError::invalid("id", "The id of a draft has 1 to 40 letters, digits, - or _."));
    }
    if draft.title.chars().count() > 200 || !rules::plain(&draft.title) {
        return Err(ApiError::invalid("title", "The title of a draft has at most 200 characters on one line."));
    }
    draft.what.check()?;
    bounded(&draft.state, STATE_BYTES, "state")
}
