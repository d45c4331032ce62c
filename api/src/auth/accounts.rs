//! Accounts in the platform database.

use sqlx::Row;

use crate::creations::figures;
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

const ACCOUNT: &str = "select id, user_name, password_hash, role, head_photo, disabled from users where user_name = $1";

pub async fn find(db: &Db, user_name: &str) -> Result<Option<Account>, sqlx::Error> {
    let row = sqlx::query(ACCOUNT).bind(user_name).fetch_optional(db.pool()).await?;
    row.map(|row| account(&row)).transpose()
}

pub async fn by_id(db: &Db, id: i64) -> Result<Option<Account>, sqlx::Error> {
    let row = sqlx::query("select id, user_name, password_hash, role, head_photo, disabled from users where id = $1")
        .bind(id)
        .fetch_optional(db.pool())
        .await?;
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
    let mut transaction = db.begin().await?;
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
    let id =
        sqlx::query_scalar("select id from users where user_name = $1").bind(user_name).fetch_one(&mut *transaction);
    let id: i64 = id.await?;
    figures::show(&mut transaction, id).await?;
    transaction.commit().await
}

/// The account with this email address or phone number.
pub async fn find_by_contact(db: &Db, contact: &str) -> Result<Option<Account>, sqlx::Error> {
    let row = sqlx::query(
        "select id, user_name, password_hash, role, head_photo, disabled from users where email = $1 or phone = $1",
    )
    .bind(contact)
    .fetch_optional(db.pool())
    .await?;
    row.map(|row| account(&row)).transpose()
}

pub async fn role_of(db: &Db, id: i64) -> Result<Option<String>, sqlx::Error> {
    sqlx::query_scalar("select role from users where id = $1").bind(id).fetch_optional(db.pool()).await
}

/// Gives an account another password and ends all its sessions.
pub async fn change_password(db: &Db, id: i64, password_hash: &str) -> Result<(), sqlx::Error> {
    let mut transaction = db.begin().await?;
    sqlx::query("update users set password_hash = $2 where id = $1")
        .bind(id)
        .bind(password_hash)
        .execute(&mut *transaction)
        .await?;
    sqlx::query("update sessions set revoked_at = $2 where revoked_at is null and user_id = $1")
        .bind(id)
        .bind(now_ms())
        .execute(&mut *transaction)
        .await?;
    transaction.commit().await
}

/// Why an account was not changed.
#[derive(Debug)]
pub enum ChangeError {
    Unknown,
    /// It is the last administrator that can log in.
    LastAdmin,
    Database(sqlx::Error),
}

impl From<sqlx::Error> for ChangeError {
    fn from(error: sqlx::Error) -> ChangeError {
        ChangeError::Database(error)
    }
}

/// Disables or enables an account; a disabled one loses its sessions. The last administrator stays.
pub async fn set_disabled(db: &Db, id: i64, disabled: bool) -> Result<(), ChangeError> {
    let mut transaction = db.begin().await?;
    let changed = sqlx::query("update users set disabled = $2 where id = $1")
        .bind(id)
        .bind(i64::from(disabled))
        .execute(&mut *transaction)
        .await?;
    if changed.rows_affected() == 0 {
        return Err(ChangeError::Unknown);
    }
    keep_an_admin(&mut transaction).await?;
    figures::show(&mut transaction, id).await?;
    if disabled {
        sqlx::query("update sessions set revoked_at = $2 where revoked_at is null and user_id = $1")
            .bind(id)
            .bind(now_ms())
            .execute(&mut *transaction)
            .await?;
    }
    transaction.commit().await?;
    Ok(())
}

/// Gives an account another role. The last administrator stays one.
pub async fn set_role(db: &Db, id: i64, role: &str) -> Result<(), ChangeError> {
    let mut transaction = db.begin().await?;
    let changed =
        sqlx::query("update users set role = $2 where id = $1").bind(id).bind(role).execute(&mut *transaction).await?;
    if changed.rows_affected() == 0 {
        return Err(ChangeError::Unknown);
    }
    keep_an_admin(&mut transaction).await?;
    transaction.commit().await?;
    Ok(())
}

/// Refuses a change that would leave nobody in charge. It counts after the change, in the same transaction; touching
/// one row that every such change touches makes two of them at once wait for each other.
async fn keep_an_admin(transaction: &mut sqlx::Transaction<'_, sqlx::Any>) -> Result<(), ChangeError> {
    sqlx::query("update roles set created_at = created_at where name = $1")
        .bind(super::ROLE_ADMIN)
        .execute(&mut **transaction)
        .await?;
    let left: i64 = sqlx::query_scalar("select count(*) from users where role = $1 and disabled = 0")
        .bind(super::ROLE_ADMIN)
        .fetch_one(&mut **transaction)
        .await?;
    if left == 0 { Err(ChangeError::LastAdmin) } else { Ok(()) }
}

pub(super) fn account(row: &sqlx::any::AnyRow) -> Result<Account, sqlx::Error> {
    Ok(Account {
        id: row.try_get("id")?,
        user_name: row.try_get("user_name")?,
        password_hash: row.try_get("password_hash")?,
        role: row.try_get("role")?,
        head_photo: row.try_get("head_photo")?,
        disabled: row.try_get::<i64, _>("disabled")? != 0,
    })
}
