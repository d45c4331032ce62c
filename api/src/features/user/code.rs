//! Calls that send codes to email addresses and phone numbers.

use std::net::IpAddr;

use axum::extract::State;
use axum::http::StatusCode;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::model::{CodeChannels, CodePurpose, LoginCode, MailCode, PhoneCode};
use super::routes::refused;
use crate::app::App;
use crate::auth::codes::{self, Purpose};
use crate::auth::{accounts, rules};
use crate::http::error::{NO_CODE_BY_MAIL, NO_CODE_BY_PHONE};
use crate::http::{Answer, ApiError, ClientAddress, Failure, Json, Reply, Success};
use crate::sending::{Channel, Message};

pub fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(channels))
        .routes(routes!(by_mail))
        .routes(routes!(by_phone))
        .routes(routes!(to_owner))
}

/// Where codes can be sent; without a code, registering needs none.
#[utoipa::path(get, path = "/api/user/code/channels", tag = "user", operation_id = "codeChannels",
    responses((status = 200, body = Success<CodeChannels>), (status = "default", body = Failure)))]
async fn channels(state: State<App>) -> Answer<CodeChannels> {
    Ok(Reply(CodeChannels { email: state.sender.can(Channel::Mail), phone: state.sender.can(Channel::Text) }))
}

/// Sends a code to an email address; it works once, within ten minutes.
#[utoipa::path(post, path = "/api/user/code/email", tag = "user", operation_id = "mailCode", request_body = MailCode,
    responses((status = 200, body = Success<bool>), (status = "default", body = Failure)))]
async fn by_mail(state: State<App>, address: ClientAddress, body: Json<MailCode>) -> Answer<bool> {
    let target = body.0.email.trim();
    if !rules::email(target) {
        return Err(unsent(Channel::Mail));
    }
    send(&state, address.0, Channel::Mail, &rules::contact(target), body.0.purpose).await
}

/// Sends a code to a phone number; it works once, within ten minutes.
#[utoipa::path(post, path = "/api/user/code/phone", tag = "user", operation_id = "phoneCode", request_body = PhoneCode,
    responses((status = 200, body = Success<bool>), (status = "default", body = Failure)))]
async fn by_phone(state: State<App>, address: ClientAddress, body: Json<PhoneCode>) -> Answer<bool> {
    let target = body.0.phone.trim();
    if !rules::phone(target) {
        return Err(unsent(Channel::Text));
    }
    send(&state, address.0, Channel::Text, &rules::contact(target), body.0.purpose).await
}

/// Sends a code to the owner of an account, by mail or else by text message: with it they log in while others guess at the
/// account. Where the account has neither, or does not exist, nothing is sent, and the answer is the same.
#[utoipa::path(post, path = "/api/user/code/login", tag = "user", operation_id = "loginCode", request_body = LoginCode,
    responses((status = 200, body = Success<bool>), (status = "default", body = Failure)))]
async fn to_owner(state: State<App>, address: ClientAddress, body: Json<LoginCode>) -> Answer<bool> {
    let (app, user_name) = (state.0, body.0.user_name);
    if !app.sender.can(Channel::Mail) && !app.sender.can(Channel::Text) {
        return Err(unsent(Channel::Mail));
    }
    if !rules::user_name(&user_name) {
        return Err(ApiError::invalid("userName", "This is not a user name."));
    }
    let target = codes::login_target(&user_name);
    app.limits.codes.take(address.0.into()).map_err(ApiError::too_many)?;
    app.limits.codes_of.take((address.0.into(), target.clone())).map_err(ApiError::too_many)?;
    app.clone().tasks.spawn(async move {
        if let Err(error) = send_to_owner(&app, &user_name, &target).await {
            error.log();
        }
    });
    Ok(Reply(true))
}

async fn send_to_owner(app: &App, user_name: &str, target: &str) -> Result<(), ApiError> {
    // Made for names without an account too, though never sent, so that trying a code takes as long for them.
    let Some(code) = codes::make(&app.db, target, Purpose::Login).await? else { return Ok(()) };
    let (email, phone) = accounts::contacts(&app.db, user_name).await?;
    let to = match (email, phone) {
        (Some(email), _) if app.sender.can(Channel::Mail) => Some((Channel::Mail, email)),
        (_, Some(phone)) if app.sender.can(Channel::Text) => Some((Channel::Text, phone)),
        _ => None,
    };
    if let Some((channel, to)) = to {
        // The record of sent messages says when this fails.
        let _ = deliver(app, channel, &to, &code).await;
    }
    Ok(())
}

/// A code for a forgotten password is sent after the answer, and only where an account has the address: whoever asks
/// learns neither from the answer nor from its time whether there is one.
async fn send(app: &App, from: IpAddr, channel: Channel, target: &str, purpose: CodePurpose) -> Answer<bool> {
    if !app.sender.can(channel) {
        return Err(unsent(channel));
    }
    app.limits.codes.take(from.into()).map_err(ApiError::too_many)?;
    app.limits.codes_of.take((from.into(), target.to_string())).map_err(ApiError::too_many)?;
    match purpose {
        CodePurpose::Register => {
            let code = codes::make(&app.db, target, Purpose::Register).await?;
            let code = code.ok_or_else(|| {
                let msg = "A code was sent a moment ago. Please wait a minute before you ask for another one.";
                ApiError::new(StatusCode::TOO_MANY_REQUESTS, "too_many_codes", msg).retry_after(60)
            })?;
            deliver(app, channel, target, &code).await.map_err(|_| unsent(channel))?;
        }
        CodePurpose::Reset => {
            let (app, target) = (app.clone(), target.to_string());
            app.clone().tasks.spawn(async move {
                if let Err(error) = send_reset(&app, channel, &target).await {
                    error.log();
                }
            });
        }
    }
    Ok(Reply(true))
}

async fn send_reset(app: &App, channel: Channel, target: &str) -> Result<(), ApiError> {
    // Made for strangers too, though never sent, so that trying a code takes as long for them.
    let code = codes::make(&app.db, target, Purpose::Reset).await?;
    let known = accounts::find_by_contact(&app.db, target).await?.is_some();
    if let Some(code) = code.filter(|_| known) {
        // The record of sent messages says when this fails.
        let _ = deliver(app, channel, target, &code).await;
    }
    Ok(())
}

async fn deliver(app: &App, channel: Channel, target: &str, code: &str) -> Result<(), crate::sending::NotSent> {
    let text = |code: &str| {
        format!(
            "{code} is your Quarry code. It works once, within 10 minutes.\n{code} 是您的 Quarry 验证码，10 分钟内有效，仅可使用一次。"
        )
    };
    let (content, kept) = (text(code), text("······"));
    app.sender.send(channel, &Message { target, subject: "Quarry code / 验证码", content: &content, kept: &kept }).await
}

fn unsent(channel: Channel) -> ApiError {
    let (code, msg, param) = match channel {
        Channel::Mail => ("code_not_sent_by_mail", NO_CODE_BY_MAIL, "email"),
        Channel::Text => ("code_not_sent_by_phone", NO_CODE_BY_PHONE, "phone"),
    };
    ApiError::new(StatusCode::BAD_REQUEST, code, msg).param(param)
}

/// Whether whoever registers has shown the address or number to be theirs, where a code could be sent there.
pub(super) async fn proven(
    app: &App,
    from: IpAddr,
    email: Option<&str>,
    phone: Option<&str>,
    code: Option<&str>,
) -> Result<(), ApiError> {
    let target = match (email, phone) {
        (Some(email), _) if app.sender.can(Channel::Mail) => email,
        (_, Some(phone)) if app.sender.can(Channel::Text) => phone,
        _ => return Ok(()),
    };
    let wrong = |detail| Err(refused(StatusCode::BAD_REQUEST, "wrong_code", "code", detail));
    let Some(code) = code.filter(|code| !code.trim().is_empty()) else {
        return wrong("The code that was sent to you is required.");
    };
    if redeemed(app, from, target, Purpose::Register, code).await? {
        return Ok(());
    }
    wrong("The code is wrong, was used, or is older than ten minutes.")
}

/// Whether the code is right; whoever tries too many is refused.
pub(super) async fn redeemed(
    app: &App,
    from: IpAddr,
    target: &str,
    purpose: Purpose,
    code: &str,
) -> Result<bool, ApiError> {
    app.limits.code_tries.take(from.into()).map_err(ApiError::too_many)?;
    app.limits.code_tries_of.take((from.into(), target.to_string())).map_err(ApiError::too_many)?;
    Ok(codes::redeem(&app.db, target, purpose, code).await?)
}
