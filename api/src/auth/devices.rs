//! Browsers that an account has logged in from: whoever comes from one of them is not slowed by what others guess.
//!
//! A browser keeps a random token in a cookie that no script reads; the database keeps its hash. Each login replaces the token,
//! so that one that somebody else has put into the browser is worth nothing.

use std::convert::Infallible;

use axum::extract::FromRequestParts;
use axum::http::header::ORIGIN;
use axum::http::request::Parts;
use axum::http::{HeaderName, HeaderValue, header};
use sha2::{Digest, Sha256};
use sqlx::{Any, Transaction};

use super::token::random_key;
use crate::app::App;
use crate::db::Db;
use crate::http::{ApiError, cookies};
use crate::time::now_ms;

const COOKIE_NAME: &str = "quarry_device";
/// Only the calls that ask for a password see the cookie.
const COOKIE_PATH: &str = "/api/user";
/// How long a browser stays known without a login, in milliseconds.
pub const LIFETIME: i64 = 365 * 86_400_000;
/// Browsers that are known for one account; beyond that, the one that was used least recently is forgotten.
const MAX_DEVICES: i64 = 20;

/// The browser that asks.
#[derive(Debug)]
pub struct Device {
    /// Hash of the token in its cookie.
    hash: Option<String>,
    /// Whether the page came over HTTPS, as the browser says: the cookie then goes over nothing else.
    secure: bool,
}

impl FromRequestParts<App> for Device {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, _app: &App) -> Result<Device, Infallible> {
        let token = cookies::named(&parts.headers, COOKIE_NAME);
        let secure = parts.headers.get(ORIGIN).is_some_and(|origin| origin.as_bytes().starts_with(b"https://"));
        Ok(Device { hash: token.filter(|token| token.len() == 64).map(hash), secure })
    }
}

impl Device {
    /// What tells this browser from others, if this account has logged in from it.
    pub async fn known(&self, db: &Db, user_name: &str) -> Result<Option<&str>, sqlx::Error> {
        let Some(hash) = self.hash.as_deref() else { return Ok(None) };
        let known: i64 = sqlx::query_scalar(
            "select count(*) from known_devices join users on users.id = user_id
             where token_hash = $1 and user_name = $2 and used_at > $3",
        )
        .bind(hash)
        .bind(user_name)
        .bind(now_ms() - LIFETIME)
        .fetch_one(db.pool())
        .await?;
        Ok((known > 0).then_some(hash))
    }

    /// Remembers that the account has logged in from here; the header gives the browser its next token.
    pub async fn remember(&self, db: &Db, user: i64) -> Result<(HeaderName, HeaderValue), ApiError> {
        let token = random_key();
        let new = hash(&token);
        let mut transaction = db.begin().await?;
        // The browser has one token for all accounts that log in from it.
        if let Some(old) = &self.hash {
            sqlx::query("update known_devices set token_hash = $2 where token_hash = $1")
                .bind(old)
                .bind(&new)
                .execute(&mut *transaction)
                .await?;
        }
        sqlx::query(
            "insert into known_devices (token_hash, user_id, used_at) values ($1, $2, $3)
             on conflict (token_hash, user_id) do update set used_at = $3",
        )
        .bind(&new)
        .bind(user)
        .bind(now_ms())
        .execute(&mut *transaction)
        .await?;
        sqlx::query(
            "delete from known_devices where user_id = $1 and token_hash not in
             (select token_hash from known_devices where user_id = $1 order by used_at desc, token_hash limit $2)",
        )
        .bind(user)
        .bind(MAX_DEVICES)
        .execute(&mut *transaction)
        .await?;
        transaction.commit().await?;
        let secure = if self.secure { "; Secure" } else { "" };
        let seconds = LIFETIME / 1000;
        let cookie =
            format!("{COOKIE_NAME}={token}; Path={COOKIE_PATH}; Max-Age={seconds}; HttpOnly; SameSite=Strict{secure}");
        let mut value = HeaderValue::try_from(cookie).map_err(ApiError::internal)?;
        value.set_sensitive(true);
        Ok((header::SET_COOKIE, value))
    }

    /// Forgets every other browser of the account.
    pub async fn forget_others(&self, db: &Db, user: i64) -> Result<(), sqlx::Error> {
        sqlx::query("delete from known_devices where user_id = $1 and token_hash <> $2")
            .bind(user)
            .bind(self.hash.as_deref().unwrap_or_default())
            .execute(db.pool())
            .await?;
        Ok(())
    }
}

/// Forgets every browser of an account whose password changes: somebody else may know the old one.
pub(super) async fn forget_all(transaction: &mut Transaction<'_, Any>, user: i64) -> Result<(), sqlx::Error> {
    sqlx::query("delete from known_devices where user_id = $1").bind(user).execute(&mut **transaction).await?;
    Ok(())
}

/// Forgets browsers that nobody logged in from since `before`.
pub async fn forget_unused(db: &Db, before: i64) -> Result<(), sqlx::Error> {
    sqlx::query("delete from known_devices where used_at < $1").bind(before).execute(db.pool()).await?;
    Ok(())
}

fn hash(token: &str) -> String {
    hex::encode(Sha256::digest(token))
}
