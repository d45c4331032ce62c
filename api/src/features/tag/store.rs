//! Tags over all kinds of things: which there are, and what has one. Only what everybody may see is counted and listed.

use sqlx::any::AnyRow;
use sqlx::{AnyConnection, Row};

use crate::creations::card::{Bind, bind};
use crate::creations::model::EntityKind;
use crate::creations::paging::{Listing, Window};
use crate::creations::rules::tag_key;
use crate::creations::tags::{TagCount, TagRow};
use crate::db::Db;

/// Tags of things that everybody may see: users and addresses, and public creations.
const PUBLIC: &str = "(t.entity_kind in ('user', 'address') \
    or exists (select 1 from creations c where c.id = t.entity_id and c.visibility = 'public'))";

/// The tags with the most public things that got them since a moment.
pub async fn trending(db: &Db, since: i64, limit: i64) -> Result<Vec<TagCount>, sqlx::Error> {
    let statement = format!(
        "select min(t.tag) as tag, count(*) as used from tags t where t.updated_at >= $1 and {PUBLIC}
         group by t.tag_key order by used desc, t.tag_key limit $2"
    );
    let rows = sqlx::query(sqlx::AssertSqlSafe(statement)).bind(since).bind(limit).fetch_all(db.pool()).await?;
    rows.iter().map(|row| Ok(TagCount { tag: row.try_get("tag")?, count: row.try_get("used")? })).collect()
}

/// Which tags to list.
#[derive(Debug, Default)]
pub struct TagFilter {
    pub entity: Option<EntityKind>,
    /// The tag as a whole.
    pub tag: Option<String>,
    /// Only those that this account gave, which need not be public then.
    pub creator: Option<i64>,
}

/// Tags with what they belong to, the newest first.
pub async fn list(db: &Db, filter: &TagFilter, window: Window) -> Result<Listing<TagRow>, sqlx::Error> {
    let mut conditions = Vec::new();
    let mut values = Vec::new();
    let mut with = |condition: &str, value: Option<Bind>| {
        if let Some(value) = value {
            values.push(value);
            conditions.push(format!("{condition} ${}", values.len()));
        }
    };
    with("t.entity_kind =", filter.entity.map(|kind| Bind::Text(kind.name().to_string())));
    with("t.tag_key =", filter.tag.as_deref().map(|tag| Bind::Text(tag_key(tag.trim()))));
    with("t.creator_id =", filter.creator.map(Bind::Number));
    if filter.creator.is_none() {
        conditions.push(PUBLIC.to_string());
    }
    let conditions = if conditions.is_empty() { "1 = 1".to_string() } else { conditions.join(" and ") };
    let page = format!(
        "select t.entity_kind, t.entity_id, t.tag, u.user_name, t.created_at, t.updated_at
         from tags t join users u on u.id = t.creator_id where {conditions}
         order by t.updated_at desc, t.entity_kind, t.entity_id, t.tag_key limit {} offset {}",
        window.limit, window.offset
    );
    let rows = bind(sqlx::query(sqlx::AssertSqlSafe(page)), &values).fetch_all(db.pool()).await?;
    let count = format!("select count(*) as total from tags t where {conditions}");
    let total = bind(sqlx::query(sqlx::AssertSqlSafe(count)), &values).fetch_one(db.pool()).await?.try_get("total")?;
    Ok(Listing { items: rows.iter().map(tag).collect::<Result<_, _>>()?, total })
}

/// Takes a tag away: any, or with `creator` only one that this account gave.
pub async fn remove(
    at: &mut AnyConnection,
    kind: EntityKind,
    id: &str,
    tag: &str,
    creator: Option<i64>,
) -> Result<bool, sqlx::Error> {
    let done = sqlx::query(
        "delete from tags where entity_kind = $1 and entity_id = $2 and tag_key = $3
         and (cast($4 as bigint) is null or creator_id = $4)",
    )
    .bind(kind.name())
    .bind(id)
    .bind(tag_key(tag.trim()))
    .bind(creator)
    .execute(at)
    .await?;
    Ok(done.rows_affected() > 0)
}

fn tag(row: &AnyRow) -> Result<TagRow, sqlx::Error> {
    Ok(TagRow {
        entity: row.try_get("entity_kind")?,
        entity_id: row.try_get("entity_id")?,
        tag: row.try_get("tag")?,
        creator: row.try_get("user_name")?,
        create_time: row.try_get("created_at")?,
        update_time: row.try_get("updated_at")?,
    })
}
