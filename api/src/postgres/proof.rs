//! A login by SCRAM-SHA-256: the client proves that it knows the password, and never sends it.

use std::io;

use super::login::Login;
use super::opening::{Incoming, Outgoing, soon};
use super::send;
use super::wire::{Answers, Fault};
use crate::app::App;
use crate::auth::scram::{self, Exchange, Malformed, Verifier};
use crate::auth::sessions::LoginKind;
use crate::auth::throttle::Pass;
use crate::auth::token::random_key;
use crate::auth::{accounts, login};
use crate::http::{ApiError, Client};

/// The same for a wrong password, an unknown user, and an account that has nothing to prove the password with: what differed
/// would say which users there are.
const REFUSED: &str = "Wrong user name or password. An account that was made before this version of Quarry logs \
    in on the web once first; an API key is taken only with the setting postgres_cleartext.";

/// Opens a session for a user who proves the password; `None` when the client goes.
pub async fn log_in(
    app: &App,
    reader: &mut Incoming,
    writer: &mut Outgoing,
    answers: &mut Answers,
    user_name: &str,
    client: Client,
) -> io::Result<Option<Result<Login, Fault>>> {
    if let Err(refused) = login::refuse_passwords(app) {
        return Ok(Some(Err(refused.into())));
    }
    answers.ask_proof();
    send(writer, answers).await?;
    let Some(first) = soon(reader.first_of_proof()).await? else { return Ok(None) };
    // From here on it counts as a try, and others on this name from this address wait.
    let attempt = match app.auth.throttle.begin(user_name, client.address, Pass::None).await {
        Ok(attempt) => attempt,
        Err(wait) => return Ok(Some(Err(login::slowed(wait).into()))),
    };
    let (account, verifier) = match known(app, user_name).await {
        Ok(found) => found,
        Err(error) => return Ok(Some(Err(error.into()))),
    };
    let (exchange, answer) = match Exchange::begin(&first, verifier, &random_key()) {
        Ok(begun) => begun,
        Err(malformed) => return Ok(Some(Err(of_malformed(&malformed)))),
    };
    answers.go_on(&answer);
    send(writer, answers).await?;
    let Some(last) = soon(reader.secret()).await? else { return Ok(None) };
    let proven = match exchange.finish(&last) {
        Ok(proven) => proven,
        Err(malformed) => return Ok(Some(Err(of_malformed(&malformed)))),
    };
    let (Some(signature), Some(account)) = (proven, account) else {
        attempt.wrong();
        tracing::warn!(address = %client.address, "a login was refused");
        return Ok(Some(Err(Fault::fatal("28P01", REFUSED))));
    };
    attempt.right().await;
    if account.disabled {
        return Ok(Some(Err(login::disabled().into())));
    }
    if let Err(refused) = login::refuse_without_code(app, &account).await {
        return Ok(Some(Err(refused.into())));
    }
    answers.proven(&signature);
    Ok(Some(Login::of_account(app, &account, LoginKind::Password, client).await.map_err(Fault::from)))
}

/// The account, and what its password is checked with; one that no password fits where there is none.
async fn known(app: &App, user_name: &str) -> Result<(Option<accounts::Account>, Verifier), ApiError> {
    let account = accounts::find(&app.db, user_name).await?;
    let kept = match &account {
        Some(account) => scram::find(&app.db, account.into()).await.map_err(ApiError::internal)?,
        None => None,
    };
    let verifier = kept.unwrap_or_else(|| Verifier::mock(app.auth.tokens.mock_secret(), user_name));
    Ok((account, verifier))
}

fn of_malformed(malformed: &Malformed) -> Fault {
    Fault::fatal("08P01", format!("The proof of the password can't be read: {}.", malformed.0))
}
