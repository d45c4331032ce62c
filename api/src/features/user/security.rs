//! Calls for the second factor of whoever is logged in.

use axum::extract::State;
use axum::http::StatusCode;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::app::App;
use crate::auth::second_factor::{self, SecondFactor};
use crate::auth::{CurrentUser, login};
use crate::http::{Answer, ApiError, Client, Failure, Json, Reply, Success};

pub fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(state))
        .routes(routes!(begin))
        .routes(routes!(confirm))
        .routes(routes!(recovery_codes))
        .routes(routes!(off))
}

/// The password again: a session that somebody else uses changes nothing.
#[derive(Debug, Deserialize, ToSchema)]
pub struct Password {
    pub password: String,
}

/// What an authenticator app is given; it is shown this once.
#[derive(Debug, Serialize, ToSchema)]
pub struct SecondFactorSetup {
    /// For typing, in base32.
    pub secret: String,
    /// The same as a link that authenticator apps open.
    pub url: String,
    /// The link as a QR code, an SVG picture.
    pub picture: String,
}

#[derive(Debug, Deserialize, ToSchema)]
pub struct SecondCode {
    /// Six digits of the app.
    pub code: String,
}

#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PasswordAndCode {
    pub password: String,
    /// Six digits of the app, or a recovery code.
    pub second_code: String,
}

/// Codes that work once each in place of the app's; they are shown this once.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct RecoveryCodes {
    pub recovery_codes: Vec<String>,
}

/// Whether the caller has a second factor.
#[utoipa::path(get, path = "/api/user/second-factor", tag = "user", operation_id = "secondFactor",
    security(("bearer" = [])),
    responses((status = 200, body = Success<SecondFactor>), (status = "default", body = Failure)))]
async fn state(state: State<App>, user: CurrentUser) -> Answer<SecondFactor> {
    Ok(Reply(second_factor::state(&state.db, user.id).await?))
}

/// Makes the secret of a second factor. It is asked for at log-in once a code of it has confirmed it.
#[utoipa::path(post, path = "/api/user/second-factor/begin", tag = "user", operation_id = "beginSecondFactor",
    request_body = Password, security(("bearer" = [])),
    responses((status = 200, body = Success<SecondFactorSetup>), (status = "default", body = Failure)))]
async fn begin(app: State<App>, user: CurrentUser, client: Client, body: Json<Password>) -> Answer<SecondFactorSetup> {
    check_password(&app, &user, &body.0.password, &client).await?;
    let setup = second_factor::begin(&app.db, &app.auth.seal, user.id, &user.name).await.map_err(internal)?;
    let setup = setup.ok_or_else(|| {
        let msg = "This account has a second factor already. Turn it off before you set up another one.";
        ApiError::new(StatusCode::CONFLICT, "second_factor_on", msg)
    })?;
    Ok(Reply(SecondFactorSetup { secret: setup.secret, url: setup.url, picture: setup.picture }))
}

/// Turns the second factor on by a code of the app; answers the recovery codes.
#[utoipa::path(post, path = "/api/user/second-factor/confirm", tag = "user", operation_id = "confirmSecondFactor",
    request_body = SecondCode, security(("bearer" = [])),
    responses((status = 200, body = Success<RecoveryCodes>), (status = "default", body = Failure)))]
async fn confirm(app: State<App>, user: CurrentUser, body: Json<SecondCode>) -> Answer<RecoveryCodes> {
    let attempt = app.auth.throttle.begin_code(user.id, true).await.map_err(ApiError::too_many)?;
    let confirmed = second_factor::confirm(&app.db, &app.auth.seal, user.id, &body.0.code).await.map_err(internal)?;
    let Some(recovery_codes) = confirmed else {
        attempt.wrong();
        return Err(bad_code());
    };
    attempt.right().await;
    Ok(Reply(RecoveryCodes { recovery_codes }))
}

/// Makes new recovery codes in place of those there are.
#[utoipa::path(post, path = "/api/user/second-factor/recovery-codes", tag = "user", operation_id = "newRecoveryCodes",
    request_body = PasswordAndCode, security(("bearer" = [])),
    responses((status = 200, body = Success<RecoveryCodes>), (status = "default", body = Failure)))]
async fn recovery_codes(
    app: State<App>,
    user: CurrentUser,
    client: Client,
    body: Json<PasswordAndCode>,
) -> Answer<RecoveryCodes> {
    check_both(&app, &user, &body.0, &client).await?;
    Ok(Reply(RecoveryCodes { recovery_codes: second_factor::renew_recovery_codes(&app.db, user.id).await? }))
}

/// Turns the second factor off.
#[utoipa::path(post, path = "/api/user/second-factor/off", tag = "user", operation_id = "secondFactorOff",
    request_body = PasswordAndCode, security(("bearer" = [])),
    responses((status = 200, body = Success<bool>), (status = "default", body = Failure)))]
async fn off(app: State<App>, user: CurrentUser, client: Client, body: Json<PasswordAndCode>) -> Answer<bool> {
    check_both(&app, &user, &body.0, &client).await?;
    Ok(Reply(second_factor::remove(&app.db, user.id).await?))
}

async fn check_both(app: &App, user: &CurrentUser, given: &PasswordAndCode, client: &Client) -> Result<(), ApiError> {
    check_password(app, user, &given.password, client).await?;
    login::check_second(app, user.id, &given.second_code, true).await.map_err(|mut error| {
        // Here it is no login that failed.
        if error.status == StatusCode::UNAUTHORIZED {
            error.status = StatusCode::BAD_REQUEST;
        }
        error
    })
}

async fn check_password(app: &App, user: &CurrentUser, password: &str, client: &Client) -> Result<(), ApiError> {
    if login::confirm(app, user, password, client).await?.is_none() {
        let error = ApiError::new(StatusCode::BAD_REQUEST, "wrong_password", "The password is wrong.");
        return Err(error.param("password"));
    }
    Ok(())
}

fn bad_code() -> ApiError {
    let mut error = login::wrong_code();
    error.status = StatusCode::BAD_REQUEST;
    error
}

fn internal(error: anyhow::Error) -> ApiError {
    ApiError::internal(error.into_boxed_dyn_error())
}
