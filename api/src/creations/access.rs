//! Who may read and who may change a creation: the one place that decides it, as parts of every store's `where`.

use axum::extract::FromRequestParts;
use axum::http::header::AUTHORIZATION;
use axum::http::request::Parts;

use crate::app::App;
use crate::auth::CurrentUser;
use crate::http::ApiError;

/// Somebody who wants to read: a visitor or a user, perhaps with a share link.
#[derive(Debug, Clone, Default)]
pub struct Reader {
    pub user: Option<CurrentUser>,
    pub share: Option<String>,
}

impl Reader {
    pub fn of(user: &CurrentUser) -> Reader {
        Reader { user: Some(user.clone()), share: None }
    }

    /// The same reader with the token of a share link.
    #[must_use]
    pub fn with(mut self, share: Option<String>) -> Reader {
        self.share = share;
        self
    }

    pub fn id(&self) -> Option<i64> {
        self.user.as_ref().map(|user| user.id)
    }

    pub fn is_admin(&self) -> bool {
        self.user.as_ref().is_some_and(CurrentUser::is_admin)
    }

    pub fn is_visitor(&self) -> bool {
        self.user.is_none()
    }

    /// Whether the reader may change what this account owns, as [`EDITABLE`] says it.
    pub fn may_change(&self, owner: i64) -> bool {
        self.is_admin() || self.id() == Some(owner)
    }

    /// 1 for an administrator, for `$2` of [`READABLE`].
    pub fn admin_flag(&self) -> i64 {
        i64::from(self.is_admin())
    }

    /// For `$3` of [`READABLE`].
    pub fn share(&self) -> Option<&str> {
        self.share.as_deref()
    }
}

impl FromRequestParts<App> for Reader {
    type Rejection = ApiError;

    /// A request without a token is a visitor's; one with a token that is no good is refused, as everywhere.
    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Reader, ApiError> {
        if !parts.headers.contains_key(AUTHORIZATION) {
            return Ok(Reader::default());
        }
        let user = CurrentUser::from_request_parts(parts, app).await?;
        Ok(Reader { user: Some(user), share: None })
    }
}

/// True for a row `c` of `creations` that the reader may read: `$1` the account, `$2` 1 for an administrator, `$3` the
/// token of a share link.
pub const READABLE: &str = "(c.visibility = 'public' or c.owner_id = cast($1 as bigint) or $2 = 1 \
    or (c.visibility = 'link' and c.share_token = cast($3 as text)))";

/// True for a row of `creations` that the account `$1` may change; `$2` is 1 for an administrator.
pub const EDITABLE: &str = "(owner_id = $1 or $2 = 1)";
