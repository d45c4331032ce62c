//! Versions of queries and dashboards: every save is kept, with its author and time.

use serde::Serialize;
use sqlx::{AnyConnection, Row};
use utoipa::ToSchema;

use super::access::Reader;
use super::paging::{Listing, Window};
use super::store::Creation;
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

/// 1 where others may read the creation `$1` now.
const SHOWN: &str = "(select case when visibility = 'private' then 0 else 1 end from creations where id = $1)";

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
        let statement = format!(
            "update versions set title = $3, content = $4, shown = {SHOWN}
             where creation_id = $1 and author_id = $2 and autosave = 1 and created_at > $5
             and version = (select max(version) from versions where creation_id = $1)"
        );
        let replaced = sqlx::query(sqlx::AssertSqlSafe(statement))
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
    let statement = format!(
        "insert into versions (creation_id, version, author_id, created_at, autosave, title, content, shown)
         select $1, coalesce(max(version), 0) + 1, $2, $3, $4, $5, $6, {SHOWN} from versions where creation_id = $1"
    );
    sqlx::query(sqlx::AssertSqlSafe(statement))
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
/// The versions of the creation `$1` for a reader: `$2` is 1 for who may change it. Others see the newest, and those that
/// could be read by others while they were the newest: what was written in private stays so after publishing.
const OPEN: &str = "creation_id = $1 and ($2 = 1 or shown = 1 or version = (select max(version) from versions \
    where creation_id = $1))";

/// The others who may read the creation now may read its newest version from now on.
pub async fn show(at: &mut AnyConnection, id: &str) -> Result<(), sqlx::Error> {
    let statement = "update versions set shown = 1
        where creation_id = $1 and version = (select max(version) from versions where creation_id = $1)";
    sqlx::query(statement).bind(id).execute(at).await?;
    Ok(())
}

/// The versions of a creation that this reader may see, newest first.
pub async fn list(
    db: &Db,
    reader: &Reader,
    of: &Creation,
    window: Window,
) -> Result<Listing<VersionView>, sqlx::Error> {
    let all = i64::from(reader.may_change(of.owner_id));
    let statement = format!("select {COLUMNS} from {FROM} where {OPEN} order by version desc limit $3 offset $4");
    let rows = sqlx::query(sqlx::AssertSqlSafe(statement))
        .bind(&of.id)
        .bind(all)
        .bind(window.limit)
        .bind(window.offset)
        .fetch_all(db.pool())
        .await?;
    let statement = format!("select count(*) from versions where {OPEN}");
    let total = sqlx::query_scalar(sqlx::AssertSqlSafe(statement)).bind(&of.id).bind(all).fetch_one(db.pool());
    Ok(Listing { items: rows.iter().map(view).collect::<Result<_, _>>()?, total: total.await? })
}

/// One version and its content, if this reader may see it.
pub async fn find(db: &Db, reader: &Reader, of: &Creation, version: i64) -> Result<(VersionView, String), ApiError> {
    let statement = format!("select {COLUMNS}, content from {FROM} where {OPEN} and version = $3");
    let row = sqlx::query(sqlx::AssertSqlSafe(statement))
        .bind(&of.id)
        .bind(i64::from(reader.may_change(of.owner_id)))
        .bind(version)
        .fetch_optional(db.pool())
        .await?;
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
