//! The extractor that says who is asking; a handler that takes a [`CurrentUser`] needs a login.

use axum::extract::{FromRequestParts, OptionalFromRequestParts};
use axum::http::header::AUTHORIZATION;
use axum::http::request::Parts;

use super::token::Refused;
use super::{ROLE_ADMIN, accounts, sessions};
use crate::app::App;
use crate::db::Db;
use crate::http::ApiError;
use crate::time::now_ms;

/// Who is asking, by the bearer token of the request.
#[derive(Debug, Clone)]
pub struct CurrentUser {
    pub id: i64,
    pub name: String,
    pub role: String,
    pub head_photo: String,
    /// Id of the session, for logging out.
    pub session: String,
    /// When the session ends, in milliseconds since 1970.
    pub expires_at: i64,
}

impl CurrentUser {
    pub fn is_admin(&self) -> bool {
        self.role == ROLE_ADMIN
    }

    /// The owner of something that the server does by itself; there is no session.
    pub async fn of_account(db: &Db, id: i64) -> Result<CurrentUser, ApiError> {
        let account = accounts::by_id(db, id).await?.filter(|account| !account.disabled);
        let account = account.ok_or_else(|| ApiError::not_found("account"))?;
        Ok(CurrentUser {
            id: account.id,
            name: account.user_name,
            role: account.role,
            head_photo: account.head_photo,
            session: String::new(),
            expires_at: i64::MAX,
        })
    }

    /// Who the token belongs to, if it is ours and its session is good.
    pub async fn of_token(app: &App, token: &str) -> Result<CurrentUser, ApiError> {
        let id = app.auth.tokens.check(token).map_err(|refused| match refused {
            Refused::Expired => ApiError::login_expired(),
            Refused::Forged => ApiError::unauthenticated(),
        })?;
        CurrentUser::of_session(app, &id).await
    }

    /// Who the session belongs to, if it is not too old, not revoked, and its account not disabled.
    pub async fn of_session(app: &App, id: &str) -> Result<CurrentUser, ApiError> {
        let session = sessions::find(&app.db, id).await?.ok_or_else(ApiError::login_expired)?;
        if session.revoked || session.account.disabled || session.expires_at <= now_ms() {
            return Err(ApiError::login_expired());
        }
        sessions::seen(&app.db, id, &session).await?;
        Ok(CurrentUser {
            id: session.account.id,
            name: session.account.user_name,
            role: session.account.role,
            head_photo: session.account.head_photo,
            session: id.to_string(),
            expires_at: session.expires_at,
        })
    }
}

impl FromRequestParts<App> for CurrentUser {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<CurrentUser, ApiError> {
        let token = bearer(parts).ok_or_else(ApiError::unauthenticated)?;
        CurrentUser::of_token(app, token).await
    }
}

/// A visitor is `None`; a token that is no good is still refused.
impl OptionalFromRequestParts<App> for CurrentUser {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Option<CurrentUser>, ApiError> {
        match bearer(parts) {
            Some(token) => CurrentUser::of_token(app, token).await.map(Some),
            None => Ok(None),
        }
    }
}

fn bearer(parts: &Parts) -> Option<&str> {
    let (scheme, token) = parts.headers.get(AUTHORIZATION)?.to_str().ok()?.split_once(' ')?;
    scheme.eq_ignore_ascii_case("bearer").then(|| token.trim())
}
