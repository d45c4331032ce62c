//! Added signatures in the database.

use quarry_functions::decoder::{Signature, Signatures};
use sqlx::FromRow;

use super::model::SignatureView;
use crate::auth::CurrentUser;
use crate::db::Db;
use crate::db::list::{Page, Paged, pattern};
use crate::time::now_ms;

/// Signatures of one account.
pub const MOST: i64 = 2_000;

/// Those that serve a user: their own and everybody's, with these hashes.
pub async fn known(db: &Db, user: i64, hashes: &[String]) -> Result<Signatures, sqlx::Error> {
    let mut known = Signatures::default();
    for hash in hashes {
        let texts: Vec<String> = sqlx::query_scalar(
            "select signature from signatures where hash = $1 and (user_id = $2 or everybody = 1)
             order by case when user_id = $2 then 0 else 1 end, id",
        )
        .bind(hash)
        .bind(user)
        .fetch_all(db.pool())
        .await?;
        // What was read once reads again.
        texts.iter().filter_map(|text| Signature::parse(text).ok()).for_each(|signature| known.add(signature));
    }
    Ok(known)
}

/// What became of a signature that somebody adds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Added {
    /// It is there, by this id.
    New(i64),
    /// The user has it already.
    Known,
    /// The user has as many as there may be.
    Full,
}

/// Adds one.
pub async fn add(db: &Db, user: i64, signature: &Signature, everybody: bool) -> Result<Added, sqlx::Error> {
    let id = db.next_id("signatures").await?;
    // Counted and written in one transaction: many that are added at once are no more than one after the other.
    let mut transaction = db.begin().await?;
    let there: i64 = sqlx::query_scalar("select count(*) from signatures where user_id = $1")
        .bind(user)
        .fetch_one(&mut *transaction)
        .await?;
    if there >= MOST {
        return Ok(Added::Full);
    }
    let added = sqlx::query(
        "insert into signatures (id, user_id, kind, hash, signature, everybody, created_at)
         values ($1, $2, $3, $4, $5, $6, $7) on conflict (user_id, signature) do nothing",
    )
    .bind(id)
    .bind(user)
    .bind(signature.kind())
    .bind(signature.hash())
    .bind(signature.text())
    .bind(i64::from(everybody))
    .bind(now_ms())
    .execute(&mut *transaction)
    .await?;
    transaction.commit().await?;
    Ok(if added.rows_affected() > 0 { Added::New(id) } else { Added::Known })
}

/// Whose signature it is: id and name.
pub async fn owner(db: &Db, id: i64) -> Result<Option<(i64, String)>, sqlx::Error> {
    sqlx::query_as(
        "select users.id, user_name from signatures join users on users.id = user_id where signatures.id = $1",
    )
    .bind(id)
    .fetch_optional(db.pool())
    .await
}

/// Removes one of the user's own, or for an administrator anybody's; false when there is none.
pub async fn remove(db: &Db, user: &CurrentUser, id: i64) -> Result<bool, sqlx::Error> {
    let done = sqlx::query("delete from signatures where id = $1 and (user_id = $2 or cast($3 as bigint) = 1)")
        .bind(id)
        .bind(user.id)
        .bind(i64::from(user.is_admin()))
        .execute(db.pool())
        .await?;
    Ok(done.rows_affected() > 0)
}

/// Those that the user sees, newest first.
pub async fn list(db: &Db, user: i64, search: &str, page: Page) -> Result<Paged<SignatureView>, sqlx::Error> {
    const FROM: &str = "from signatures s join users on users.id = s.user_id
        where (s.user_id = $1 or s.everybody = 1) and (s.hash = $2 or lower(s.signature) like $3 escape '\\')";
    let search = search.trim().to_lowercase();
    let like = pattern(&search);
    let rows = sqlx::query(sqlx::AssertSqlSafe(format!(
        "select s.id, s.kind, s.hash, s.signature, s.everybody, users.user_name, s.created_at {FROM}
         order by s.id desc limit $4 offset $5"
    )))
    .bind(user)
    .bind(&search)
    .bind(&like)
    .bind(page.limit())
    .bind(page.offset())
    .fetch_all(db.pool())
    .await?;
    let total = sqlx::query_scalar(sqlx::AssertSqlSafe(format!("select count(*) {FROM}")))
        .bind(user)
        .bind(&search)
        .bind(&like)
        .fetch_one(db.pool())
        .await?;
    Ok(Paged { items: rows.iter().map(SignatureView::from_row).collect::<Result<_, _>>()?, total })
}
