//! Calls for accounts and logins.

use axum::extract::State;
use axum::http::StatusCode;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::model::{Info, Login, Registration, Token, User};
use super::{code, key, password};
use crate::app::App;
use crate::auth::accounts::{self, CreateError, NewAccount};
use crate::auth::login::{self, Verified};
use crate::auth::{CurrentUser, ROLE_DEFAULT, rights, rules, scram};
use crate::http::error::REGISTRATION_FAILED;
use crate::http::{Answer, ApiError, Client, Failure, Json, Reply, Success};
use crate::letters;

pub fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(register))
        .routes(routes!(log_in))
        .routes(routes!(logout))
        .routes(routes!(info))
        .merge(code::routes())
        .merge(password::routes())
        .merge(key::routes())
}

/// Makes an account and logs it in.
#[utoipa::path(post, path = "/api/user/register", tag = "user", operation_id = "register",
    request_body = Registration,
    responses((status = 200, body = Success<Token>), (status = "default", body = Failure)))]
async fn register(state: State<App>, client: Client, body: Json<Registration>) -> Answer<Token> {
    let (app, new) = (state.0, body.0);
    check(&new, filled(new.email.as_deref()), filled(new.phone.as_deref()))?;
    let [email, phone] = [&new.email, &new.phone].map(|field| filled(field.as_deref()).map(rules::contact));
    let (email, phone) = (email.as_deref(), phone.as_deref());
    app.limits.registrations.take(client.address.into()).map_err(ApiError::too_many)?;
    code::proven(&app, client.address, email, phone, new.code.as_deref()).await?;
    let password_hash = app.auth.passwords.hash(&new.password).await.map_err(ApiError::internal)?;
    let account =
        NewAccount { user_name: &new.user_name, password_hash: &password_hash, role: ROLE_DEFAULT, email, phone };
    let id = accounts::create(&app.db, &account).await.map_err(|error| match error {
        CreateError::Taken(field) => {
            let (code, detail) = match field {
                "userName" => ("user_name_taken", "This user name is taken."),
                "email" => ("email_taken", "Another account has this email address."),
                _ => ("phone_taken", "Another account has this phone number."),
            };
            refused(StatusCode::CONFLICT, code, field, detail)
        }
        CreateError::Database(error) => error.into(),
    })?;
    let account = Verified { id, user_name: &new.user_name, password_hash: &password_hash };
    scram::keep_missing(&app.db, account, &new.password).await;
    session(&app, account, &client).await
}

/// Logs in.
#[utoipa::path(post, path = "/api/user/login", tag = "user", operation_id = "login", request_body = Login,
    responses((status = 200, body = Success<Token>), (status = "default", body = Failure)))]
async fn log_in(state: State<App>, client: Client, body: Json<Login>) -> Answer<Token> {
    let (app, given) = (state.0, body.0);
    let account = login::verify(&app, &given.user_name, &given.password, &client).await?;
    session(&app, (&account).into(), &client).await
}

/// Ends the session of the token.
#[utoipa::path(post, path = "/api/user/logout", tag = "user", operation_id = "logout", security(("bearer" = [])),
    responses((status = 200, body = Success<bool>), (status = "default", body = Failure)))]
async fn logout(state: State<App>, user: CurrentUser, client: Client) -> Answer<bool> {
    login::close(&state, user.id, &user.name, &user.session, &client).await?;
    Ok(Reply(true))
}

/// Who is logged in.
#[utoipa::path(get, path = "/api/user/info", tag = "user", operation_id = "info", security(("bearer" = [])),
    responses((status = 200, body = Success<Info>), (status = "default", body = Failure)))]
async fn info(state: State<App>, user: CurrentUser) -> Answer<Info> {
    let permissions = rights::of_role(&state.db, &user.role).await?;
    let unread = letters::has_unread(&state.db, user.id).await?;
    let view = User { user_id: user.id, user_name: user.name, head_photo: user.head_photo };
    Ok(Reply(Info { user: view, role: user.role, permissions, unread }))
}

/// The token of a new session.
pub(super) async fn session(app: &App, account: Verified<'_>, client: &Client) -> Answer<Token> {
    let new = login::open(app, account, client).await?;
    Ok(Reply(Token { token: new.token }))
}

fn check(new: &Registration, email: Option<&str>, phone: Option<&str>) -> Result<(), ApiError> {
    let bad = |code, field, detail| Err(refused(StatusCode::BAD_REQUEST, code, field, detail));
    if !rules::user_name(&new.user_name) {
        return bad(
            "invalid_user_name",
            "userName",
            "A user name has 1 to 16 lower-case letters, digits or underscores.",
        );
    }
    if !rules::password(&new.password) {
        return bad("invalid_password", "password", "A password has 6 to 20 characters.");
    }
    if email.is_some_and(|email| !rules::email(email)) {
        return bad("invalid_email", "email", "This is not an email address.");
    }
    if phone.is_some_and(|phone| !rules::phone(phone)) {
        return bad("invalid_phone", "phone", "This is not a phone number.");
    }
    if !new.agree {
        return bad("agreement_required", "agree", "Agreeing to the rules is required.");
    }
    Ok(())
}

pub(super) fn refused(status: StatusCode, code: &'static str, field: &'static str, detail: &str) -> ApiError {
    ApiError::new(status, code, REGISTRATION_FAILED).param(field).detail(detail)
}

/// A field that the person left empty is as good as none.
pub(super) fn filled(field: Option<&str>) -> Option<&str> {
    field.map(str::trim).filter(|text| !text.is_empty())
}
