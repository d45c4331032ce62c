//! Tags over all kinds of things: which there are, and what has one. Only what everybody may see is counted and listed.

use sqlx::any::AnyRow;
use sqlx::{AnyConnection, Row};

use crate::creations::card::{Bind, bind};
use crate::creations::model::EntityKind;
use crate::creations::paging::{Listing, Window};
use crate::creations::rules::tag_key;
use crate::creations::tags::{TagCount, TagRow};
use crate::db::{Db, tallies};

/// The tags with the most public things that got them since a moment; 0 is the beginning of time.
pub async fn trending(db: &Db, since: i64, limit: i64) -> Result<Vec<TagCount>, sqlx::Error> {
    let (used, time) = match since {
        0 => ("value".to_string(), ""),
        _ => {
            let time = " and t.updated_at >= $2";
            let counted = "select count(*) from tags t where t.public = 1 and t.tag_key = tallies.name";
            (format!("({counted}{time})"), time)
        }
    };
    let statement = format!(
        "select used, (select min(t.tag) from tags t where t.public = 1 and t.tag_key = top.name{time}) as tag
         from (select name, {used} as used from tallies where topic = 'tag' and value > 0
               order by used desc, name limit $1) top
         order by used desc, name"
    );
    let query = sqlx::query(sqlx::AssertSqlSafe(statement)).bind(limit);
    let query = if since == 0 { query } else { query.bind(since) };
    let mut found = Vec::new();
    for row in query.fetch_all(db.pool()).await? {
        // A tag that nothing got since then comes last, and its spelling is null.
        let tag: Option<String> = row.try_get("tag")?;
        found.extend(tag.map(|tag| Ok::<_, sqlx::Error>(TagCount { tag, count: row.try_get("used")? })).transpose()?);
    }
    Ok(found)
}

/// Which tags to list.
#[derive(Debug, Default)]
pub struct TagFilter {
    pub entity: Option<EntityKind>,
    /// The tag as a whole.
    pub tag: Option<String>,
    /// Only those that an account gave, which need not be public then.
    pub own: Option<Own>,
}

/// Which of the tags that an account gave.
#[derive(Debug)]
pub struct Own {
    pub creator: i64,
    /// Only those of the thing with this id.
    pub id: Option<String>,
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
    if let Some(Own { creator, id }) = &filter.own {
        with("t.creator_id =", Some(Bind::Number(*creator)));
        with("t.entity_id =", id.clone().map(Bind::Text));
    } else {
        conditions.push("t.public = 1".to_string());
    }
    let conditions = conditions.join(" and ");
    let total = match filter.own {
        None => public_total(db, filter).await?,
        Some(_) => {
            let count = format!("select count(*) as total from tags t where {conditions}");
            bind(sqlx::query(sqlx::AssertSqlSafe(count)), &values).fetch_one(db.pool()).await?.try_get("total")?
        }
    };
    if window.is_behind(total) {
        return Ok(Listing { items: Vec::new(), total });
    }
    let order = "t.updated_at desc, t.entity_kind, t.entity_id, t.tag_key";
    // The keys of the page come from an index alone, however many rows stand before it.
    let page = format!(
        "select t.entity_kind, t.entity_id, t.tag, u.user_name, t.created_at, t.updated_at
         from (select t.entity_kind, t.entity_id, t.tag_key from tags t where {conditions}
               order by {order} limit {} offset {}) page
         join tags t on t.entity_kind = page.entity_kind and t.entity_id = page.entity_id and t.tag_key = page.tag_key
         join users u on u.id = t.creator_id order by {order}",
        window.limit, window.offset
    );
    let rows = bind(sqlx::query(sqlx::AssertSqlSafe(page)), &values).fetch_all(db.pool()).await?;
    Ok(Listing { items: rows.iter().map(tag).collect::<Result<_, _>>()?, total })
}

/// How many tags of public things there are.
async fn public_total(db: &Db, filter: &TagFilter) -> Result<i64, sqlx::Error> {
    let kind = filter.entity.map(EntityKind::name);
    match (filter.tag.as_deref().map(|tag| tag_key(tag.trim())), kind) {
        (Some(tag), None) => db.tally(tallies::TAG, &tag).await,
        (Some(tag), Some(kind)) => db.tally(&format!("{}:{kind}", tallies::TAG), &tag).await,
        (None, Some(kind)) => db.tally(tallies::TAGS, kind).await,
        (None, None) => {
            let sum = "select cast(coalesce(sum(value), 0) as bigint) from tallies where topic = $1";
            sqlx::query_scalar(sum).bind(tallies::TAGS).fetch_one(db.pool()).await
        }
    }
}

/// Who gave a tag.
pub async fn creator(
    at: &mut AnyConnection,
    kind: EntityKind,
    id: &str,
    tag: &str,
) -> Result<Option<i64>, sqlx::Error> {
    sqlx::query_scalar("select creator_id from tags where entity_kind = $1 and entity_id = $2 and tag_key = $3")
        .bind(kind.name())
        .bind(id)
        .bind(tag_key(tag.trim()))
        .fetch_optional(at)
        .await
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
