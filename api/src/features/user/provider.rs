//! Calls for logging in at a provider of OpenID Connect.

use std::sync::Arc;

use axum::extract::State;
use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::model::Token;
use super::routes::{LoggedIn, session};
use crate::app::App;
use crate::auth::devices::Device;
use crate::auth::oidc::{self, Away, Failed, Oidc};
use crate::auth::sessions::LoginKind;
use crate::http::{Answer, ApiError, Client, ClientAddress, Failure, Json, Reply, Success, cookies};

const COOKIE_NAME: &str = "quarry_provider_login";
/// Only the call that ends a log-in needs it.
const COOKIE_PATH: &str = "/api/user/provider";

pub fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(options)).routes(routes!(begin)).routes(routes!(log_in))
}

/// How people log in here.
#[derive(Debug, Serialize, ToSchema)]
pub struct LoginOptions {
    /// Whether passwords open accounts.
    pub passwords: bool,
    /// Absent where there is none.
    pub provider: Option<LoginProvider>,
}

/// Where else people log in.
#[derive(Debug, Serialize, ToSchema)]
pub struct LoginProvider {
    /// What the operator calls it.
    pub label: Option<String>,
    /// Whether it has answered this server.
    pub available: bool,
}

/// Where to send the browser.
#[derive(Debug, Serialize, ToSchema)]
pub struct ProviderPage {
    pub url: String,
}

/// What the provider sent the browser back with.
#[derive(Debug, Deserialize, ToSchema)]
pub struct ProviderLogin {
    pub code: String,
    pub state: String,
}

/// How people log in here: with passwords, at a provider, or both.
#[utoipa::path(get, path = "/api/user/login-options", tag = "user", operation_id = "loginOptions",
    responses((status = 200, body = Success<LoginOptions>), (status = "default", body = Failure)))]
async fn options(state: State<App>) -> Answer<LoginOptions> {
    let provider = state.oidc.as_ref();
    let provider =
        provider.map(|oidc| LoginProvider { label: oidc.label().map(str::to_string), available: oidc.is_known() });
    Ok(Reply(LoginOptions { passwords: state.accounts.passwords, provider }))
}

/// Begins a log-in at the provider: answers its page, and gives the browser a cookie without which nobody ends the log-in.
#[utoipa::path(post, path = "/api/user/provider/begin", tag = "user", operation_id = "beginProviderLogin",
    responses((status = 200, body = Success<ProviderPage>), (status = "default", body = Failure)))]
async fn begin(
    state: State<App>,
    address: ClientAddress,
) -> Result<([(HeaderName, HeaderValue); 1], Reply<ProviderPage>), ApiError> {
    let oidc = provider(&state)?;
    state.limits.provider_logins.take(address.0.into()).map_err(ApiError::too_many)?;
    let start = oidc.begin(address.0.into()).await.map_err(|Away| away())?;
    let secure = if oidc.is_secure() { "; Secure" } else { "" };
    let seconds = oidc::LIFETIME.as_secs();
    // The page that the provider sends people back to is ours, and so is the call it makes.
    let cookie = format!(
        "{COOKIE_NAME}={}; Path={COOKIE_PATH}; Max-Age={seconds}; HttpOnly; SameSite=Strict{secure}",
        start.browser
    );
    let mut cookie = HeaderValue::try_from(cookie).map_err(ApiError::internal)?;
    cookie.set_sensitive(true);
    Ok(([(header::SET_COOKIE, cookie)], Reply(ProviderPage { url: start.page })))
}

/// Logs in whoever the provider sent back. The code works once, in the browser that began the log-in, within ten minutes.
#[utoipa::path(post, path = "/api/user/provider/login", tag = "user", operation_id = "providerLogin",
    request_body = ProviderLogin,
    responses((status = 200, body = Success<Token>), (status = "default", body = Failure)))]
async fn log_in(
    state: State<App>,
    client: Client,
    device: Device,
    headers: HeaderMap,
    body: Json<ProviderLogin>,
) -> LoggedIn {
    let oidc = provider(&state)?;
    let ProviderLogin { code, state: key } = body.0;
    let browser = cookies::named(&headers, COOKIE_NAME);
    let person = oidc.finish(&key, code, browser).await.map_err(|failed| match failed {
        Failed::Unknown => {
            let msg = "This log-in took too long, was used, or was begun in another browser. Begin it again on the log-in page.";
            ApiError::new(StatusCode::BAD_REQUEST, "provider_login_over", msg)
        }
        Failed::Away => away(),
        Failed::Refused => {
            let msg = "Your organization's log-in service did not confirm who you are. Try again; if that does not help, ask the \
                 operator of this server.";
            ApiError::new(StatusCode::UNAUTHORIZED, "provider_login_refused", msg)
        }
    })?;
    let account = oidc::enter(&state, &oidc, &person).await?;
    session(&state, (&account).into(), LoginKind::Provider, &client, &device).await
}

fn provider(app: &App) -> Result<Arc<Oidc>, ApiError> {
    app.oidc.clone().ok_or_else(|| ApiError::not_found("log-in service"))
}

fn away() -> ApiError {
    let msg = "Your organization's log-in service does not answer right now. Try again in a moment.";
    ApiError::new(StatusCode::SERVICE_UNAVAILABLE, "provider_away", msg).retry_after(5)
}
