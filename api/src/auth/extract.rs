//! The extractor that says who is asking; a handler that takes a [`CurrentUser`] needs a login.

use axum::extract::FromRequestParts;
use axum::http::header::AUTHORIZATION;
use axum::http::request::Parts;

use super::token::Refused;
use super::{ROLE_ADMIN, accounts};
use crate::app::App;
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
        let session = accounts::session(&app.db, id).await?.ok_or_else(ApiError::login_expired)?;
        if session.revoked || session.account.disabled || session.expires_at <= now_ms() {
            return Err(ApiError::login_expired());
        }
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

fn bearer(parts: &Parts) -> Option<&str> {
    let (scheme, token) = parts.headers.get(AUTHORIZATION)?.to_str().ok()?.split_once(' ')?;
    scheme.eq_ignore_ascii_case("bearer").then(|| token.trim())
}
