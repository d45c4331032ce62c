//! The files that were uploaded, in the platform database.

use serde::Serialize;
use sqlx::FromRow;
use utoipa::ToSchema;

use super::Scene;
use crate::auth::rules;
use crate::db::Db;
use crate::db::list::{List, Page, Paged};

/// Characters of a file's own name that are kept.
const NAME: usize = 100;

/// A file that was uploaded.
#[derive(Debug, Clone, Serialize, ToSchema, FromRow)]
#[serde(rename_all = "camelCase")]
pub struct FileRow {
    /// What the calls for files take.
    pub path: String,
    /// `avatar`, `feedback` or `white-paper`.
    pub scene: String,
    pub owner_id: i64,
    /// Who uploaded it.
    pub owner_name: String,
    /// What that person called it.
    pub name: String,
    /// Media type.
    pub media: String,
    /// In bytes.
    pub size: i64,
    /// Milliseconds since 1970.
    pub created_at: i64,
}

/// Which files.
#[derive(Debug, Default)]
pub struct Filter<'a> {
    pub owner: Option<i64>,
    pub owner_name: Option<&'a str>,
    pub scene: Option<Scene>,
    /// Part of the name or the path.
    pub name: Option<&'a str>,
    pub from: Option<i64>,
    pub to: Option<i64>,
}

const COLUMNS: &str = "path, scene, owner_id, user_name as owner_name, name, media, size, files.created_at";
const OWNER: &str = "left join users on users.id = owner_id";

/// A name without characters that a header or a terminal would act on.
pub fn shown_name(name: &str) -> String {
    rules::made_plain(name).chars().filter(|letter| !matches!(letter, '/' | '\\' | '"')).take(NAME).collect()
}

pub async fn insert(db: &Db, file: &FileRow) -> Result<(), sqlx::Error> {
    sqlx::query(
        "insert into files (path, scene, owner_id, name, media, size, created_at) values ($1, $2, $3, $4, $5, $6, $7)",
    )
    .bind(&file.path)
    .bind(&file.scene)
    .bind(file.owner_id)
    .bind(&file.name)
    .bind(&file.media)
    .bind(file.size)
    .bind(file.created_at)
    .execute(db.pool())
    .await?;
    Ok(())
}

/// The file with exactly this path.
pub async fn find(db: &Db, path: &str) -> Result<Option<FileRow>, sqlx::Error> {
    // PostgreSQL has no text with a zero byte and would answer an error.
    if path.contains('\0') {
        return Ok(None);
    }
    let row = sqlx::query(sqlx::AssertSqlSafe(format!("select {COLUMNS} from files {OWNER} where path = $1")))
        .bind(path)
        .fetch_optional(db.pool())
        .await?;
    row.as_ref().map(FileRow::from_row).transpose()
}

/// Newest first.
pub async fn list(db: &Db, filter: &Filter<'_>, page: Page) -> Result<Paged<FileRow>, sqlx::Error> {
    List::new(COLUMNS, "files", "files.created_at desc, path")
        .joined(OWNER)
        .number("owner_id", filter.owner)
        .of_user("owner_id", filter.owner_name)
        .text("scene", filter.scene.map(Scene::name))
        .contains("name", filter.name)
        .between("files.created_at", filter.from, filter.to)
        .page(db, page)
        .await
}

/// Forgets a file; whose picture it was has none from then on, and feedback that came with it names it no more.
pub async fn remove(db: &Db, path: &str) -> Result<(), sqlx::Error> {
    let mut transaction = db.begin().await?;
    sqlx::query(
        "update feedback set photo = trim(replace('@' || photo || '@', '@' || $1 || '@', '@'), '@')
         where photo <> '' and user_id = (select owner_id from files where path = $1 and scene = 'feedback')",
    )
    .bind(path)
    .execute(&mut *transaction)
    .await?;
    sqlx::query(
        "update users set head_photo = '' where head_photo = $1
         and id = (select owner_id from files where path = $1 and scene = 'avatar')",
    )
    .bind(path)
    .execute(&mut *transaction)
    .await?;
    sqlx::query("delete from files where path = $1").bind(path).execute(&mut *transaction).await?;
    transaction.commit().await
}

/// Whether the file is a white paper that was published.
pub async fn is_published(db: &Db, path: &str) -> Result<bool, sqlx::Error> {
    let published: i64 = sqlx::query_scalar("select count(*) from white_papers where path = $1 and published = 1")
        .bind(path)
        .fetch_one(db.pool())
        .await?;
    Ok(published > 0)
}
