//! Calls for invitations.

use axum::extract::State;
use axum::http::StatusCode;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::may::may_give;
use super::model::{InvitationOrder, InvitationParams};
use crate::app::App;
use crate::auth::deeds::Deed;
use crate::auth::invitations::{self, Filter, Invitation, MadeInvitation, NewInvitation, WithdrawError};
use crate::auth::rights::Users;
use crate::auth::{Allowed, ROLE_DEFAULT, rules};
use crate::db::list::{Page, Paged};
use crate::http::{Answer, ApiError, Failure, Json, Path, Query, Reply, Success};

pub fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(list)).routes(routes!(create)).routes(routes!(withdraw))
}

/// Invitations, newest first.
#[utoipa::path(get, path = "/api/system/invitation/list", tag = "system", operation_id = "invitations",
    params(InvitationParams), security(("bearer" = [])),
    responses((status = 200, body = Success<Paged<Invitation>>), (status = "default", body = Failure)))]
async fn list(state: State<App>, _by: Allowed<Users>, query: Query<InvitationParams>) -> Answer<Paged<Invitation>> {
    let InvitationParams { page, size, state: wanted, email } = query.0;
    let filter = Filter { state: wanted, email: email.as_deref() };
    Ok(Reply(invitations::list(&state.db, filter, Page { page, size }).await?))
}

/// Makes an invitation, with which somebody can register while registration is by invitation. Its code is in this answer only.
#[utoipa::path(post, path = "/api/system/invitation/create", tag = "system", operation_id = "createInvitation",
    request_body = InvitationOrder, security(("bearer" = [])),
    responses((status = 200, body = Success<MadeInvitation>), (status = "default", body = Failure)))]
async fn create(state: State<App>, by: Allowed<Users>, body: Json<InvitationOrder>) -> Answer<MadeInvitation> {
    let InvitationOrder { email, days } = body.0;
    let email = email.as_deref().map(str::trim).filter(|email| !email.is_empty()).map(rules::contact);
    let email = email.as_deref();
    if email.is_some_and(|email| !rules::email(email)) {
        return Err(ApiError::invalid("email", "This is not an email address."));
    }
    let days = days.unwrap_or(invitations::DAYS);
    if !(1..=invitations::MOST_DAYS).contains(&days) {
        return Err(ApiError::invalid("days", "An invitation lasts 1 to 365 days."));
    }
    // The role of the account that will be made.
    may_give(&state, &by, ROLE_DEFAULT).await?;
    let new = NewInvitation { created_by: Some(by.user.id), email, expires_at: invitations::after_days(days) };
    let made = invitations::make(&state.db, &new).await?;
    match email {
        Some(email) => by.note(Deed::InvitationMadeFor, &[("id", &made.id), ("email", &email)]),
        None => by.note(Deed::InvitationMade, &[("id", &made.id)]),
    }
    Ok(Reply(made))
}

/// Withdraws an invitation that was not used: nobody can register with it any more.
#[utoipa::path(delete, path = "/api/system/invitation/{id}", tag = "system", operation_id = "withdrawInvitation",
    params(("id" = String, Path)), security(("bearer" = [])),
    responses((status = 200, body = Success<bool>), (status = "default", body = Failure)))]
async fn withdraw(state: State<App>, by: Allowed<Users>, id: Path<String>) -> Answer<bool> {
    let email = invitations::withdraw(&state.db, &id.0).await.map_err(|error| match error {
        WithdrawError::Unknown => ApiError::not_found("invitation"),
        WithdrawError::Over => {
            let msg = "This invitation was used or withdrawn, or has expired.";
            ApiError::new(StatusCode::CONFLICT, "invitation_over", msg)
        }
        WithdrawError::Database(error) => error.into(),
    })?;
    match email {
        Some(email) => by.note(Deed::InvitationWithdrawnFor, &[("id", &id.0), ("email", &email)]),
        None => by.note(Deed::InvitationWithdrawn, &[("id", &id.0)]),
    }
    Ok(Reply(true))
}
