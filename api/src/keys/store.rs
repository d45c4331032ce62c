//! Keys in the database.

use serde::Serialize;
use sha2::{Digest, Sha256};
use sqlx::any::AnyRow;
use sqlx::{FromRow, Row};
use utoipa::ToSchema;

use super::{KnownKey, Restrictions};
use crate::auth::token::random_key;
use crate::db::Db;
use crate::time::now_ms;

/// Characters of a key that are shown later.
const PREFIX: usize = 10;
/// Keys that one account may have.
pub const MOST: i64 = 20;

/// A key as its owner sees it later.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ApiKey {
    pub id: i64,
    pub name: String,
    /// First characters of the key.
    pub prefix: String,
    /// Milliseconds since 1970, like every time here.
    pub created_at: i64,
    /// Null for a key that does not run out.
    pub expires_at: Option<i64>,
    pub last_used_at: Option<i64>,
    /// Requests so far.
    pub uses: i64,
    pub restrictions: Restrictions,
}

/// Requests of a key on one day.
#[derive(Debug, Serialize, ToSchema, FromRow)]
pub struct DayUsage {
    /// Start of the day, UTC, in milliseconds since 1970.
    pub day: i64,
    /// All of them.
    pub requests: i64,
    /// Those among them that were refused: expired, restricted or too many at once.
    pub refused: i64,
}

/// What a new key is made with.
#[derive(Debug)]
pub struct NewKey<'a> {
    pub name: &'a str,
    /// Milliseconds since 1970.
    pub expires_at: Option<i64>,
    pub restrictions: &'a Restrictions,
}

/// A list as the database keeps it.
fn list_text(list: &[String]) -> Result<String, sqlx::Error> {
    serde_json::to_string(list).map_err(|error| sqlx::Error::Encode(error.into()))
}

fn restrictions(row: &AnyRow) -> Result<Restrictions, sqlx::Error> {
    let list = |column: &str| {
        let text: String = row.try_get(column)?;
        serde_json::from_str(&text).map_err(|error| sqlx::Error::Decode(error.into()))
    };
    Ok(Restrictions { referrers: list("referrers")?, addresses: list("addresses")?, metrics: list("metrics")? })
}

/// Makes a key: its id and the key itself, which is nowhere else; `None` where the account has as many as it may.
pub async fn create(db: &Db, user: i64, new: &NewKey<'_>) -> Result<Option<(i64, String)>, sqlx::Error> {
    let key = format!("qk_{}", random_key());
    let id = db.next_id("api_keys").await?;
    // Counted and written in one transaction: many that are asked for at once are no more than one after the other.
    let mut transaction = db.begin().await?;
    let there: i64 = sqlx::query_scalar("select count(*) from api_keys where user_id = $1 and revoked_at is null")
        .bind(user)
        .fetch_one(&mut *transaction)
        .await?;
    if there >= MOST {
        return Ok(None);
    }
    sqlx::query(
        "insert into api_keys (id, user_id, name, key_hash, prefix, created_at, expires_at, referrers, addresses, metrics)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)",
    )
    .bind(id)
    .bind(user)
    .bind(new.name)
    .bind(hex::encode(Sha256::digest(&key)))
    .bind(&key[..PREFIX])
    .bind(now_ms())
    .bind(new.expires_at)
    .bind(list_text(&new.restrictions.referrers)?)
    .bind(list_text(&new.restrictions.addresses)?)
    .bind(list_text(&new.restrictions.metrics)?)
    .execute(&mut *transaction)
    .await?;
    transaction.commit().await?;
    Ok(Some((id, key)))
}

/// Changes name and restrictions of a key of this account; false when there is none.
pub async fn edit(db: &Db, user: i64, id: i64, name: &str, restrictions: &Restrictions) -> Result<bool, sqlx::Error> {
    let done = sqlx::query(
        "update api_keys set name = $3, referrers = $4, addresses = $5, metrics = $6
         where id = $1 and user_id = $2 and revoked_at is null",
    )
    .bind(id)
    .bind(user)
    .bind(name)
    .bind(list_text(&restrictions.referrers)?)
    .bind(list_text(&restrictions.addresses)?)
    .bind(list_text(&restrictions.metrics)?)
    .execute(db.pool())
    .await?;
    Ok(done.rows_affected() > 0)
}

/// Ends a key of this account; false when there is none.
pub async fn end(db: &Db, user: i64, id: i64) -> Result<bool, sqlx::Error> {
    let ended =
        sqlx::query("update api_keys set revoked_at = $3 where id = $1 and user_id = $2 and revoked_at is null")
            .bind(id)
            .bind(user)
            .bind(now_ms())
            .execute(db.pool())
            .await?;
    Ok(ended.rows_affected() > 0)
}

/// Keys of all accounts that are not ended.
pub async fn count(db: &Db) -> Result<i64, sqlx::Error> {
    sqlx::query_scalar("select count(*) from api_keys where revoked_at is null").fetch_one(db.pool()).await
}

/// The keys of an account, newest first.
pub async fn list(db: &Db, user: i64) -> Result<Vec<ApiKey>, sqlx::Error> {
    let rows = sqlx::query(
        "select id, name, prefix, created_at, expires_at, last_used_at, uses, referrers, addresses, metrics
         from api_keys where user_id = $1 and revoked_at is null order by id desc",
    )
    .bind(user)
    .fetch_all(db.pool())
    .await?;
    let key = |row: &AnyRow| {
        Ok(ApiKey {
            id: row.try_get("id")?,
            name: row.try_get("name")?,
            prefix: row.try_get("prefix")?,
            created_at: row.try_get("created_at")?,
            expires_at: row.try_get("expires_at")?,
            last_used_at: row.try_get("last_used_at")?,
            uses: row.try_get("uses")?,
            restrictions: restrictions(row)?,
        })
    };
    rows.iter().map(key).collect()
}

/// Requests by day of a key of this account since a moment, oldest first; nothing when there is no such key.
pub async fn usage(db: &Db, user: i64, id: i64, since: i64) -> Result<Option<Vec<DayUsage>>, sqlx::Error> {
    let own: i64 = sqlx::query_scalar("select count(*) from api_keys where id = $1 and user_id = $2")
        .bind(id)
        .bind(user)
        .fetch_one(db.pool())
        .await?;
    if own == 0 {
        return Ok(None);
    }
    let rows =
        sqlx::query("select day, requests, refused from api_key_usage where key_id = $1 and day >= $2 order by day")
            .bind(id)
            .bind(since)
            .fetch_all(db.pool())
            .await?;
    rows.iter().map(DayUsage::from_row).collect::<Result<_, _>>().map(Some)
}

/// A key that may be used, by its hash: not ended, and of an account that is not disabled.
pub(super) async fn find(db: &Db, hash: &[u8]) -> Result<Option<KnownKey>, sqlx::Error> {
    let row = sqlx::query(
        "select api_keys.id, user_id, expires_at, referrers, addresses, metrics from api_keys
         join users on users.id = api_keys.user_id
         where key_hash = $1 and revoked_at is null and users.disabled = 0",
    )
    .bind(hex::encode(hash))
    .fetch_optional(db.pool())
    .await?;
    let Some(row) = row else { return Ok(None) };
    Ok(Some(KnownKey {
        id: row.try_get("id")?,
        user_id: row.try_get("user_id")?,
        expires_at: row.try_get("expires_at")?,
        restrictions: restrictions(&row)?,
    }))
}
