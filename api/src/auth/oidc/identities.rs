//! Which account belongs to whom at a provider: an identity is the provider's address and its name for the person, never an
//! email address or a user name, which may change hands.

use sqlx::{Any, Transaction};

use super::provider::Person;
use crate::auth::accounts::{self, Account, CreateError, NewAccount};
use crate::auth::devices;
use crate::db::Db;
use crate::time::now_ms;

/// The account of a person, if they have logged in before.
pub async fn find(db: &Db, person: &Person) -> Result<Option<Account>, sqlx::Error> {
    let id: Option<i64> = sqlx::query_scalar("select user_id from identities where issuer = $1 and subject = $2")
        .bind(&person.issuer)
        .bind(&person.subject)
        .fetch_optional(db.pool())
        .await?;
    match id {
        Some(id) => accounts::by_id(db, id).await,
        None => Ok(None),
    }
}

/// Makes an account for a person.
pub async fn create(db: &Db, new: &NewAccount<'_>, person: &Person) -> Result<i64, CreateError> {
    let id = db.next_id("users").await?;
    let mut transaction = db.begin().await?;
    let made = match accounts::insert(&mut transaction, id, new, None).await {
        Ok(()) => keep(&mut transaction, person, id).await,
        Err(error) => Err(error),
    };
    if let Err(error) = made {
        transaction.rollback().await?;
        return Err(accounts::taken(db, new, error).await);
    }
    transaction.commit().await?;
    Ok(id)
}

/// Gives a person an account that somebody registered with their email address; `false` where another person of the provider has
/// it already.
///
/// Whoever registered it may not be the owner of that address. So everything that opened the account ends: its password is
/// replaced by one that nobody knows, and its sessions, known browsers, second factor and API keys go.
pub async fn link(db: &Db, person: &Person, account: i64, password_hash: &str) -> Result<bool, sqlx::Error> {
    let now = now_ms();
    let mut transaction = db.begin().await?;
    let others: i64 = sqlx::query_scalar("select count(*) from identities where user_id = $1 and issuer = $2")
        .bind(account)
        .bind(&person.issuer)
        .fetch_one(&mut *transaction)
        .await?;
    if others > 0 {
        return Ok(false);
    }
    keep(&mut transaction, person, account).await?;
    sqlx::query("update users set password_hash = $2 where id = $1")
        .bind(account)
        .bind(password_hash)
        .execute(&mut *transaction)
        .await?;
    for statement in [
        "update sessions set revoked_at = $2 where user_id = $1 and revoked_at is null",
        "update api_keys set revoked_at = $2 where user_id = $1 and revoked_at is null",
    ] {
        sqlx::query(statement).bind(account).bind(now).execute(&mut *transaction).await?;
    }
    for statement in ["delete from second_factors where user_id = $1", "delete from recovery_codes where user_id = $1"]
    {
        sqlx::query(statement).bind(account).execute(&mut *transaction).await?;
    }
    devices::forget_all(&mut transaction, account).await?;
    transaction.commit().await?;
    Ok(true)
}

async fn keep(transaction: &mut Transaction<'_, Any>, person: &Person, account: i64) -> Result<(), sqlx::Error> {
    sqlx::query("insert into identities (issuer, subject, user_id, created_at) values ($1, $2, $3, $4)")
        .bind(&person.issuer)
        .bind(&person.subject)
        .bind(account)
        .bind(now_ms())
        .execute(&mut **transaction)
        .await?;
    Ok(())
}
