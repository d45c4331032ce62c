//! Logging in: the same for the web and for clients of the PostgreSQL protocol.

use axum::http::StatusCode;

use super::accounts::{self, Account};
use super::scram;
use super::sessions::{self, Action, NewSession};
use super::token::NewToken;
use crate::app::App;
use crate::http::error::WRONG_LOGIN;
use crate::http::{ApiError, Client};

/// The account of this name and password. An unknown name takes as long, and is answered the same, as a wrong password.
pub async fn verify(app: &App, user_name: &str, password: &str, client: &Client) -> Result<Account, ApiError> {
    let attempt = app.auth.throttle.begin(user_name, client.address).await.map_err(ApiError::too_many)?;
    let account = accounts::find(&app.db, user_name).await?;
    let hash = account.as_ref().map(|account| account.password_hash.as_str());
    let right = app.auth.passwords.verify(password, hash).await.map_err(ApiError::internal)?;
    let Some(account) = account.filter(|_| right) else {
        attempt.wrong().await;
        tracing::warn!(address = %client.address, "a login was refused");
        return Err(wrong());
    };
    attempt.right().await;
    if account.disabled {
        return Err(disabled());
    }
    scram::keep_missing(&app.db, (&account).into(), password).await;
    Ok(account)
}

/// Whom a session is opened for.
#[derive(Debug, Clone, Copy)]
pub struct Verified<'a> {
    pub id: i64,
    pub user_name: &'a str,
    /// What the password was checked against.
    pub password_hash: &'a str,
}

impl<'a> From<&'a Account> for Verified<'a> {
    fn from(account: &'a Account) -> Verified<'a> {
        Verified { id: account.id, user_name: &account.user_name, password_hash: &account.password_hash }
    }
}

/// Opens a session and writes it down.
pub async fn open(app: &App, account: Verified<'_>, client: &Client) -> Result<NewToken, ApiError> {
    let new = app.auth.tokens.issue(account.id).map_err(ApiError::internal)?;
    let session = NewSession {
        id: &new.session,
        user_id: account.id,
        password_hash: account.password_hash,
        expires_at: new.expires_at,
        client,
    };
    if !sessions::open(&app.db, &session).await? {
        return Err(wrong());
    }
    sessions::record(&app.db, account.id, account.user_name, Action::Login, client).await?;
    Ok(new)
}

pub fn disabled() -> ApiError {
    ApiError::new(StatusCode::FORBIDDEN, "account_disabled", "This account is disabled.")
}

fn wrong() -> ApiError {
    ApiError::new(StatusCode::UNAUTHORIZED, "wrong_login", WRONG_LOGIN)
}

/// Ends a session, as its owner wished.
pub async fn close(app: &App, user: i64, user_name: &str, session: &str, client: &Client) -> Result<(), ApiError> {
    sessions::revoke(&app.db, session).await?;
    sessions::record(&app.db, user, user_name, Action::Logout, client).await?;
    app.hub.end(user, session);
    Ok(())
}
