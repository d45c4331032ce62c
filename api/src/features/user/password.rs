//! Calls that change a password: with the present one, or with a code when it is forgotten.

use axum::extract::State;
use axum::http::StatusCode;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::code::redeemed;
use super::model::{Forgotten, PasswordChange, Token, TypedPassword};
use super::routes::{LoggedIn, filled, session};
use crate::app::App;
use crate::auth::codes::Purpose;
use crate::auth::devices::Device;
use crate::auth::login::{self, Verified};
use crate::auth::sessions::{self, Action, LoginKind};
use crate::auth::strength::{self, Strength};
use crate::auth::{CurrentUser, accounts, rules, scram};
use crate::http::error::{PASSWORDS_DIFFER, RESET_FAILED};
use crate::http::{Answer, ApiError, Client, ClientAddress, Failure, Json, Reply, Success};

pub fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(forget)).routes(routes!(reset)).routes(routes!(judge))
}

/// Sets a new password with a code of `/api/user/code/…`; every session of the account ends.
#[utoipa::path(post, path = "/api/user/password/forget", tag = "user", operation_id = "forgetPassword",
    request_body = Forgotten,
    responses((status = 200, body = Success<bool>), (status = "default", body = Failure)))]
async fn forget(state: State<App>, client: Client, body: Json<Forgotten>) -> Answer<bool> {
    let (app, form) = (state.0, body.0);
    check(&form.password, &form.repeat)?;
    strength::check(app.accounts.refuse_weak_passwords, &form.password, &[])?;
    let target = filled(form.email.as_deref()).or_else(|| filled(form.phone.as_deref()));
    let target = target.ok_or_else(|| ApiError::invalid("email", "An email address or a phone number is required."))?;
    let target = &rules::contact(target);
    let right = redeemed(&app, client.address, target, Purpose::Reset, &form.code).await?;
    let account = accounts::find_by_contact(&app.db, target).await?.filter(|_| right);
    let account = account.ok_or_else(|| {
        let msg = "The code is wrong, was used, or is older than ten minutes.";
        ApiError::new(StatusCode::BAD_REQUEST, "wrong_code", msg).param("code")
    })?;
    change(&app, account.id, &form.password).await?;
    sessions::record(&app.db, account.id, &account.user_name, Action::Ended, &client).await?;
    Ok(Reply(true))
}

/// Changes the password of whoever is logged in; every session of the account ends, and a new one begins.
#[utoipa::path(post, path = "/api/user/password/reset", tag = "user", operation_id = "resetPassword",
    request_body = PasswordChange, security(("bearer" = [])),
    responses((status = 200, body = Success<Token>), (status = "default", body = Failure)))]
async fn reset(
    state: State<App>,
    user: CurrentUser,
    client: Client,
    device: Device,
    body: Json<PasswordChange>,
) -> LoggedIn {
    let (app, form) = (state.0, body.0);
    check(&form.password, &form.repeat)?;
    strength::check(app.accounts.refuse_weak_passwords, &form.password, &[&user.name])?;
    if login::confirm(&app, &user, &form.current, &client).await?.is_none() {
        return Err(ApiError::new(StatusCode::BAD_REQUEST, "reset_failed", RESET_FAILED).param("current"));
    }
    let password_hash = change(&app, user.id, &form.password).await?;
    sessions::record(&app.db, user.id, &user.name, Action::Ended, &client).await?;
    let account = Verified { id: user.id, user_name: &user.name, password_hash: &password_hash };
    session(&app, account, LoginKind::Password, &client, &device).await
}

/// How easily a password is guessed, for whoever types one. It is neither kept nor logged.
#[utoipa::path(post, path = "/api/user/password/judge", tag = "user", operation_id = "judgePassword",
    request_body = TypedPassword,
    responses((status = 200, body = Success<Strength>), (status = "default", body = Failure)))]
async fn judge(state: State<App>, address: ClientAddress, body: Json<TypedPassword>) -> Answer<Strength> {
    state.limits.judgements.take(address.0.into()).map_err(ApiError::too_many)?;
    let TypedPassword { password, user_name, email } = body.0;
    Ok(Reply(strength::judge(&password, &[&user_name.unwrap_or_default(), &email.unwrap_or_default()])))
}

/// Answers what is kept of the new password.
async fn change(app: &App, id: i64, password: &str) -> Result<String, ApiError> {
    let hash = app.auth.passwords.hash(password).await.map_err(ApiError::internal)?;
    accounts::change_password(&app.db, id, &hash).await?;
    let account = Verified { id, user_name: "", password_hash: &hash };
    scram::keep_missing(&app.db, account, password).await;
    app.hub.end_all(id);
    Ok(hash)
}

fn check(password: &str, repeat: &str) -> Result<(), ApiError> {
    if !rules::new_password(password) {
        let msg = "A password has 6 to 20 letters, digits or !@#$%&*_";
        return Err(ApiError::new(StatusCode::BAD_REQUEST, "invalid_password", msg).param("password"));
    }
    if password != repeat {
        return Err(ApiError::new(StatusCode::BAD_REQUEST, "passwords_differ", PASSWORDS_DIFFER).param("repeat"));
    }
    Ok(())
}
