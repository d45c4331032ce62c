//! Calls for users as administrators see them.

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::may::{may_change, may_give, may_take};
use super::model::{DayPeople, DisabledParam, NewPerson, PeopleParams, PeopleSummary, Person, RoleChange};
use super::{invitations, second_factor, store};
use crate::app::App;
use crate::auth::accounts::{self, ChangeError, CreateError, NewAccount};
use crate::auth::deeds::Deed;
use crate::auth::login::Verified;
use crate::auth::rights::{PlatformUsers, Users};
use crate::auth::{Allowed, rules, scram};
use crate::db::list::Paged;
use crate::http::{Answer, ApiError, Failure, Json, Path, Query, Reply, Success, csv};

/// Days of the charts.
const DAYS: i64 = 30;

pub fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(list))
        .routes(routes!(create))
        .routes(routes!(update_disabled))
        .routes(routes!(update_role))
        .routes(routes!(platform_users))
        .routes(routes!(platform_users_file))
        .routes(routes!(summary))
        .routes(routes!(days))
        .merge(invitations::routes())
        .merge(second_factor::routes())
}

/// Users, newest first.
#[utoipa::path(get, path = "/api/system/user/list", tag = "system", operation_id = "users", params(PeopleParams),
    security(("bearer" = [])),
    responses((status = 200, body = Success<Paged<Person>>), (status = "default", body = Failure)))]
async fn list(state: State<App>, _by: Allowed<Users>, query: Query<PeopleParams>) -> Answer<Paged<Person>> {
    Ok(Reply(store::page(&state.db, &query.0).await?))
}

/// Makes an account for somebody; answers its id.
#[utoipa::path(post, path = "/api/system/user/create", tag = "system", operation_id = "createUser",
    request_body = NewPerson, security(("bearer" = [])),
    responses((status = 200, body = Success<i64>), (status = "default", body = Failure)))]
async fn create(state: State<App>, by: Allowed<Users>, body: Json<NewPerson>) -> Answer<i64> {
    let NewPerson { user_name, password, email, role } = body.0;
    let email = email.as_deref().map(str::trim).filter(|email| !email.is_empty());
    if !rules::user_name(&user_name) {
        let msg = "A user name has 1 to 16 lower-case letters, digits or underscores.";
        return Err(ApiError::invalid("userName", msg));
    }
    if !rules::password(&password) {
        return Err(ApiError::invalid("password", "A password has 6 to 20 characters."));
    }
    if email.is_some_and(|email| !rules::email(email)) {
        return Err(ApiError::invalid("email", "This is not an email address."));
    }
    may_give(&state, &by, &role).await?;
    let email = email.map(rules::contact);
    let email = email.as_deref();
    let password_hash = state.auth.passwords.hash(&password).await.map_err(ApiError::internal)?;
    let new = NewAccount { user_name: &user_name, password_hash: &password_hash, role: &role, email, phone: None };
    let id = accounts::create(&state.db, &new).await.map_err(|error| match error {
        CreateError::Taken(field) => {
            ApiError::new(StatusCode::CONFLICT, "taken", "Another account has this already.").param(field)
        }
        CreateError::Database(error) => error.into(),
    })?;
    let account = Verified { id, user_name: &user_name, password_hash: &password_hash };
    scram::keep_missing(&state.db, account, &password).await;
    by.note(Deed::UserMade, &[("id", &id), ("name", &user_name), ("role", &role)]);
    Ok(Reply(id))
}

/// Disables or enables an account at once; a disabled one loses its sessions, and its jobs are killed.
#[utoipa::path(put, path = "/api/system/user/updateUserDisabled/{id}", tag = "system",
    operation_id = "updateUserDisabled", params(("id" = i64, Path), DisabledParam), security(("bearer" = [])),
    responses((status = 200, body = Success<bool>), (status = "default", body = Failure)))]
async fn update_disabled(
    state: State<App>,
    by: Allowed<Users>,
    id: Path<i64>,
    query: Query<DisabledParam>,
) -> Answer<bool> {
    let disabled = query.0.disabled;
    may_change(&state, &by, id.0).await?;
    accounts::set_disabled(&state.db, id.0, disabled).await.map_err(refused)?;
    by.note(if disabled { Deed::UserDisabled } else { Deed::UserEnabled }, &[("id", &id.0)]);
    if disabled {
        state.hub.end_all(id.0);
        state.keys.forget_all(id.0);
        state.jobs.kill_all(id.0).await?;
    }
    Ok(Reply(true))
}

/// Gives a user another role. Only administrators make administrators.
#[utoipa::path(put, path = "/api/system/user/role/{id}", tag = "system", operation_id = "updateUserRole",
    params(("id" = i64, Path)), request_body = RoleChange, security(("bearer" = [])),
    responses((status = 200, body = Success<bool>), (status = "default", body = Failure)))]
async fn update_role(state: State<App>, by: Allowed<Users>, id: Path<i64>, body: Json<RoleChange>) -> Answer<bool> {
    let role = body.0.role;
    may_change(&state, &by, id.0).await?;
    // What the user can do now is taken away by it.
    may_take(&state, &by, id.0).await?;
    may_give(&state, &by, &role).await?;
    accounts::set_role(&state.db, id.0, &role).await.map_err(refused)?;
    // What its sockets follow was allowed to the former role; browsers open new ones.
    state.hub.end_all(id.0);
    by.note(Deed::RoleGiven, &[("id", &id.0), ("role", &role)]);
    Ok(Reply(true))
}

/// Users of the platform with their last visit, newest first.
#[utoipa::path(get, path = "/api/system/platform-user/list", tag = "system", operation_id = "platformUsers",
    params(PeopleParams), security(("bearer" = [])),
    responses((status = 200, body = Success<Paged<Person>>), (status = "default", body = Failure)))]
async fn platform_users(
    state: State<App>,
    _by: Allowed<PlatformUsers>,
    query: Query<PeopleParams>,
) -> Answer<Paged<Person>> {
    Ok(Reply(store::page(&state.db, &query.0).await?))
}

/// The same list as a CSV file.
#[utoipa::path(get, path = "/api/system/platform-user/export", tag = "system", operation_id = "exportPlatformUsers",
    params(PeopleParams), security(("bearer" = [])),
    responses((status = 200, description = "The file.", content_type = "text/csv"),
        (status = "default", body = Failure)))]
async fn platform_users_file(
    state: State<App>,
    by: Allowed<PlatformUsers>,
    query: Query<PeopleParams>,
) -> Result<Response, ApiError> {
    by.note(Deed::Exported, &[]);
    let people: Vec<Person> = store::list(&query.0).all(&state.db).await?;
    csv("users", &people)
}

/// Figures over all users.
#[utoipa::path(get, path = "/api/system/platform-user/summary", tag = "system", operation_id = "platformUserSummary",
    security(("bearer" = [])),
    responses((status = 200, body = Success<PeopleSummary>), (status = "default", body = Failure)))]
async fn summary(state: State<App>, _by: Allowed<PlatformUsers>) -> Answer<PeopleSummary> {
    Ok(Reply(store::summary(&state.db).await?))
}

/// Accounts made and logins per day in UTC of the last 30 days, oldest first; days without any are missing.
#[utoipa::path(get, path = "/api/system/platform-user/days", tag = "system", operation_id = "platformUserDays",
    security(("bearer" = [])),
    responses((status = 200, body = Success<Vec<DayPeople>>), (status = "default", body = Failure)))]
async fn days(state: State<App>, _by: Allowed<PlatformUsers>) -> Answer<Vec<DayPeople>> {
    Ok(Reply(store::days(&state.db, DAYS).await?))
}

fn refused(error: ChangeError) -> ApiError {
    match error {
        ChangeError::Unknown => ApiError::no_such_user(),
        ChangeError::LastAdmin => {
            let msg = "This is the last administrator who can log in.";
            ApiError::new(StatusCode::CONFLICT, "last_admin", msg)
        }
        ChangeError::Database(error) => error.into(),
    }
}
