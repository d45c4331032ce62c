//! The home folder: made when it is missing, checked before it is used, and served by one process at a time.

use std::fs::{self, File, OpenOptions};
use std::path::{Path, PathBuf};

use super::{CliError, private};
use crate::config::Settings;
use crate::db::{Db, sqlite_url};
use crate::space::is_full;

const SERVE_LOCK: &str = "serve.lock";
const DATABASE: &str = "platform.db";

/// A home that can be used.
#[derive(Debug)]
pub struct Home {
    dir: PathBuf,
}

impl Home {
    /// Makes the folder when it is missing and tries that it can be written to.
    pub fn open(dir: &Path) -> Result<Home, CliError> {
        let bad = |why: &str| CliError::Failed(format!("The home {} can't be used: {why}.", dir.display()));
        if dir.exists() && !dir.is_dir() {
            return Err(bad("it is a file, not a folder"));
        }
        fs::create_dir_all(dir).map_err(|error| bad(&error.to_string()))?;
        let dir = dir.canonicalize().map_err(|error| bad(&error.to_string()))?;
        let home = Home { dir };
        match tempfile::tempfile_in(&home.dir) {
            Err(error) if !is_full(&error) => return Err(bad(&format!("it can't be written to ({error})"))),
            // What a full disk holds can still be read.
            _ => {}
        }
        private::tighten(&home.dir).map_err(|error| bad(&error.to_string()))?;
        Ok(home)
    }

    pub fn dir(&self) -> &Path {
        &self.dir
    }

    /// Keeps other servers away from this home as long as the answer lives.
    pub fn lock(&self) -> Result<File, CliError> {
        let path = self.dir.join(SERVE_LOCK);
        let file = OpenOptions::new().create(true).truncate(false).write(true).open(&path)?;
        match file.try_lock() {
            Ok(()) => Ok(file),
            Err(fs::TryLockError::WouldBlock) => {
                let message = format!("The home {} is already served by another quarry.", self.dir.display());
                Err(CliError::Failed(message))
            }
            Err(fs::TryLockError::Error(error)) => Err(error.into()),
        }
    }

    /// The platform database of the settings, or the SQLite file of this home.
    pub async fn database(&self, settings: &Settings) -> Result<Db, CliError> {
        Db::open(&self.database_url(settings)).await.map_err(|error| unopened(&error))
    }

    /// The same for a server.
    pub async fn database_to_serve(&self, settings: &Settings) -> Result<Db, CliError> {
        Db::open_to_serve(&self.database_url(settings)).await.map_err(|error| unopened(&error))
    }

    fn database_url(&self, settings: &Settings) -> String {
        let url = settings.database_url.0.as_ref().map(|url| url.0.clone());
        url.unwrap_or_else(|| sqlite_url(&self.dir.join(DATABASE)))
    }
}

fn unopened(error: &sqlx::Error) -> CliError {
    CliError::Failed(format!("The platform database can't be opened: {error}."))
}
