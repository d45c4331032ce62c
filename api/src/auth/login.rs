//! Logging in: the same for the web and for clients of the PostgreSQL protocol.

use std::time::Duration;

use axum::http::StatusCode;

use super::accounts::{self, Account};
use super::codes::{self, Purpose};
use super::devices::Device;
use super::scram;
use super::second_factor;
use super::sessions::{self, Action, LoginKind, NewSession};
use super::throttle::{Pass, Wait};
use super::token::NewToken;
use super::{CurrentUser, rules};
use crate::app::App;
use crate::http::error::WRONG_LOGIN;
use crate::http::{ApiError, Client};

/// The credentials of a log-in on the web.
#[derive(Debug)]
pub struct Given<'a> {
    pub user_name: &'a str,
    pub password: &'a str,
    /// A code mailed to the owner while others guess the password.
    pub sent_code: Option<&'a str>,
    /// A code of the second factor, or a recovery code.
    pub second_code: Option<&'a str>,
}

/// Verifies the credentials of a log-in on the web, including the second factor. An unknown name gets the same answer, after the
/// same time, as a wrong password.
pub async fn verify_on_web(app: &App, given: Given<'_>, device: &Device, client: &Client) -> Result<Account, ApiError> {
    let known = device.known(&app.db, given.user_name).await?;
    let pass = match (known, given.sent_code) {
        (Some(device), _) => Pass::Known(device),
        (None, Some(code)) if sent(app, given.user_name, code, client).await? => Pass::Code,
        _ => Pass::None,
    };
    let account = with_password(app, given.user_name, given.password, client, pass).await?;
    if second_factor::is_on(&app.db, account.id).await? {
        let Some(code) = given.second_code.filter(|code| !code.trim().is_empty()) else {
            let msg = "Enter the code of your authenticator app, or a recovery code.";
            return Err(ApiError::new(StatusCode::UNAUTHORIZED, "second_factor_required", msg).param("secondCode"));
        };
        check_second(app, account.id, code, known.is_some()).await?;
    }
    Ok(account)
}

/// Verifies a name and password for clients that can't be asked for a code (PostgreSQL). Accounts with a second factor are
/// refused.
pub async fn verify(app: &App, user_name: &str, password: &str, client: &Client) -> Result<Account, ApiError> {
    let account = with_password(app, user_name, password, client, Pass::None).await?;
    refuse_without_code(app, &account).await?;
    Ok(account)
}

/// Refuses a log-in by password alone for an account that has a second factor.
pub async fn refuse_without_code(app: &App, account: &Account) -> Result<(), ApiError> {
    if !second_factor::is_on(&app.db, account.id).await? {
        return Ok(());
    }
    let msg = "This account has a second factor, which can't be asked for here. Log in with one of its API keys, where the server has the \
         setting postgres_cleartext.";
    Err(ApiError::new(StatusCode::FORBIDDEN, "second_factor_required", msg))
}

/// Checks the password of whoever is logged in, before something that needs it; `client` is where they are.
pub async fn confirm(
    app: &App,
    user: &CurrentUser,
    password: &str,
    client: &Client,
) -> Result<Option<Account>, ApiError> {
    // Guesses by others don't slow down a session, and a stolen session gets few tries of its own.
    let pass = Pass::Known(&user.session);
    let attempt = app.auth.throttle.begin(&user.name, client.address, pass).await.map_err(slowed)?;
    let account = accounts::find(&app.db, &user.name).await?.ok_or_else(ApiError::login_expired)?;
    let right = app.auth.passwords.verify(password, Some(&account.password_hash)).await;
    if !right.map_err(ApiError::internal)? {
        attempt.wrong();
        return Ok(None);
    }
    attempt.right().await;
    Ok(Some(account))
}

/// Redeems a second-factor code. `known`: the account has logged in from this browser before.
pub async fn check_second(app: &App, account: i64, code: &str, known: bool) -> Result<(), ApiError> {
    let redeem = || second_factor::redeem(&app.db, &app.auth.seal, account, code);
    let internal = |error: anyhow::Error| ApiError::internal(error.into_boxed_dyn_error());
    // Recovery codes can't be guessed, so they are not throttled: guesses by others must not lock the owner out.
    if second_factor::is_recovery_code(code) {
        return if redeem().await.map_err(internal)? { Ok(()) } else { Err(wrong_code()) };
    }
    let attempt = app.auth.throttle.begin_code(account, known).await.map_err(ApiError::too_many)?;
    if !redeem().await.map_err(internal)? {
        attempt.wrong();
        return Err(wrong_code());
    }
    attempt.right().await;
    Ok(())
}

/// The error for a wrong second-factor code.
pub fn wrong_code() -> ApiError {
    let msg = "The code is wrong or was used. Each code works once; your app shows the next one within 30 seconds.";
    ApiError::new(StatusCode::UNAUTHORIZED, "wrong_second_factor", msg).param("secondCode")
}

/// Refuses a log-in by password where people only log in at the provider.
pub fn refuse_passwords(app: &App) -> Result<(), ApiError> {
    if app.accounts.passwords {
        return Ok(());
    }
    let msg = "This server takes no passwords. Log in at your organization's log-in service, or with an API key.";
    Err(ApiError::new(StatusCode::FORBIDDEN, "passwords_off", msg))
}

async fn with_password(
    app: &App,
    user_name: &str,
    password: &str,
    client: &Client,
    pass: Pass<'_>,
) -> Result<Account, ApiError> {
    refuse_passwords(app)?;
    let attempt = app.auth.throttle.begin(user_name, client.address, pass).await.map_err(slowed)?;
    let account = accounts::find(&app.db, user_name).await?;
    let hash = account.as_ref().map(|account| account.password_hash.as_str());
    let right = app.auth.passwords.verify(password, hash).await.map_err(ApiError::internal)?;
    let Some(account) = account.filter(|_| right) else {
        attempt.wrong();
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

/// Redeems the code that was mailed to the owner.
///
/// # Errors
/// The code is wrong, or too many were tried.
async fn sent(app: &App, user_name: &str, code: &str, client: &Client) -> Result<bool, ApiError> {
    if !rules::user_name(user_name) || code.trim().is_empty() {
        return Ok(false);
    }
    app.limits.code_tries.take(client.address.into()).map_err(ApiError::too_many)?;
    let target = codes::login_target(user_name);
    app.limits.code_tries_of.take((client.address.into(), target.clone())).map_err(ApiError::too_many)?;
    if codes::redeem(&app.db, &target, Purpose::Login, code).await? {
        return Ok(true);
    }
    let msg = "The code is wrong, was used, or is older than ten minutes.";
    Err(ApiError::new(StatusCode::BAD_REQUEST, "wrong_code", msg).param("sentCode"))
}

/// The error while the next try has to wait.
pub fn slowed(wait: Wait) -> ApiError {
    match wait {
        Wait::Own(wait) => ApiError::too_many(wait),
        Wait::Account(wait) => account_slowed(wait),
    }
}

/// The same for known and unknown names.
fn account_slowed(wait: Duration) -> ApiError {
    let seconds = wait.as_secs() + 1;
    let msg = format!(
        "Many wrong passwords were entered for this user name. Try again in {seconds} seconds, log in from a browser that you \
         have logged in from before, or have a code sent to you."
    );
    ApiError::new(StatusCode::TOO_MANY_REQUESTS, "account_slowed", msg).retry_after(seconds)
}

/// An account whose credentials were verified.
#[derive(Debug, Clone, Copy)]
pub struct Verified<'a> {
    pub id: i64,
    pub user_name: &'a str,
    /// The hash that the password was verified against.
    pub password_hash: &'a str,
}

impl<'a> From<&'a Account> for Verified<'a> {
    fn from(account: &'a Account) -> Verified<'a> {
        Verified { id: account.id, user_name: &account.user_name, password_hash: &account.password_hash }
    }
}

/// Opens a session and records the log-in.
pub async fn open(app: &App, account: Verified<'_>, kind: LoginKind, client: &Client) -> Result<NewToken, ApiError> {
    let new = app.auth.tokens.issue(account.id).map_err(ApiError::internal)?;
    let session = NewSession {
        id: &new.session,
        user_id: account.id,
        kind,
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

/// Ends a session at its owner's request.
pub async fn close(app: &App, user: i64, user_name: &str, session: &str, client: &Client) -> Result<(), ApiError> {
    sessions::revoke(&app.db, session).await?;
    sessions::record(&app.db, user, user_name, Action::Logout, client).await?;
    app.hub.end(user, session);
    Ok(())
}
