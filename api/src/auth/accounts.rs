//! Accounts and their sessions in the platform database.

use sqlx::Row;

use crate::db::Db;
use crate::time::now_ms;

/// An account as logging in needs it.
#[derive(Debug, Clone)]
pub struct Account {
    pub id: i64,
    pub user_name: String,
    pub password_hash: String,
    pub role: String,
    pub head_photo: String,
    pub disabled: bool,
}

/// An account to be made.
#[derive(Debug)]
pub struct NewAccount<'a> {
    pub user_name: &'a str,
    pub password_hash: &'a str,
    pub role: &'a str,
    pub email: Option<&'a str>,
    pub phone: Option<&'a str>,
}

/// Why an account could not be made.
#[derive(Debug)]
pub enum CreateError {
    /// Another account has this value already; the field's name as the API calls it.
    Taken(&'static str),
    Database(sqlx::Error),
}

/// A session and the account it belongs to.
#[derive(Debug)]
pub struct Session {
    pub account: Account,
    pub expires_at: i64,
    pub revoked: bool,
}

const ACCOUNT: &str = "select id, user_name, password_hash, role, head_photo, disabled from users where user_name = $1";

pub async fn find(db: &Db, user_name: &str) -> Result<Option<Account>, sqlx::Error> {
    let row = sqlx::query(ACCOUNT).bind(user_name).fetch_optional(db.pool()).await?;
    row.map(|row| account(&row)).transpose()
}

pub async fn create(db: &Db, new: &NewAccount<'_>) -> Result<i64, CreateError> {
    let id = db.next_id("users").await.map_err(CreateError::Database)?;
    let inserted = sqlx::query(
        "insert into users (id, user_name, password_hash, role, email, phone, created_at)
         values ($1, $2, $3, $4, $5, $6, $7)",
    )
    .bind(id)
    .bind(new.user_name)
    .bind(new.password_hash)
    .bind(new.role)
    .bind(new.email)
    .bind(new.phone)
    .bind(now_ms())
    .execute(db.pool())
    .await;
    match inserted {
        Ok(_) => Ok(id),
        Err(error) if error.as_database_error().is_some_and(|error| error.is_unique_violation()) => {
            Err(taken(db, new).await.map_or_else(CreateError::Database, CreateError::Taken))
        }
        Err(error) => Err(CreateError::Database(error)),
    }
}

/// Which value another account has; the two databases name a violated constraint differently.
async fn taken(db: &Db, new: &NewAccount<'_>) -> Result<&'static str, sqlx::Error> {
    let same_name = count(db, "select count(*) from users where user_name = $1", Some(new.user_name)).await?;
    let same_email = count(db, "select count(*) from users where email = $1", new.email).await?;
    Ok(match (same_name, same_email) {
        (1.., _) => "userName",
        (_, 1..) => "email",
        _ => "phone",
    })
}

async fn count(db: &Db, statement: &'static str, value: Option<&str>) -> Result<i64, sqlx::Error> {
    sqlx::query_scalar(statement).bind(value).fetch_one(db.pool()).await
}

/// Gives an account another password and role, enables it and ends its sessions.
pub async fn reset(db: &Db, user_name: &str, password_hash: &str, role: &str) -> Result<(), sqlx::Error> {
    let mut transaction = db.pool().begin().await?;
    sqlx::query("update users set password_hash = $2, role = $3, disabled = 0 where user_name = $1")
        .bind(user_name)
        .bind(password_hash)
        .bind(role)
        .execute(&mut *transaction)
        .await?;
    sqlx::query(
        "update sessions set revoked_at = $2
         where revoked_at is null and user_id = (select id from users where user_name = $1)",
    )
    .bind(user_name)
    .bind(now_ms())
    .execute(&mut *transaction)
    .await?;
    transaction.commit().await
}

pub async fn open_session(db: &Db, id: &str, user_id: i64, expires_at: i64) -> Result<(), sqlx::Error> {
    sqlx::query("insert into sessions (id, user_id, created_at, expires_at) values ($1, $2, $3, $4)")
        .bind(id)
        .bind(user_id)
        .bind(now_ms())
        .bind(expires_at)
        .execute(db.pool())
        .await?;
    Ok(())
}

pub async fn session(db: &Db, id: &str) -> Result<Option<Session>, sqlx::Error> {
    let row = sqlx::query(
        "select users.id, user_name, password_hash, role, head_photo, disabled, expires_at, revoked_at
         from sessions join users on users.id = sessions.user_id where sessions.id = $1",
    )
    .bind(id)
    .fetch_optional(db.pool())
    .await?;
    let Some(row) = row else { return Ok(None) };
    Ok(Some(Session {
        account: account(&row)?,
        expires_at: row.try_get("expires_at")?,
        revoked: row.try_get::<Option<i64>, _>("revoked_at")?.is_some(),
    }))
}

pub async fn revoke(db: &Db, session: &str) -> Result<(), sqlx::Error> {
    sqlx::query("update sessions set revoked_at = $2 where id = $1 and revoked_at is null")
        .bind(session)
        .bind(now_ms())
        .execute(db.pool())
        .await?;
    Ok(())
}

/// Forgets sessions that ran out before `before`.
pub async fn forget_expired(db: &Db, before: i64) -> Result<(), sqlx::Error> {
    sqlx::query("delete from sessions where expires_at < $1").bind(before).execute(db.pool()).await?;
    Ok(())
}

fn account(row: &sqlx::any::AnyRow) -> Result<Account, sqlx::Error> {
    Ok(Account {
        id: row.try_get("id")?,
        user_name: row.try_get("user_name")?,
        password_hash: row.try_get("password_hash")?,
        role: row.try_get("role")?,
        head_photo: row.try_get("head_photo")?,
        disabled: row.try_get::<i64, _>("disabled")? != 0,
    })
}
