//! The row that every creation has: made, read, changed and removed with the rights in each statement's `where`.

use std::collections::HashMap;
use std::fmt::Display;

use axum::http::StatusCode;
use sqlx::any::AnyRow;
use sqlx::{AnyConnection, Row};

use super::access::{EDITABLE, READABLE, Reader};
use super::card::marks;
use super::model::{CreationKind, Head, Origin, Visibility};
use super::{favorites, figures, index, rewards, tags, versions};
use crate::auth::CurrentUser;
use crate::auth::deeds::Deed;
use crate::auth::token::random_key;
use crate::credits;
use crate::db::Db;
use crate::http::ApiError;
use crate::time::now_ms;

/// Characters of an id: 80 random bits, so that nobody finds one by trying.
const ID_LENGTH: usize = 20;

/// A creation to be made.
#[derive(Debug)]
pub struct New<'a> {
    pub kind: CreationKind,
    pub title: &'a str,
    pub notes: &'a str,
    pub tags: &'a [&'a str],
    pub visibility: Visibility,
    pub forked_from: Option<&'a str>,
}

/// What a change does to the row; `None` leaves a field as it is.
#[derive(Debug, Default)]
pub struct Change<'a> {
    /// The revision that the change was made on; without one it is made on whatever there is.
    pub revision: Option<i64>,
    pub title: Option<&'a str>,
    pub notes: Option<&'a str>,
    pub tags: Option<&'a [&'a str]>,
}

/// A creation's own row.
#[derive(Debug, Clone)]
pub struct Creation {
    pub id: String,
    pub number: i64,
    pub kind: CreationKind,
    pub owner_id: i64,
    pub owner_name: String,
    pub owner_photo: String,
    pub visibility: Visibility,
    pub official: bool,
    pub title: String,
    pub notes: String,
    pub title_zh: Option<String>,
    pub notes_zh: Option<String>,
    pub forked_from: Option<String>,
    pub revision: i64,
    pub favorites: i64,
    pub forks: i64,
    pub created_at: i64,
    pub updated_at: i64,
}

const COLUMNS: &str = "select c.id, c.number, c.kind, c.owner_id, u.user_name, u.head_photo, c.visibility, c.official, \
    c.title, c.notes, c.title_zh, c.notes_zh, c.forked_from, c.revision, c.favorites, c.forks, c.created_at, c.updated_at \
    from creations c join users u on u.id = c.owner_id";

/// A new id of a creation, a comment or a draft.
pub fn new_id() -> String {
    let mut id = random_key();
    id.truncate(ID_LENGTH);
    id
}

/// The creation, if the reader may read it; otherwise it is as if there were none.
pub async fn readable(db: &Db, reader: &Reader, kind: CreationKind, id: &str) -> Result<Creation, ApiError> {
    let statement = format!("{COLUMNS} where c.id = $4 and c.kind = $5 and {READABLE}");
    let row = sqlx::query(sqlx::AssertSqlSafe(statement))
        .bind(reader.id())
        .bind(reader.admin_flag())
        .bind(reader.share())
        .bind(id)
        .bind(kind.name())
        .fetch_optional(db.pool())
        .await?;
    match row {
        Some(row) => Ok(creation(&row)?),
        None => Err(ApiError::not_found(kind.name())),
    }
}

/// The creation, if this user may change it. Who may only read it is told so.
pub async fn editable(db: &Db, user: &CurrentUser, kind: CreationKind, id: &str) -> Result<Creation, ApiError> {
    let found = readable(db, &Reader::of(user), kind, id).await?;
    if found.owner_id != user.id && !user.is_admin() {
        return Err(not_yours(kind));
    }
    touched(user, &found);
    Ok(found)
}

/// Tells the audit log when an administrator changes what somebody else made.
fn touched(user: &CurrentUser, found: &Creation) {
    let values: [(&str, &dyn Display); 3] = [("id", &found.id), ("title", &found.title), ("owner", &found.owner_name)];
    user.touches(found.owner_id, Deed::CreationOfOther, &values);
}

/// The creation whoever it belongs to, for what the server does by itself.
pub async fn any(db: &Db, id: &str) -> Result<Option<Creation>, sqlx::Error> {
    let statement = format!("{COLUMNS} where c.id = $1");
    let row = sqlx::query(sqlx::AssertSqlSafe(statement)).bind(id).fetch_optional(db.pool()).await?;
    row.map(|row| creation(&row)).transpose()
}

/// Whether the creation is there, asked in a transaction that is about to write what belongs to it.
pub async fn exists(at: &mut AnyConnection, id: &str) -> Result<bool, sqlx::Error> {
    let found: i64 = sqlx::query_scalar("select count(*) from creations where id = $1").bind(id).fetch_one(at).await?;
    Ok(found > 0)
}

/// What creations are called now, by id, whoever they belong to; those that are gone are not in it.
pub async fn titles(db: &Db, ids: &[&str]) -> Result<HashMap<String, String>, sqlx::Error> {
    if ids.is_empty() {
        return Ok(HashMap::new());
    }
    let statement = format!("select id, title from creations where id in ({})", marks(ids.len(), 1));
    let mut query = sqlx::query_as(sqlx::AssertSqlSafe(statement));
    for id in ids {
        query = query.bind(*id);
    }
    Ok(query.fetch_all(db.pool()).await?.into_iter().collect())
}

/// Writes a new creation's row, tags and figures; `number` is the next of the counter `creations`.
pub async fn insert(
    at: &mut AnyConnection,
    owner: i64,
    id: &str,
    number: i64,
    new: &New<'_>,
) -> Result<(), sqlx::Error> {
    let now = now_ms();
    let published = (new.visibility == Visibility::Public).then_some(now);
    let share = (new.visibility == Visibility::Link).then(random_key);
    sqlx::query(
        "insert into creations (id, number, kind, owner_id, visibility, share_token, title, notes, forked_from,
         created_at, updated_at, published_at) values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $10, $11)",
    )
    .bind(id)
    .bind(number)
    .bind(new.kind.name())
    .bind(owner)
    .bind(new.visibility.name())
    .bind(share)
    .bind(new.title)
    .bind(new.notes)
    .bind(new.forked_from)
    .bind(now)
    .bind(published)
    .execute(&mut *at)
    .await?;
    if let Some(origin) = new.forked_from {
        sqlx::query("update creations set forks = forks + 1 where id = $1").bind(origin).execute(&mut *at).await?;
    }
    if !new.tags.is_empty() {
        tags::replace(at, new.kind, id, owner, new.tags).await?;
    }
    // The others are in no figure.
    if matches!(new.kind, CreationKind::Query | CreationKind::Dashboard) {
        figures::recount(at, owner).await?;
    }
    Ok(())
}

/// Changes the row and counts its revision up; false when the revision is not the one named, or the row not this user's.
pub async fn update(
    at: &mut AnyConnection,
    user: &CurrentUser,
    kind: CreationKind,
    id: &str,
    change: &Change<'_>,
) -> Result<bool, sqlx::Error> {
    let statement = format!(
        "update creations set title = coalesce(cast($3 as text), title),
         title_zh = case when cast($3 as text) is null then title_zh end,
         notes_zh = case when cast($4 as text) is null then notes_zh end, notes = coalesce(cast($4 as text), notes),
         revision = revision + 1, updated_at = $5
         where id = $6 and kind = $7 and {EDITABLE} and (cast($8 as bigint) is null or revision = $8)"
    );
    let done = sqlx::query(sqlx::AssertSqlSafe(statement))
        .bind(user.id)
        .bind(i64::from(user.is_admin()))
        .bind(change.title)
        .bind(change.notes)
        .bind(now_ms())
        .bind(id)
        .bind(kind.name())
        .bind(change.revision)
        .execute(&mut *at)
        .await?;
    if done.rows_affected() == 0 {
        return Ok(false);
    }
    if let Some(tags) = change.tags {
        tags::replace(at, kind, id, user.id, tags).await?;
    }
    Ok(true)
}

/// Removes a creation with all that belongs to it.
pub async fn remove(db: &Db, user: &CurrentUser, kind: CreationKind, id: &str) -> Result<Creation, ApiError> {
    let found = editable(db, user, kind, id).await?;
    let mut transaction = db.begin().await?;
    // Children that are creations themselves go first: their rows are no children of this row in the database.
    let children = "select v.id from visualizations v where v.query_id = $1";
    let removed = format!("delete from creations where id = $3 and {EDITABLE}");
    let gone = "delete from creations where id in (select v.id from visualizations v where v.query_id = $1)";
    sqlx::query("delete from tags where entity_kind = $1 and entity_id = $2")
        .bind(kind.name())
        .bind(id)
        .execute(&mut *transaction)
        .await?;
    if kind == CreationKind::Query {
        let ids: Vec<String> = sqlx::query_scalar(children).bind(id).fetch_all(&mut *transaction).await?;
        for child in &ids {
            index::forget(db, &mut transaction, child).await?;
        }
        sqlx::query(gone).bind(id).execute(&mut *transaction).await?;
    }
    if !favorites::forget(&mut transaction, &found).await? {
        return Err(ApiError::not_found(kind.name()));
    }
    index::forget(db, &mut transaction, id).await?;
    rewards::hidden(&mut transaction, id).await?;
    sqlx::query(sqlx::AssertSqlSafe(removed))
        .bind(user.id)
        .bind(i64::from(user.is_admin()))
        .bind(id)
        .execute(&mut *transaction)
        .await?;
    figures::recount(&mut transaction, found.owner_id).await?;
    transaction.commit().await?;
    Ok(found)
}

/// Makes a creation private or public, or gives it a share link; answers the token of the link it has then.
pub async fn set_visibility(
    db: &Db,
    user: &CurrentUser,
    id: &str,
    visibility: Visibility,
) -> Result<Option<String>, ApiError> {
    let token = (visibility == Visibility::Link).then(random_key);
    let found = any(db, id).await?;
    let entry = db.next_id(credits::ENTRIES).await?;
    let mut transaction = db.begin().await?;
    let statement = format!(
        "update creations set visibility = $3, share_token = $4,
         published_at = case when $3 = 'public' then coalesce(published_at, $5) else published_at end
         where id = $6 and {EDITABLE}"
    );
    let done = sqlx::query(sqlx::AssertSqlSafe(statement))
        .bind(user.id)
        .bind(i64::from(user.is_admin()))
        .bind(visibility.name())
        .bind(token.as_deref())
        .bind(now_ms())
        .bind(id)
        .execute(&mut *transaction)
        .await?;
    if done.rows_affected() == 0 {
        return Err(ApiError::not_found("creation"));
    }
    if visibility != Visibility::Private {
        versions::show(&mut transaction, id).await?;
    }
    if visibility != Visibility::Public {
        rewards::hidden(&mut transaction, id).await?;
    }
    // Charts follow their query; a link to the query opens its charts with it.
    let of_charts = if visibility == Visibility::Public { Visibility::Public } else { Visibility::Private };
    sqlx::query(
        "update creations set visibility = $2, share_token = null
         where id in (select v.id from visualizations v where v.query_id = $1)",
    )
    .bind(id)
    .bind(of_charts.name())
    .execute(&mut *transaction)
    .await?;
    tags::show(&mut transaction, id, visibility == Visibility::Public).await?;
    index::refresh(db, &mut transaction, id).await?;
    if let Some(found) = found {
        figures::recount(&mut transaction, found.owner_id).await?;
        touched(user, &found);
    }
    rewards::published(&mut transaction, entry, id).await?;
    transaction.commit().await?;
    Ok(token)
}

/// Gives a creation a new share link, or takes it back. A public one needs none and stays public.
pub async fn share(db: &Db, user: &CurrentUser, id: &str, shared: bool) -> Result<Option<String>, ApiError> {
    let public = any(db, id).await?.is_some_and(|found| found.visibility == Visibility::Public);
    if public {
        return share_token(db, user, id).await;
    }
    set_visibility(db, user, id, if shared { Visibility::Link } else { Visibility::Private }).await
}

/// The token of the share link; only for those who may change the creation.
pub async fn share_token(db: &Db, user: &CurrentUser, id: &str) -> Result<Option<String>, ApiError> {
    let statement = format!("select share_token from creations where id = $3 and {EDITABLE}");
    let row = sqlx::query(sqlx::AssertSqlSafe(statement))
        .bind(user.id)
        .bind(i64::from(user.is_admin()))
        .bind(id)
        .fetch_optional(db.pool())
        .await?;
    let row = row.ok_or_else(|| ApiError::not_found("creation"))?;
    Ok(row.try_get("share_token")?)
}

/// What the API says of a creation to this reader.
pub async fn head(db: &Db, reader: &Reader, of: Creation) -> Result<Head, ApiError> {
    let tags = tags::of(db, of.kind, &of.id).await?;
    let favorited = favorites::is_marked(db, reader.id(), of.kind.name(), &of.id).await?;
    let forked_from = match &of.forked_from {
        Some(origin) => {
            let found = readable(db, &Reader { user: reader.user.clone(), ..Reader::default() }, of.kind, origin).await;
            let found = found.ok();
            let user_name = found.as_ref().map(|found| found.owner_name.clone());
            Some(Origin { id: origin.clone(), title: found.map(|found| found.title), user_name })
        }
        None => None,
    };
    let editable = reader.may_change(of.owner_id);
    Ok(Head {
        id: of.id,
        kind: of.kind,
        title: of.title,
        notes: of.notes,
        title_zh: of.title_zh,
        notes_zh: of.notes_zh,
        tags,
        user_name: of.owner_name,
        head_photo: of.owner_photo,
        visibility: of.visibility,
        official: of.official,
        revision: of.revision,
        favorites: of.favorites,
        favorited,
        forks: of.forks,
        forked_from,
        editable,
        create_time: of.created_at,
        update_time: of.updated_at,
    })
}

fn not_yours(kind: CreationKind) -> ApiError {
    let msg = format!("Only its owner may change this {}.", kind.name());
    ApiError::new(StatusCode::FORBIDDEN, "forbidden", msg)
}

fn creation(row: &AnyRow) -> Result<Creation, sqlx::Error> {
    let unknown = |column: &str| sqlx::Error::Decode(format!("creations.{column} holds an unknown word").into());
    Ok(Creation {
        id: row.try_get("id")?,
        number: row.try_get("number")?,
        kind: CreationKind::parse(row.try_get("kind")?).ok_or_else(|| unknown("kind"))?,
        owner_id: row.try_get("owner_id")?,
        owner_name: row.try_get("user_name")?,
        owner_photo: row.try_get("head_photo")?,
        visibility: Visibility::parse(row.try_get("visibility")?).ok_or_else(|| unknown("visibility"))?,
        official: row.try_get::<i64, _>("official")? != 0,
        title: row.try_get("title")?,
        notes: row.try_get("notes")?,
        title_zh: row.try_get("title_zh")?,
        notes_zh: row.try_get("notes_zh")?,
        forked_from: row.try_get("forked_from")?,
        revision: row.try_get("revision")?,
        favorites: row.try_get("favorites")?,
        forks: row.try_get("forks")?,
        created_at: row.try_get("created_at")?,
        updated_at: row.try_get("updated_at")?,
    })
}
