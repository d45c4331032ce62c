//! Whom somebody with the permission for users may change.

use crate::app::App;
use crate::auth::rights::{self, Users};
use crate::auth::{Allowed, ROLE_ADMIN, accounts};
use crate::http::ApiError;

/// Whoever is no administrator does not change one.
pub(super) async fn may_change(app: &App, by: &Allowed<Users>, id: i64) -> Result<(), ApiError> {
    let role = accounts::role_of(&app.db, id).await?.ok_or_else(ApiError::no_such_user)?;
    if role == ROLE_ADMIN && !by.user.is_admin() { Err(ApiError::forbidden()) } else { Ok(()) }
}

/// Whoever could give away a permission without holding it could give it to themselves.
pub(super) async fn may_give(app: &App, by: &Allowed<Users>, role: &str) -> Result<(), ApiError> {
    if !rights::role_exists(&app.db, role).await? {
        return Err(ApiError::invalid("role", "There is no such role."));
    }
    if role == ROLE_ADMIN && !by.user.is_admin() {
        return Err(ApiError::forbidden().param("role"));
    }
    holds_all(app, by, role).await
}

/// Nobody takes away what they do not hold, as with the permissions of a role itself.
pub(super) async fn may_take(app: &App, by: &Allowed<Users>, id: i64) -> Result<(), ApiError> {
    let role = accounts::role_of(&app.db, id).await?.ok_or_else(ApiError::no_such_user)?;
    holds_all(app, by, &role).await
}

async fn holds_all(app: &App, by: &Allowed<Users>, role: &str) -> Result<(), ApiError> {
    for permission in rights::of_role(&app.db, role).await? {
        if !rights::holds(&app.db, &by.user, &permission).await? {
            return Err(ApiError::forbidden().param("role"));
        }
    }
    Ok(())
}
