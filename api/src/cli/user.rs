//! `quarry user`: makes or resets accounts, invites people, and turns off second factors.

use std::io::{BufRead, stdin};

use clap::{Subcommand, ValueEnum};

use super::CliError;
use super::home::Home;
use crate::auth::accounts::{self, CreateError, NewAccount};
use crate::auth::invitations::NewInvitation;
use crate::auth::password::Passwords;
use crate::auth::token::random_password;
use crate::auth::{ROLE_ADMIN, ROLE_DEFAULT, invitations, rules, scram, second_factor};
use crate::config::Settings;
use crate::db::Db;

#[derive(Debug, Subcommand)]
pub enum Words {
    /// Make an account, or give an existing one another password and role and end its sessions.
    Add {
        /// 1 to 16 lower-case letters, digits or underscores.
        name: String,
        #[arg(long, value_enum, default_value_t = Role::Default)]
        role: Role,
        /// Read the password from the first line of stdin; without it one is made at random and printed.
        #[arg(long)]
        password_stdin: bool,
    },
    /// Make codes that let somebody register where the setting `registration` is `invitation`; each makes one account.
    Invite {
        /// How many codes.
        #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=1000))]
        count: u32,
        /// For how many days they work.
        #[arg(long, default_value_t = invitations::DAYS, value_parser = clap::value_parser!(u32).range(1..=i64::from(invitations::MOST_DAYS)))]
        days: u32,
        /// The only email address that somebody can register with; without it the code works with any, or none.
        #[arg(long, conflicts_with = "count")]
        email: Option<String>,
    },
    /// Turn off the second factor of an account whose owner has lost it.
    SecondFactorOff {
        /// The user name.
        name: String,
    },
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Role {
    #[value(name = ROLE_DEFAULT)]
    Default,
    #[value(name = ROLE_ADMIN)]
    Admin,
}

impl Role {
    fn name(self) -> &'static str {
        match self {
            Role::Default => ROLE_DEFAULT,
            Role::Admin => ROLE_ADMIN,
        }
    }
}

pub async fn run(settings: Settings, words: Words) -> Result<(), CliError> {
    match words {
        Words::Add { name, role, password_stdin } => add(&settings, &name, role, password_stdin).await,
        Words::Invite { count, days, email } => invite(&settings, count, days, email.as_deref()).await,
        Words::SecondFactorOff { name } => second_factor_off(&settings, &name).await,
    }
}

async fn add(settings: &Settings, name: &str, role: Role, password_stdin: bool) -> Result<(), CliError> {
    if !rules::user_name(name) {
        return Err(CliError::Usage("A user name has 1 to 16 lower-case letters, digits or underscores.".to_string()));
    }
    let given = if password_stdin { Some(read_password()?) } else { None };
    let home = Home::open(&settings.home)?;
    let db = home.database(settings).await?;
    let password = given.clone().unwrap_or_else(random_password);
    let known = put(&db, name, &password, role.name()).await?;
    db.close().await;
    println!("The account {name} was {}.", if known { "reset" } else { "made" });
    if given.is_none() {
        println!("Its password is {password}");
    }
    Ok(())
}

async fn invite(settings: &Settings, count: u32, days: u32, email: Option<&str>) -> Result<(), CliError> {
    let email = email.map(rules::contact);
    if email.as_deref().is_some_and(|email| !rules::email(email)) {
        return Err(CliError::Usage("This is not an email address.".to_string()));
    }
    let failed = |error| CliError::Failed(format!("The invitations can't be written: {error}."));
    let db = Home::open(&settings.home)?.database(settings).await?;
    let new = NewInvitation { created_by: None, email: email.as_deref(), expires_at: invitations::after_days(days) };
    for _ in 0..count {
        println!("{}", invitations::make(&db, &new).await.map_err(failed)?.code);
    }
    db.close().await;
    Ok(())
}

async fn second_factor_off(settings: &Settings, name: &str) -> Result<(), CliError> {
    let failed = |error| CliError::Failed(format!("The account can't be changed: {error}."));
    let db = Home::open(&settings.home)?.database(settings).await?;
    let account = accounts::find(&db, name).await.map_err(failed)?;
    let account = account.ok_or_else(|| CliError::Usage(format!("There is no account {name}.")))?;
    let removed = second_factor::remove(&db, account.id).await.map_err(failed)?;
    db.close().await;
    match removed {
        true => println!("The second factor of {name} is off."),
        false => println!("The account {name} has no second factor."),
    }
    Ok(())
}

fn read_password() -> Result<String, CliError> {
    let mut line = String::new();
    stdin().lock().read_line(&mut line)?;
    let password = line.trim_end_matches(['\r', '\n']).to_string();
    if rules::password(&password) {
        Ok(password)
    } else {
        Err(CliError::Usage("A password has 6 to 20 characters.".to_string()))
    }
}

/// Makes or resets the account; answers whether it was there before.
async fn put(db: &Db, name: &str, password: &str, role: &str) -> Result<bool, CliError> {
    let known = write(db, name, password, role).await?;
    if let Ok(Some(account)) = accounts::find(db, name).await {
        scram::keep_missing(db, (&account).into(), password).await;
    }
    Ok(known)
}

async fn write(db: &Db, name: &str, password: &str, role: &str) -> Result<bool, CliError> {
    let failed = |error: &dyn std::fmt::Display| CliError::Failed(format!("The account can't be written: {error}."));
    let passwords = Passwords::new().await.map_err(|error| failed(&error))?;
    let password_hash = passwords.hash(password).await.map_err(|error| failed(&error))?;
    if accounts::find(db, name).await.map_err(|error| failed(&error))?.is_some() {
        accounts::reset(db, name, &password_hash, role).await.map_err(|error| failed(&error))?;
        return Ok(true);
    }
    let account = NewAccount { user_name: name, password_hash: &password_hash, role, email: None, phone: None };
    match accounts::create(db, &account).await {
        Ok(_) => Ok(false),
        Err(CreateError::Taken(_)) => Err(failed(&"another process just made it")),
        Err(CreateError::Database(error)) => Err(failed(&error)),
    }
}
