//! Calls that change a password: with the present one, or with a code when it is forgotten.

use axum::extract::State;
use axum::http::StatusCode;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::code::redeemed;
use super::model::{Forgotten, PasswordChange, Token};
use super::routes::{filled, session};
use crate::app::App;
use crate::auth::codes::Purpose;
use crate::auth::login::Verified;
use crate::auth::sessions::{self, Action};
use crate::auth::{CurrentUser, accounts, rules, scram};
use crate::http::error::{PASSWORDS_DIFFER, RESET_FAILED};
use crate::http::{Answer, ApiError, Client, Failure, Json, Reply, Success};

pub fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(forget)).routes(routes!(reset))
}

/// Sets a new password with a code of `/api/user/code/…`; every session of the account ends.
#[utoipa::path(post, path = "/api/user/password/forget", tag = "user", operation_id = "forgetPassword",
    request_body = Forgotten,
    responses((status = 200, body = Success<bool>), (status = "default", body = Failure)))]
async fn forget(state: State<App>, client: Client, body: Json<Forgotten>) -> Answer<bool> {
    let (app, form) = (state.0, body.0);
    check(&form.password, &form.repeat)?;
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
async fn reset(state: State<App>, user: CurrentUser, client: Client, body: Json<PasswordChange>) -> Answer<Token> {
    let (app, form) = (state.0, body.0);
    check(&form.password, &form.repeat)?;
    let attempt = app.auth.throttle.begin(&user.name, client.address).await.map_err(ApiError::too_many)?;
    let account = accounts::find(&app.db, &user.name).await?.ok_or_else(ApiError::login_expired)?;
    let right = app.auth.passwords.verify(&form.current, Some(&account.password_hash)).await;
    if !right.map_err(ApiError::internal)? {
        attempt.wrong().await;
        return Err(ApiError::new(StatusCode::BAD_REQUEST, "reset_failed", RESET_FAILED).param("current"));
    }
    attempt.right().await;
    let password_hash = change(&app, user.id, &form.password).await?;
    sessions::record(&app.db, user.id, &user.name, Action::Ended, &client).await?;
    session(&app, Verified { id: user.id, user_name: &user.name, password_hash: &password_hash }, &client).await
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
