//! Calls for accounts and logins.

use axum::extract::State;
use axum::http::{HeaderName, HeaderValue, StatusCode};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::model::{Info, Login, Registration, RegistrationRules, Token, User};
use super::{code, key, password, provider, security, sessions};
use crate::app::App;
use crate::auth::accounts::{self, CreateError, NewAccount};
use crate::auth::devices::Device;
use crate::auth::login::{self, Given, Verified};
use crate::auth::registering::{AccountOptions, Registering};
use crate::auth::sessions::LoginKind;
use crate::auth::{CurrentUser, ROLE_DEFAULT, rights, rules, scram, strength};
use crate::http::error::REGISTRATION_FAILED;
use crate::http::{Answer, ApiError, Client, Failure, Json, Reply, Success};
use crate::letters;

/// The token of a new session, and the cookie by which the browser is known later.
pub(super) type LoggedIn = Result<([(HeaderName, HeaderValue); 1], Reply<Token>), ApiError>;

pub fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(registration))
        .routes(routes!(register))
        .routes(routes!(log_in))
        .routes(routes!(logout))
        .routes(routes!(info))
        .merge(code::routes())
        .merge(password::routes())
        .merge(key::routes())
        .merge(provider::routes())
        .merge(security::routes())
        .merge(sessions::routes())
}

/// How accounts are made here.
#[utoipa::path(get, path = "/api/user/registration", tag = "user", operation_id = "registrationRules",
    responses((status = 200, body = Success<RegistrationRules>), (status = "default", body = Failure)))]
async fn registration(state: State<App>) -> Answer<RegistrationRules> {
    let AccountOptions { registration, refuse_weak_passwords, passwords, .. } = state.accounts;
    let registration = if passwords { registration } else { Registering::Closed };
    Ok(Reply(RegistrationRules { registration, refuse_weak_passwords }))
}

/// Makes an account and logs it in.
#[utoipa::path(post, path = "/api/user/register", tag = "user", operation_id = "register",
    request_body = Registration,
    responses((status = 200, body = Success<Token>), (status = "default", body = Failure)))]
async fn register(state: State<App>, client: Client, device: Device, body: Json<Registration>) -> LoggedIn {
    let (app, new) = (state.0, body.0);
    let options = &app.accounts;
    login::refuse_passwords(&app)?;
    if options.registration == Registering::Closed {
        return Err(refused(StatusCode::FORBIDDEN, "registration_closed", "userName", "Nobody can register here."));
    }
    check(&new, filled(new.email.as_deref()), filled(new.phone.as_deref()))?;
    let [email, phone] = [&new.email, &new.phone].map(|field| filled(field.as_deref()).map(rules::contact));
    let (email, phone) = (email.as_deref(), phone.as_deref());
    strength::check(options.refuse_weak_passwords, &new.password, &[&new.user_name, email.unwrap_or_default()])?;
    let invitation = match options.registration {
        Registering::Invitation => Some(filled(new.invitation.as_deref()).ok_or_else(not_invited)?),
        Registering::Open | Registering::Closed => None,
    };
    app.limits.registrations.take(client.address.into()).map_err(ApiError::too_many)?;
    code::proven(&app, client.address, email, phone, new.code.as_deref()).await?;
    app.limits.registrations_in_all.take(()).map_err(ApiError::too_many)?;
    let password_hash = app.auth.passwords.hash(&new.password).await.map_err(ApiError::internal)?;
    let account =
        NewAccount { user_name: &new.user_name, password_hash: &password_hash, role: ROLE_DEFAULT, email, phone };
    let registration = accounts::Registration {
        place: client.address.into(),
        new_for: i64::try_from(options.new_for.as_millis()).unwrap_or(i64::MAX),
        invitation,
    };
    let made = accounts::register(&app.db, &account, &registration).await.map_err(|error| match error {
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
    let id = made.ok_or_else(not_invited)?;
    let account = Verified { id, user_name: &new.user_name, password_hash: &password_hash };
    scram::keep_missing(&app.db, account, &new.password).await;
    session(&app, account, LoginKind::Password, &client, &device).await
}

/// Logs in.
#[utoipa::path(post, path = "/api/user/login", tag = "user", operation_id = "login", request_body = Login,
    responses((status = 200, body = Success<Token>), (status = "default", body = Failure)))]
async fn log_in(state: State<App>, client: Client, device: Device, body: Json<Login>) -> LoggedIn {
    let (app, login) = (state.0, body.0);
    let given = Given {
        user_name: &login.user_name,
        password: &login.password,
        sent_code: filled(login.sent_code.as_deref()),
        second_code: filled(login.second_code.as_deref()),
    };
    let account = login::verify_on_web(&app, given, &device, &client).await?;
    session(&app, (&account).into(), LoginKind::Password, &client, &device).await
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

/// The token of a new session; the browser is known from then on.
pub(super) async fn session(
    app: &App,
    account: Verified<'_>,
    kind: LoginKind,
    client: &Client,
    device: &Device,
) -> LoggedIn {
    let new = login::open(app, account, kind, client).await?;
    let cookie = device.remember(&app.db, account.id).await?;
    Ok(([cookie], Reply(Token { token: new.token })))
}

fn not_invited() -> ApiError {
    let detail = "The invitation is missing, wrong, used, withdrawn, expired, or for another email address.";
    refused(StatusCode::FORBIDDEN, "wrong_invitation", "invitation", detail)
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
