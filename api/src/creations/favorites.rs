//! Favourites of dashboards, queries, users, projects and addresses, and the numbers they add up to.

use sqlx::AnyConnection;

use super::figures;
use super::model::{CreationKind, EntityKind};
use super::store::Creation;
use crate::db::Db;
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

/// Marks or unmarks; false when it was so already.
pub async fn set(db: &Db, user: i64, of: &Marked, marked: bool) -> Result<bool, sqlx::Error> {
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
    count(&mut transaction, of, if marked { 1 } else { -1 }).await?;
    transaction.commit().await?;
    Ok(true)
}

async fn count(at: &mut AnyConnection, of: &Marked, change: i64) -> Result<(), sqlx::Error> {
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
            sqlx::query("update creations set favorites = favorites + $2 where id = $1")
                .bind(&of.id)
                .bind(change)
                .execute(&mut *at)
                .await?;
        }
    }
    match of.receiver {
        Some(receiver) => figures::starred(at, receiver, change).await,
        None => Ok(()),
    }
}

/// Forgets the favourites of a creation that goes; its owner loses their stars.
pub async fn forget(at: &mut AnyConnection, of: &Creation) -> Result<(), sqlx::Error> {
    if of.kind == CreationKind::Visualization || of.kind == CreationKind::Graph {
        return Ok(());
    }
    sqlx::query("delete from favorites where entity_kind = $1 and entity_id = $2")
        .bind(of.kind.name())
        .bind(&of.id)
        .execute(&mut *at)
        .await?;
    figures::starred(at, of.owner_id, -of.favorites).await
}
