//! The account that somebody whom the provider named gets into, and the role they have there.

use axum::http::StatusCode;

use super::provider::Person;
use super::{Oidc, identities, names};
use crate::app::App;
use crate::auth::accounts::{self, Account, ChangeError, CreateError, NewAccount};
use crate::auth::token::random_key;
use crate::auth::{ROLE_DEFAULT, login, rights, rules};
use crate::http::ApiError;

/// How many names of the same kind are tried for a new account.
const NAMES: u32 = 1_000;

/// The account of a person, with the role that the provider gives; made or linked at their first log-in, as far as the settings
/// allow it.
pub async fn enter(app: &App, oidc: &Oidc, person: &Person) -> Result<Account, ApiError> {
    let role = role(app, oidc, person).await?;
    let account = match identities::find(&app.db, person).await? {
        Some(account) => account,
        None => match link(app, oidc, person).await? {
            Some(account) => account,
            None => make(app, oidc, person, role.as_deref()).await?,
        },
    };
    if account.disabled {
        return Err(login::disabled());
    }
    let Some(role) = role.filter(|role| *role != account.role) else { return Ok(account) };
    accounts::set_role(&app.db, account.id, &role).await.map_err(|error| match error {
        ChangeError::Unknown => ApiError::not_found("account"),
        ChangeError::LastAdmin => last_admin(),
        ChangeError::Database(error) => error.into(),
    })?;
    tracing::info!(user = account.id, before = account.role, role, "the provider gave an account another role");
    // What its sockets follow was allowed to the former role; browsers open new ones.
    app.hub.end_all(account.id);
    Ok(Account { role, ..account })
}

/// The role that the provider gives; `None` where roles are given here.
async fn role(app: &App, oidc: &Oidc, person: &Person) -> Result<Option<String>, ApiError> {
    if oidc.options.role_claim.is_none() {
        return Ok(None);
    }
    for role in oidc.options.roles.roles_for(&person.roles) {
        if rights::role_exists(&app.db, role).await? {
            return Ok(Some(role.to_string()));
        }
        tracing::warn!(role, "the setting oidc_roles names a role that does not exist");
    }
    Ok(Some(ROLE_DEFAULT.to_string()))
}

/// The account that was registered with the person's email address, from now on theirs.
async fn link(app: &App, oidc: &Oidc, person: &Person) -> Result<Option<Account>, ApiError> {
    let Some(email) = person.email.as_deref().filter(|_| oidc.options.link_email) else { return Ok(None) };
    let Some(account) = accounts::find_by_contact(&app.db, &rules::contact(email)).await? else { return Ok(None) };
    if account.disabled {
        return Err(login::disabled());
    }
    let password_hash = unknown_password(app).await?;
    if !identities::link(&app.db, person, account.id, &password_hash).await? {
        return Ok(None);
    }
    tracing::info!(user = account.id, "an account was linked to the provider by its email address");
    app.hub.end_all(account.id);
    app.keys.forget_all(account.id);
    Ok(accounts::by_id(&app.db, account.id).await?)
}

async fn make(app: &App, oidc: &Oidc, person: &Person, role: Option<&str>) -> Result<Account, ApiError> {
    if !oidc.options.create_accounts {
        let msg = "You have no account on this server yet. Ask its operator for one.";
        return Err(ApiError::new(StatusCode::FORBIDDEN, "no_account", msg));
    }
    let password_hash = unknown_password(app).await?;
    let name = names::made_of(person.names.iter().map(String::as_str));
    for number in 1..=NAMES {
        let numbered = if number == 1 { name.clone() } else { names::numbered(&name, number) };
        // Its email address is not kept: a code sent there would open the account past the provider.
        let new = NewAccount {
            user_name: &numbered,
            password_hash: &password_hash,
            role: role.unwrap_or(ROLE_DEFAULT),
            email: None,
            phone: None,
        };
        let id = match identities::create(&app.db, &new, person).await {
            Ok(id) => Some(id),
            Err(CreateError::Taken(_)) => None,
            Err(CreateError::Database(error)) => return Err(error.into()),
        };
        // Another request of the same person may have made it.
        if let Some(account) = identities::find(&app.db, person).await? {
            if let Some(user) = id {
                tracing::info!(user, "an account was made for somebody whom the provider named");
            }
            return Ok(account);
        }
    }
    let msg = "No free user name could be found for you. Ask the operator of this server for an account.";
    Err(ApiError::new(StatusCode::CONFLICT, "no_free_user_name", msg))
}

/// What is kept as the password of an account that is opened by the provider alone.
async fn unknown_password(app: &App) -> Result<String, ApiError> {
    app.auth.passwords.hash(&random_key()).await.map_err(ApiError::internal)
}

fn last_admin() -> ApiError {
    let msg = "Your organization no longer makes you an administrator here, but this server has no other one. Its operator has to \
         name another administrator before you can log in.";
    ApiError::new(StatusCode::FORBIDDEN, "last_admin_at_provider", msg)
}
