//! Who a connection belongs to: the same accounts, passwords, brakes and sessions as on the web.

use crate::app::App;
use crate::auth::accounts::{self, Account};
use crate::auth::sessions::LoginKind;
use crate::auth::{CurrentUser, login};
use crate::http::{ApiError, Client};

/// How the keys of the developer API begin.
const KEY: &str = "qk_";

/// A connection that is logged in.
#[derive(Debug)]
pub struct Login {
    pub user: CurrentUser,
    client: Client,
    /// The key it was opened with, in place of a password.
    key: Option<String>,
}

impl Login {
    /// Opens a session for a user name and a password, or one of the user's API keys.
    pub async fn open(app: &App, user_name: &str, password: &str, client: Client) -> Result<Login, ApiError> {
        let key = password.starts_with(KEY).then(|| password.to_string());
        let account = match &key {
            Some(key) => {
                let id = app.keys.account(key, client.address).await?;
                let account = accounts::by_id(&app.db, id).await?.filter(|account| account.user_name == user_name);
                account.filter(|account| !account.disabled).ok_or_else(ApiError::unauthenticated)?
            }
            None => login::verify(app, user_name, password, &client).await?,
        };
        let kind = if key.is_some() { LoginKind::ApiKey } else { LoginKind::Password };
        Ok(Login { key, ..Login::of_account(app, &account, kind, client).await? })
    }

    /// Opens a session for an account whose password or key was proven.
    pub async fn of_account(app: &App, account: &Account, kind: LoginKind, client: Client) -> Result<Login, ApiError> {
        let new = login::open(app, account.into(), kind, &client).await?;
        let user = CurrentUser::of_session(app, &new.session).await?;
        Ok(Login { user, client, key: None })
    }

    /// The user as they are now: an account that was disabled, a session that was ended or a key that ran out stops the
    /// next query, not only the next connection.
    pub async fn current(&self, app: &App) -> Result<CurrentUser, ApiError> {
        if let Some(key) = &self.key {
            app.keys.account(key, self.client.address).await?;
        }
        CurrentUser::of_session(app, &self.user.session).await
    }

    /// Ends the session.
    pub async fn close(&self, app: &App) {
        if let Err(error) = login::close(app, self.user.id, &self.user.name, &self.user.session, &self.client).await {
            tracing::warn!(code = %error.code, "the end of a login could not be written down");
        }
    }
}
