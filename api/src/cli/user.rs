//! `quarry user`: makes or resets accounts.

use std::io::{BufRead, stdin};

use clap::{Subcommand, ValueEnum};

use super::CliError;
use super::home::Home;
use crate::auth::accounts::{self, CreateError, NewAccount};
use crate::auth::password::Passwords;
use crate::auth::token::random_password;
use crate::auth::{ROLE_ADMIN, ROLE_DEFAULT, rules, scram};
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
    let Words::Add { name, role, password_stdin } = words;
    if !rules::user_name(&name) {
        return Err(CliError::Usage("A user name has 1 to 16 lower-case letters, digits or underscores.".to_string()));
    }
    let given = if password_stdin { Some(read_password()?) } else { None };
    let home = Home::open(&settings.home)?;
    let db = home.database(&settings).await?;
    let password = given.clone().unwrap_or_else(random_password);
    let known = put(&db, &name, &password, role.name()).await?;
    db.close().await;
    println!("The account {name} was {}.", if known { "reset" } else { "made" });
    if given.is_none() {
        println!("Its password is {password}");
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
