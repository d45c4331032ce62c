//! Versions of queries and dashboards: every save is kept, with its author and time.

use serde::Serialize;
use sqlx::{AnyConnection, Row};
use utoipa::ToSchema;

use super::paging::{Listing, Window};
use crate::db::Db;
use crate::http::ApiError;
use crate::time::now_ms;

/// Saves of the editor itself within this time are one version.
const AUTOSAVE_WINDOW_MS: i64 = 10 * 60 * 1000;

/// One version, without its content.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct VersionView {
    /// Counted from 1.
    pub version: i64,
    pub title: String,
    /// Who saved it; null when the account is gone.
    pub user_name: Option<String>,
    pub create_time: i64,
    /// Whether the editor saved it by itself.
    pub autosave: bool,
}

/// Keeps a version. A save of the editor replaces the editor's save of the same author of the last ten minutes.
pub async fn keep(
    at: &mut AnyConnection,
    id: &str,
    author: i64,
    title: &str,
    content: &str,
    autosave: bool,
) -> Result<(), sqlx::Error> {
    let now = now_ms();
    if autosave {
        let replaced = sqlx::query(
            "update versions set title = $3, content = $4
             where creation_id = $1 and author_id = $2 and autosave = 1 and created_at > $5
             and version = (select max(version) from versions where creation_id = $1)",
        )
        .bind(id)
        .bind(author)
        .bind(title)
        .bind(content)
        .bind(now - AUTOSAVE_WINDOW_MS)
        .execute(&mut *at)
        .await?;
        if replaced.rows_affected() > 0 {
            return Ok(());
        }
    }
    sqlx::query(
        "insert into versions (creation_id, version, author_id, created_at, autosave, title, content)
         select $1, coalesce(max(version), 0) + 1, $2, $3, $4, $5, $6 from versions where creation_id = $1",
    )
    .bind(id)
    .bind(author)
    .bind(now)
    .bind(i64::from(autosave))
    .bind(title)
    .bind(content)
    .execute(&mut *at)
    .await?;
    Ok(())
}

const COLUMNS: &str = "version, title, user_name, v.created_at, autosave";
const FROM: &str = "versions v left join users on users.id = v.author_id";

/// The versions of a creation, newest first.
pub async fn list(db: &Db, id: &str, window: Window) -> Result<Listing<VersionView>, sqlx::Error> {
    let statement =
        format!("select {COLUMNS} from {FROM} where creation_id = $1 order by version desc limit $2 offset $3");
    let rows = sqlx::query(sqlx::AssertSqlSafe(statement))
        .bind(id)
        .bind(window.limit)
        .bind(window.offset)
        .fetch_all(db.pool())
        .await?;
    let total =
        sqlx::query_scalar("select count(*) from versions where creation_id = $1").bind(id).fetch_one(db.pool());
    Ok(Listing { items: rows.iter().map(view).collect::<Result<_, _>>()?, total: total.await? })
}

/// One version and its content.
pub async fn find(db: &Db, id: &str, version: i64) -> Result<(VersionView, String), ApiError> {
    let statement = format!("select {COLUMNS}, content from {FROM} where creation_id = $1 and version = $2");
    let row = sqlx::query(sqlx::AssertSqlSafe(statement)).bind(id).bind(version).fetch_optional(db.pool()).await?;
    let row = row.ok_or_else(|| ApiError::not_found("version"))?;
    Ok((view(&row)?, row.try_get("content")?))
}

fn view(row: &sqlx::any::AnyRow) -> Result<VersionView, sqlx::Error> {
    Ok(VersionView {
        version: row.try_get("version")?,
        title: row.try_get("title")?,
        user_name: row.try_get("user_name")?,
        create_time: row.try_get("created_at")?,
        autosave: row.try_get::<i64, _>("autosave")? != 0,
    })
}
