//! Favourites of dashboards, queries, users, projects and addresses, and the numbers they add up to.

use sqlx::AnyConnection;

use super::model::{CreationKind, EntityKind};
use super::store::Creation;
use super::{figures, rewards};
use crate::credits;
use crate::db::Db;
use crate::http::ApiError;
use crate::time::now_ms;

/// Whether the account marked this as a favourite; a visitor never did.
pub async fn is_marked(db: &Db, user: Option<i64>, kind: &str, id: &str) -> Result<bool, sqlx::Error> {
    let Some(user) = user else { return Ok(false) };
    let found: i64 =
        sqlx::query_scalar("select count(*) from favorites where user_id = $1 and entity_kind = $2 and entity_id = $3")
            .bind(user)
            .bind(kind)
            .bind(id)
            .fetch_one(db.pool())
            .await?;
    Ok(found > 0)
}

/// What is marked, and who gets the star for it.
#[derive(Debug, Clone)]
pub struct Marked {
    pub kind: EntityKind,
    pub id: String,
    /// The owner of a creation, or the user who is marked; nobody for an address.
    pub receiver: Option<i64>,
}

/// Marks or unmarks, with what the owner gains or loses by it; false when it was so already.
pub async fn set(db: &Db, user: i64, of: &Marked, marked: bool) -> Result<bool, ApiError> {
    let entry = db.next_id(credits::ENTRIES).await?;
    let mut transaction = db.begin().await?;
    let done = if marked {
        sqlx::query(
            "insert into favorites (user_id, entity_kind, entity_id, created_at) values ($1, $2, $3, $4)
             on conflict (user_id, entity_kind, entity_id) do nothing",
        )
        .bind(user)
        .bind(of.kind.name())
        .bind(&of.id)
        .bind(now_ms())
        .execute(&mut *transaction)
        .await?
    } else {
        sqlx::query("delete from favorites where user_id = $1 and entity_kind = $2 and entity_id = $3")
            .bind(user)
            .bind(of.kind.name())
            .bind(&of.id)
            .execute(&mut *transaction)
            .await?
    };
    if done.rows_affected() == 0 {
        return Ok(false);
    }
    if !count(&mut transaction, of, if marked { 1 } else { -1 }).await? {
        return Err(ApiError::not_found(of.kind.name()));
    }
    rewards::marked(&mut transaction, entry, of, user, marked).await?;
    transaction.commit().await?;
    Ok(true)
}

/// Counts a mark more or less; false where the creation went since it was looked at.
async fn count(at: &mut AnyConnection, of: &Marked, change: i64) -> Result<bool, sqlx::Error> {
    match of.kind {
        EntityKind::User => {}
        EntityKind::Address => {
            sqlx::query(
                "insert into addresses (address, favorites, created_at, updated_at) values ($1, $2, $3, $3)
                 on conflict (address) do update set favorites = addresses.favorites + $2",
            )
            .bind(&of.id)
            .bind(change)
            .bind(now_ms())
            .execute(&mut *at)
            .await?;
        }
        EntityKind::Dashboard | EntityKind::Query | EntityKind::Project => {
            let counted = sqlx::query("update creations set favorites = favorites + $2 where id = $1")
                .bind(&of.id)
                .bind(change)
                .execute(&mut *at)
                .await?;
            if counted.rows_affected() == 0 {
                return Ok(false);
            }
        }
    }
    if let Some(receiver) = of.receiver {
        figures::starred(at, receiver, change).await?;
    }
    Ok(true)
}

/// Forgets the favourites of a creation that goes; its owner loses their stars, and what was gained by them. False where it
/// is gone already.
pub async fn forget(at: &mut AnyConnection, of: &Creation) -> Result<bool, sqlx::Error> {
    // Read in the transaction: who looked at it before may not have seen the newest marks, or that somebody was faster.
    let stars: Option<i64> = sqlx::query_scalar("select favorites from creations where id = $1")
        .bind(&of.id)
        .fetch_optional(&mut *at)
        .await?;
    let Some(stars) = stars else { return Ok(false) };
    if of.kind == CreationKind::Visualization || of.kind == CreationKind::Graph {
        return Ok(true);
    }
    let marked_by: Vec<i64> =
        sqlx::query_scalar("delete from favorites where entity_kind = $1 and entity_id = $2 returning user_id")
            .bind(of.kind.name())
            .bind(&of.id)
            .fetch_all(&mut *at)
            .await?;
    for by in marked_by {
        rewards::unmarked(at, &of.id, by).await?;
    }
    figures::starred(at, of.owner_id, -stars).await?;
    Ok(true)
}
