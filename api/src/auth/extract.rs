//! The extractor that says who is asking; a handler that takes a [`CurrentUser`] needs a login.

use std::fmt::Display;

use axum::extract::{FromRequestParts, OptionalFromRequestParts};
use axum::http::header::AUTHORIZATION;
use axum::http::request::Parts;

use super::audit::{Actor, Slot, Values};
use super::deeds::Deed;
use super::sessions::Session;
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
    /// The account whose limits count what this one does: its own, or for a new one that of its address.
    pub budget: i64,
    /// Id of the session, for logging out.
    pub session: String,
    /// When the session ends, in milliseconds since 1970.
    pub expires_at: i64,
    /// Where the request leaves what goes into the audit log.
    pub(super) slot: Slot,
}

impl CurrentUser {
    pub fn is_admin(&self) -> bool {
        self.role == ROLE_ADMIN
    }

    /// The owner of something that the server does by itself; there is no session.
    pub async fn of_account(db: &Db, id: i64) -> Result<CurrentUser, ApiError> {
        let account = accounts::by_id(db, id).await?.filter(|account| !account.disabled);
        let account = account.ok_or_else(|| ApiError::not_found("account"))?;
        let budget = accounts::budget(db, &account).await?;
        Ok(CurrentUser {
            id: account.id,
            name: account.user_name,
            role: account.role,
            head_photo: account.head_photo,
            budget,
            session: String::new(),
            expires_at: i64::MAX,
            slot: Slot::default(),
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
        let session = good(app, id).await?;
        sessions::seen(&app.db, id, &session).await?;
        let budget = accounts::budget(&app.db, &session.account).await?;
        Ok(CurrentUser::of(id, session, budget))
    }

    /// The same by what was asked for long ago, which does not count as a use of the session.
    pub async fn of_session_still(app: &App, id: &str) -> Result<CurrentUser, ApiError> {
        let session = good(app, id).await?;
        let budget = accounts::budget(&app.db, &session.account).await?;
        Ok(CurrentUser::of(id, session, budget))
    }

    fn of(id: &str, session: Session, budget: i64) -> CurrentUser {
        CurrentUser {
            id: session.account.id,
            name: session.account.user_name,
            role: session.account.role,
            head_photo: session.account.head_photo,
            budget,
            session: id.to_string(),
            expires_at: session.expires_at,
            slot: Slot::default(),
        }
    }

    /// Has the audit log say that this administrator did something with what belongs to somebody else.
    pub fn touches(&self, owner: i64, deed: Deed, values: &[(&str, &dyn Display)]) {
        if owner != self.id && self.is_admin() {
            self.acts(deed, values);
        }
    }

    /// Has the audit log say what this administrator did where no permission was asked for.
    pub fn acts(&self, deed: Deed, values: &[(&str, &dyn Display)]) {
        let actor = Actor { id: self.id, name: self.name.clone(), area: ROLE_ADMIN };
        self.slot.touch(actor, deed, Values::new(values));
    }

    async fn of_request(parts: &Parts, app: &App, token: &str) -> Result<CurrentUser, ApiError> {
        let slot = parts.extensions.get::<Slot>().cloned().unwrap_or_default();
        Ok(CurrentUser { slot, ..CurrentUser::of_token(app, token).await? })
    }
}

impl FromRequestParts<App> for CurrentUser {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<CurrentUser, ApiError> {
        let token = bearer(parts).ok_or_else(ApiError::unauthenticated)?;
        CurrentUser::of_request(parts, app, token).await
    }
}

/// A visitor is `None`; a token that is no good is still refused.
impl OptionalFromRequestParts<App> for CurrentUser {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Option<CurrentUser>, ApiError> {
        match bearer(parts) {
            Some(token) => CurrentUser::of_request(parts, app, token).await.map(Some),
            None => Ok(None),
        }
    }
}

/// The session of this id, if it is good.
async fn good(app: &App, id: &str) -> Result<Session, ApiError> {
    let session = sessions::find(&app.db, id).await?.ok_or_else(ApiError::login_expired)?;
    let over = session.revoked || session.account.disabled || session.expires_at <= now_ms();
    if over { Err(ApiError::login_expired()) } else { Ok(session) }
}

fn bearer(parts: &Parts) -> Option<&str> {
    let (scheme, token) = parts.headers.get(AUTHORIZATION)?.to_str().ok()?.split_once(' ')?;
    scheme.eq_ignore_ascii_case("bearer").then(|| token.trim())
}
