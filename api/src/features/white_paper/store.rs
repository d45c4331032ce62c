//! White papers in the platform database.

use sqlx::FromRow;

use super::model::WhitePaper;
use crate::db::Db;
use crate::db::list::{List, Page, Paged};
use crate::time::now_ms;

const COLUMNS: &str =
    "id, title, language, white_papers.path, size, published, created_by, white_papers.created_at, published_at";
const FROM: &str = "white_papers join files on files.path = white_papers.path";

pub async fn insert(db: &Db, title: &str, language: &str, path: &str, by: &str) -> Result<i64, sqlx::Error> {
    let id = db.next_id("white_papers").await?;
    sqlx::query(
        "insert into white_papers (id, title, language, path, created_by, created_at)
         values ($1, $2, $3, $4, $5, $6)",
    )
    .bind(id)
    .bind(title)
    .bind(language)
    .bind(path)
    .bind(by)
    .bind(now_ms())
    .execute(db.pool())
    .await?;
    Ok(id)
}

/// Newest first; only published ones for the public.
pub async fn list(db: &Db, published: bool, page: Page) -> Result<Paged<WhitePaper>, sqlx::Error> {
    let list = List::new(COLUMNS, FROM, "white_papers.created_at desc, id desc");
    list.number("published", published.then_some(1)).page(db, page).await
}

pub async fn find(db: &Db, id: i64) -> Result<Option<WhitePaper>, sqlx::Error> {
    let row = sqlx::query(sqlx::AssertSqlSafe(format!("select {COLUMNS} from {FROM} where id = $1")))
        .bind(id)
        .fetch_optional(db.pool())
        .await?;
    row.as_ref().map(WhitePaper::from_row).transpose()
}

/// Publishes or hides a paper; false if there is none of this id.
pub async fn publish(db: &Db, id: i64, published: bool) -> Result<bool, sqlx::Error> {
    let changed = sqlx::query("update white_papers set published = $2, published_at = $3 where id = $1")
        .bind(id)
        .bind(i64::from(published))
        .bind(published.then(now_ms))
        .execute(db.pool())
        .await?;
    Ok(changed.rows_affected() > 0)
}

pub async fn remove(db: &Db, id: i64) -> Result<(), sqlx::Error> {
    sqlx::query("delete from white_papers where id = $1").bind(id).execute(db.pool()).await?;
    Ok(())
}
