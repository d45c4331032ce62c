//! Tags of dashboards, queries, users, projects and addresses.

use std::collections::HashMap;

use serde::Serialize;
use sqlx::{Any, AnyConnection, Executor, Row};
use utoipa::ToSchema;

use super::card::marks;
use super::model::CreationKind;
use super::rules::tag_key;
use crate::db::Db;
use crate::time::now_ms;

/// A tag and how many public things have it.
#[derive(Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct TagCount {
    pub tag: String,
    pub count: i64,
}

/// One tag of one thing.
#[derive(Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct TagRow {
    /// `dashboard`, `query`, `user`, `project` or `address`.
    pub entity: String,
    pub entity_id: String,
    pub tag: String,
    /// Who gave it.
    pub creator: String,
    pub create_time: i64,
    pub update_time: i64,
}

/// The tags of a creation in the order in which they were given.
pub async fn of(db: &Db, kind: CreationKind, id: &str) -> Result<Vec<String>, sqlx::Error> {
    of_entity(db.pool(), kind.name(), id).await
}

pub async fn of_entity<'c>(
    at: impl Executor<'c, Database = Any>,
    kind: &str,
    id: &str,
) -> Result<Vec<String>, sqlx::Error> {
    sqlx::query_scalar("select tag from tags where entity_kind = $1 and entity_id = $2 order by created_at, tag_key")
        .bind(kind)
        .bind(id)
        .fetch_all(at)
        .await
}

/// The tags of several things of one kind, by id.
pub async fn of_all(db: &Db, kind: &str, ids: &[&str]) -> Result<HashMap<String, Vec<String>>, sqlx::Error> {
    let mut found: HashMap<String, Vec<String>> = HashMap::new();
    if ids.is_empty() {
        return Ok(found);
    }
    let statement = format!(
        "select entity_id, tag from tags where entity_kind = $1 and entity_id in ({}) order by created_at, tag_key",
        marks(ids.len(), 2)
    );
    let mut query = sqlx::query(sqlx::AssertSqlSafe(statement)).bind(kind);
    for id in ids {
        query = query.bind(*id);
    }
    for row in query.fetch_all(db.pool()).await? {
        found.entry(row.try_get("entity_id")?).or_default().push(row.try_get("tag")?);
    }
    Ok(found)
}

/// Gives a creation exactly these tags; those it has already keep who gave them and when.
pub async fn replace(
    at: &mut AnyConnection,
    kind: CreationKind,
    id: &str,
    by: i64,
    tags: &[&str],
) -> Result<(), sqlx::Error> {
    let keys: Vec<String> = tags.iter().map(|tag| tag_key(tag)).collect();
    let others = if keys.is_empty() { String::new() } else { format!("and tag_key not in ({})", marks(keys.len(), 3)) };
    let statement = format!("delete from tags where entity_kind = $1 and entity_id = $2 {others}");
    let mut removed = sqlx::query(sqlx::AssertSqlSafe(statement)).bind(kind.name()).bind(id);
    for key in &keys {
        removed = removed.bind(key.as_str());
    }
    removed.execute(&mut *at).await?;
    for tag in tags {
        add(at, kind.name(), id, by, tag).await?;
    }
    Ok(())
}

/// Shows the tags of a creation in lists, or hides them, when it has become public or no longer is.
pub async fn show(at: &mut AnyConnection, id: &str, public: bool) -> Result<(), sqlx::Error> {
    sqlx::query(
        "update tags set public = $2 where entity_kind in ('query', 'dashboard', 'project') and entity_id = $1",
    )
    .bind(id)
    .bind(i64::from(public))
    .execute(at)
    .await?;
    Ok(())
}

/// Adds a tag; one that is there is brought up to date.
pub async fn add(at: &mut AnyConnection, kind: &str, id: &str, by: i64, tag: &str) -> Result<(), sqlx::Error> {
    sqlx::query(
        "insert into tags (entity_kind, entity_id, tag_key, tag, creator_id, created_at, updated_at, public)
         values ($1, $2, $3, $4, $5, $6, $6, case when $1 in ('user', 'address')
           or exists (select 1 from creations c where c.id = $2 and c.visibility = 'public') then 1 else 0 end)
         on conflict (entity_kind, entity_id, tag_key) do update set tag = $4, updated_at = $6",
    )
    .bind(kind)
    .bind(id)
    .bind(tag_key(tag))
    .bind(tag)
    .bind(by)
    .bind(now_ms())
    .execute(at)
    .await?;
    Ok(())
}

/// Remembers that people have something to say about an address, so that lists of addresses show it.
pub async fn know_address(at: &mut AnyConnection, address: &str) -> Result<(), sqlx::Error> {
    sqlx::query(
        "insert into addresses (address, created_at, updated_at) values ($1, $2, $2)
         on conflict (address) do update set updated_at = $2",
    )
    .bind(address)
    .bind(now_ms())
    .execute(at)
    .await?;
    Ok(())
}
