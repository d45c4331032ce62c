//! Accounts in the platform database.

use sqlx::{Any, Row, Transaction};

use super::{devices, invitations};
use crate::creations::figures;
use crate::db::Db;
use crate::http::Network;
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
    /// Where it was registered, as far as it still counts as new: it shares the limits of that place.
    pub new_at: Option<String>,
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

/// How a person makes their own account.
#[derive(Debug)]
pub struct Registration<'a> {
    /// Where they are.
    pub place: Network,
    /// How long the account counts as new there, in milliseconds.
    pub new_for: i64,
    /// The invitation that allows it, where one is needed.
    pub invitation: Option<&'a str>,
}

/// Why an account could not be made.
#[derive(Debug)]
pub enum CreateError {
    /// Another account has this value already; the field's name as the API calls it.
    Taken(&'static str),
    Database(sqlx::Error),
}

impl From<sqlx::Error> for CreateError {
    fn from(error: sqlx::Error) -> CreateError {
        CreateError::Database(error)
    }
}

pub async fn find(db: &Db, user_name: &str) -> Result<Option<Account>, sqlx::Error> {
    let row = sqlx::query(
        "select id, user_name, password_hash, role, head_photo, disabled, registered_from, new_until from users
         where user_name = $1",
    )
    .bind(user_name)
    .fetch_optional(db.pool())
    .await?;
    row.map(|row| account(&row)).transpose()
}

pub async fn by_id(db: &Db, id: i64) -> Result<Option<Account>, sqlx::Error> {
    let row = sqlx::query(
        "select id, user_name, password_hash, role, head_photo, disabled, registered_from, new_until from users
         where id = $1",
    )
    .bind(id)
    .fetch_optional(db.pool())
    .await?;
    row.map(|row| account(&row)).transpose()
}

/// Makes an account that an operator or the server wants.
pub async fn create(db: &Db, new: &NewAccount<'_>) -> Result<i64, CreateError> {
    let id = db.next_id("users").await?;
    let mut transaction = db.begin().await?;
    if let Err(error) = insert(&mut transaction, id, new, None).await {
        transaction.rollback().await?;
        return Err(taken(db, new, error).await);
    }
    transaction.commit().await?;
    Ok(id)
}

/// Makes an account that a person wants; `None` if the invitation is wrong, used, withdrawn, expired, or for another email address.
pub async fn register(
    db: &Db,
    new: &NewAccount<'_>,
    registration: &Registration<'_>,
) -> Result<Option<i64>, CreateError> {
    let id = db.next_id("users").await?;
    let mut transaction = db.begin().await?;
    if let Err(error) = insert(&mut transaction, id, new, Some(registration)).await {
        transaction.rollback().await?;
        return Err(taken(db, new, error).await);
    }
    if let Some(invitation) = registration.invitation
        && !invitations::take(&mut transaction, invitation, id, new.email).await?
    {
        transaction.rollback().await?;
        return Ok(None);
    }
    transaction.commit().await?;
    Ok(Some(id))
}

pub(super) async fn insert(
    transaction: &mut Transaction<'_, Any>,
    id: i64,
    new: &NewAccount<'_>,
    registration: Option<&Registration<'_>>,
) -> Result<(), sqlx::Error> {
    let now = now_ms();
    sqlx::query(
        "insert into users (id, user_name, password_hash, role, email, phone, created_at, registered_from, new_until)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9)",
    )
    .bind(id)
    .bind(new.user_name)
    .bind(new.password_hash)
    .bind(new.role)
    .bind(new.email)
    .bind(new.phone)
    .bind(now)
    .bind(registration.map(|registration| registration.place.to_string()))
    .bind(registration.map(|registration| now.saturating_add(registration.new_for)))
    .execute(&mut **transaction)
    .await?;
    Ok(())
}

/// Why the account could not be written: the two databases name a violated constraint differently, so what another account has
/// is looked up.
pub(super) async fn taken(db: &Db, new: &NewAccount<'_>, error: sqlx::Error) -> CreateError {
    if !error.as_database_error().is_some_and(|error| error.is_unique_violation()) {
        return error.into();
    }
    let same_name = count(db, "select count(*) from users where user_name = $1", Some(new.user_name)).await;
    let same_email = count(db, "select count(*) from users where email = $1", new.email).await;
    match (same_name, same_email) {
        (Err(error), _) | (_, Err(error)) => error.into(),
        (Ok(1..), _) => CreateError::Taken("userName"),
        (_, Ok(1..)) => CreateError::Taken("email"),
        _ => CreateError::Taken("phone"),
    }
}

/// The account whose limits count what this one does: its own, or, for one that is new, the first of the new accounts that were
/// registered at the same place. Together they may do what one account may.
pub async fn budget(db: &Db, account: &Account) -> Result<i64, sqlx::Error> {
    let Some(place) = &account.new_at else { return Ok(account.id) };
    let first: Option<i64> =
        sqlx::query_scalar("select min(id) from users where registered_from = $1 and new_until > $2")
            .bind(place)
            .bind(now_ms())
            .fetch_one(db.pool())
            .await?;
    Ok(first.unwrap_or(account.id))
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
    devices::forget_all(&mut transaction, id).await?;
    figures::show(&mut transaction, id).await?;
    transaction.commit().await
}

/// The account with this email address or phone number.
pub async fn find_by_contact(db: &Db, contact: &str) -> Result<Option<Account>, sqlx::Error> {
    let row = sqlx::query(
        "select id, user_name, password_hash, role, head_photo, disabled, registered_from, new_until from users
         where email = $1 or phone = $1",
    )
    .bind(contact)
    .fetch_optional(db.pool())
    .await?;
    row.map(|row| account(&row)).transpose()
}

/// Email address and phone number of an account.
pub async fn contacts(db: &Db, user_name: &str) -> Result<(Option<String>, Option<String>), sqlx::Error> {
    let found: Option<(Option<String>, Option<String>)> =
        sqlx::query_as("select email, phone from users where user_name = $1 and disabled = 0")
            .bind(user_name)
            .fetch_optional(db.pool())
            .await?;
    Ok(found.unwrap_or_default())
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
    devices::forget_all(&mut transaction, id).await?;
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
async fn keep_an_admin(transaction: &mut Transaction<'_, Any>) -> Result<(), ChangeError> {
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
    let new_until: Option<i64> = row.try_get("new_until")?;
    Ok(Account {
        id: row.try_get("id")?,
        user_name: row.try_get("user_name")?,
        password_hash: row.try_get("password_hash")?,
        role: row.try_get("role")?,
        head_photo: row.try_get("head_photo")?,
        disabled: row.try_get::<i64, _>("disabled")? != 0,
        new_at: row
            .try_get::<Option<String>, _>("registered_from")?
            .filter(|_| new_until.is_some_and(|end| end > now_ms())),
    })
}
