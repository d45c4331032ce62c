//! Calls for the second factors of others.

use axum::extract::State;
use axum::http::StatusCode;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::may::{may_change, may_take};
use crate::app::App;
use crate::auth::deeds::Deed;
use crate::auth::rights::Users;
use crate::auth::second_factor::{self, SecondFactor};
use crate::auth::{Allowed, accounts};
use crate::http::{Answer, ApiError, Failure, Path, Reply, Success};

pub fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(state_of)).routes(routes!(remove))
}

/// Whether a user has a second factor.
#[utoipa::path(get, path = "/api/system/user/second-factor/{id}", tag = "system", operation_id = "userSecondFactor",
    params(("id" = i64, Path)), security(("bearer" = [])),
    responses((status = 200, body = Success<SecondFactor>), (status = "default", body = Failure)))]
async fn state_of(state: State<App>, _by: Allowed<Users>, id: Path<i64>) -> Answer<SecondFactor> {
    accounts::role_of(&state.db, id.0).await?.ok_or_else(ApiError::no_such_user)?;
    Ok(Reply(second_factor::state(&state.db, id.0).await?))
}

/// Removes the second factor of a user who has lost it. Their sessions go on.
#[utoipa::path(delete, path = "/api/system/user/second-factor/{id}", tag = "system",
    operation_id = "removeSecondFactor", params(("id" = i64, Path)), security(("bearer" = [])),
    responses((status = 200, body = Success<bool>), (status = "default", body = Failure)))]
async fn remove(state: State<App>, by: Allowed<Users>, id: Path<i64>) -> Answer<bool> {
    // That takes the password and a code, so that somebody at an unattended computer can't do it.
    if id.0 == by.user.id {
        let msg = "Turn off your own second factor under Personal info.";
        return Err(ApiError::new(StatusCode::CONFLICT, "own_second_factor", msg));
    }
    may_change(&state, &by, id.0).await?;
    // Without it a password is enough for all that the user may do.
    may_take(&state, &by, id.0).await?;
    let account = accounts::by_id(&state.db, id.0).await?.ok_or_else(ApiError::no_such_user)?;
    if !second_factor::remove(&state.db, id.0).await? {
        return Err(ApiError::new(StatusCode::CONFLICT, "no_second_factor", "This account has no second factor."));
    }
    by.note(Deed::SecondFactorRemoved, &[("id", &id.0), ("name", &account.user_name)]);
    Ok(Reply(true))
}
