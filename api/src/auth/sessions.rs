//! Sessions in the platform database: one per login, ended by logging out, by an administrator or by time.

use serde::Serialize;
use sqlx::{FromRow, Row};
use utoipa::ToSchema;

use super::accounts::{Account, account};
use crate::db::Db;
use crate::db::list::{List, Page, Paged};
use crate::http::Client;
use crate::time::now_ms;

/// How exactly the moment a session was last used is kept, in milliseconds: not every request writes.
const SEEN_EVERY: i64 = 60_000;
/// Sessions that are shown to their owner: programs with the PostgreSQL protocol open very many.
const MOST_SHOWN: i64 = 200;
/// A session counts as online this long after its last request, in milliseconds.
pub const ONLINE: i64 = 15 * 60_000;

/// A session and the account it belongs to.
#[derive(Debug)]
pub struct Session {
    pub account: Account,
    pub expires_at: i64,
    pub revoked: bool,
    pub last_seen_at: i64,
}

/// How a session was opened.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub enum LoginKind {
    Password,
    /// At a provider of OpenID Connect.
    Provider,
    /// By a program that speaks the protocol of PostgreSQL.
    ApiKey,
}

impl LoginKind {
    fn name(self) -> &'static str {
        match self {
            LoginKind::Password => "password",
            LoginKind::Provider => "provider",
            LoginKind::ApiKey => "api_key",
        }
    }
}

impl From<String> for LoginKind {
    fn from(name: String) -> LoginKind {
        let all = [LoginKind::Provider, LoginKind::ApiKey];
        all.into_iter().find(|kind| kind.name() == name).unwrap_or(LoginKind::Password)
    }
}

/// A session as administrators see it.
#[derive(Debug, Serialize, ToSchema, FromRow)]
#[serde(rename_all = "camelCase")]
pub struct OnlineSession {
    /// Ends the session at `/api/interceptor/onlineUser/delete`.
    pub session_id: String,
    pub user_id: i64,
    pub user_name: String,
    pub role: String,
    #[sqlx(try_from = "String")]
    pub kind: LoginKind,
    pub address: String,
    /// What the browser says it is.
    pub agent: String,
    /// Milliseconds since 1970, like every time here.
    pub login_time: i64,
    pub last_seen_time: i64,
    pub expire_time: i64,
}

/// A session as its owner sees it.
#[derive(Debug, Serialize, ToSchema, FromRow)]
#[serde(rename_all = "camelCase")]
pub struct OwnSession {
    /// Ends the session at `/api/user/session/end/{id}`.
    pub session_id: String,
    #[sqlx(try_from = "String")]
    pub kind: LoginKind,
    pub address: String,
    /// What the browser or program says it is.
    pub agent: String,
    /// Milliseconds since 1970, like every time here.
    pub login_time: i64,
    /// To the minute.
    pub last_seen_time: i64,
    pub expire_time: i64,
    /// Whether it is the one that asks.
    #[sqlx(default)]
    pub current: bool,
}

/// A login or logout as administrators see it.
#[derive(Debug, Serialize, ToSchema, FromRow)]
#[serde(rename_all = "camelCase")]
pub struct LoginRecord {
    pub id: i64,
    pub user_id: i64,
    pub user_name: String,
    /// `login`, `logout` or `ended` (by an administrator, the owner elsewhere, or a new password).
    pub action: String,
    pub address: String,
    pub agent: String,
    /// Milliseconds since 1970.
    pub acted_at: i64,
}

/// What a login record says happened.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Action {
    Login,
    Logout,
    Ended,
}

impl Action {
    pub fn name(self) -> &'static str {
        match self {
            Action::Login => "login",
            Action::Logout => "logout",
            Action::Ended => "ended",
        }
    }
}

/// A session to be opened.
#[derive(Debug)]
pub struct NewSession<'a> {
    pub id: &'a str,
    pub user_id: i64,
    pub kind: LoginKind,
    /// What the account had when it was looked up: what the password was checked against.
    pub password_hash: &'a str,
    pub expires_at: i64,
    pub client: &'a Client,
}

/// Opens a session, unless the account got another password or was disabled since the password was checked: that ended
/// all sessions there were, and this one belongs to them.
pub async fn open(db: &Db, new: &NewSession<'_>) -> Result<bool, sqlx::Error> {
    let now = now_ms();
    // One after the other with what ends sessions.
    let mut transaction = db.begin().await?;
    let opened = sqlx::query(
        "insert into sessions (id, user_id, created_at, expires_at, last_seen_at, address, agent, kind)
         select $1, id, $3, $4, $3, $5, $6, $8 from users where id = $2 and password_hash = $7 and disabled = 0",
    )
    .bind(new.id)
    .bind(new.user_id)
    .bind(now)
    .bind(new.expires_at)
    .bind(new.client.address.to_string())
    .bind(&new.client.agent)
    .bind(new.password_hash)
    .bind(new.kind.name())
    .execute(&mut *transaction)
    .await?;
    transaction.commit().await?;
    Ok(opened.rows_affected() == 1)
}

pub async fn find(db: &Db, id: &str) -> Result<Option<Session>, sqlx::Error> {
    let row = sqlx::query(
        "select users.id, user_name, password_hash, role, head_photo, disabled, registered_from, new_until, expires_at,
             revoked_at, last_seen_at
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
        last_seen_at: row.try_get("last_seen_at")?,
    }))
}

/// Remembers that the session is in use, to the minute.
pub async fn seen(db: &Db, id: &str, session: &Session) -> Result<(), sqlx::Error> {
    let now = now_ms();
    if now - session.last_seen_at < SEEN_EVERY {
        return Ok(());
    }
    sqlx::query("update sessions set last_seen_at = $2 where id = $1").bind(id).bind(now).execute(db.pool()).await?;
    Ok(())
}

pub async fn revoke(db: &Db, session: &str) -> Result<(), sqlx::Error> {
    sqlx::query("update sessions set revoked_at = $2 where id = $1 and revoked_at is null")
        .bind(session)
        .bind(now_ms())
        .execute(db.pool())
        .await?;
    Ok(())
}

/// The sessions of an account, the one used last first.
pub async fn of_account(db: &Db, user: i64) -> Result<Vec<OwnSession>, sqlx::Error> {
    sqlx::query_as(
        "select id as session_id, kind, address, agent, created_at as login_time, last_seen_at as last_seen_time,
             expires_at as expire_time
         from sessions where user_id = $1 and revoked_at is null and expires_at > $2
         order by last_seen_at desc, id limit $3",
    )
    .bind(user)
    .bind(now_ms())
    .bind(MOST_SHOWN)
    .fetch_all(db.pool())
    .await
}

/// Ends one session of an account; `false` where it has no such session.
pub async fn revoke_own(db: &Db, user: i64, session: &str) -> Result<bool, sqlx::Error> {
    let ended =
        sqlx::query("update sessions set revoked_at = $3 where id = $1 and user_id = $2 and revoked_at is null")
            .bind(session)
            .bind(user)
            .bind(now_ms())
            .execute(db.pool())
            .await?;
    Ok(ended.rows_affected() == 1)
}

/// Ends every other session of an account; answers which.
pub async fn revoke_others(db: &Db, user: i64, session: &str) -> Result<Vec<String>, sqlx::Error> {
    sqlx::query_scalar(
        "update sessions set revoked_at = $3 where user_id = $1 and id <> $2 and revoked_at is null returning id",
    )
    .bind(user)
    .bind(session)
    .bind(now_ms())
    .fetch_all(db.pool())
    .await
}

/// Forgets sessions that ran out before `before`.
pub async fn forget_expired(db: &Db, before: i64) -> Result<(), sqlx::Error> {
    sqlx::query("delete from sessions where expires_at < $1").bind(before).execute(db.pool()).await?;
    Ok(())
}

/// Sessions in use, the latest first.
pub async fn online(db: &Db, user_name: Option<&str>, page: Page) -> Result<Paged<OnlineSession>, sqlx::Error> {
    let now = now_ms();
    List::new(
        "sessions.id as session_id, users.id as user_id, user_name, role, kind, sessions.address, agent,
         sessions.created_at as login_time, last_seen_at as last_seen_time, expires_at as expire_time",
        "sessions",
        "last_seen_at desc, sessions.id",
    )
    .joined("left join users on users.id = sessions.user_id")
    .only("revoked_at is null")
    .between("last_seen_at", Some(now - ONLINE), None)
    .between("expires_at", Some(now), None)
    .of_user("sessions.user_id", user_name)
    .page(db, page)
    .await
}

/// Writes down that somebody came or went.
pub async fn record(
    db: &Db,
    user_id: i64,
    user_name: &str,
    action: Action,
    client: &Client,
) -> Result<(), sqlx::Error> {
    sqlx::query(
        "insert into login_records (id, user_id, user_name, action, address, agent, acted_at)
         values ($1, $2, $3, $4, $5, $6, $7)",
    )
    .bind(db.next_id("login_records").await?)
    .bind(user_id)
    .bind(user_name)
    .bind(action.name())
    .bind(client.address.to_string())
    .bind(&client.agent)
    .bind(now_ms())
    .execute(db.pool())
    .await?;
    Ok(())
}
