//! The home folder: made when it is missing, checked before it is used, and served by one process at a time.

use std::fs::{self, File, OpenOptions};
use std::path::{Path, PathBuf};

use super::{CliError, private};
use crate::config::Settings;
use crate::db::integrity::{self, State};
use crate::db::{Db, Outage, sqlite_url};
use crate::space::is_full;

const SERVE_LOCK: &str = "serve.lock";
const DATABASE: &str = "platform.db";
/// Only a server writes it: from then on an empty platform database means that one was lost. `quarry sample` and `quarry
/// ingest` make a home with a lake and without a database.
const SERVED: &str = "home.id";
/// The secret that the first server of a home makes when its settings have none.
const FIRST_SECRET: &str = "keys/jwt.secret";

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
        let url = self.checked_url(settings, false).await?;
        Db::open(&url).await.map_err(|error| unopened(&url, &error))
    }

    /// The same to restore a backup into: there may be none yet.
    pub async fn database_to_restore(&self, settings: &Settings) -> Result<Db, CliError> {
        let url = self.checked_url(settings, true).await?;
        Db::open(&url).await.map_err(|error| unopened(&url, &error))
    }

    /// The same for a server. `new`: an empty one may take the place of one that is lost.
    pub async fn database_to_serve(&self, settings: &Settings, new: bool) -> Result<Db, CliError> {
        // Asked first: whoever opens and closes the database takes the sign away.
        let left_open = integrity::was_left_open(&self.database_url(settings));
        let url = self.checked_url(settings, new).await?;
        if left_open {
            tracing::info!("the platform database was not closed and is checked");
            if let Some(trouble) = integrity::check_file(&url).await.map_err(|error| unopened(&url, &error))? {
                return Err(damaged(&url, &trouble));
            }
        }
        Db::open_to_serve(&url).await.map_err(|error| unopened(&url, &error))
    }

    /// Address of a database that can be opened, and is not empty where a server has had one; unless it may be `new`.
    async fn checked_url(&self, settings: &Settings, new: bool) -> Result<String, CliError> {
        let url = self.database_url(settings);
        let state = integrity::state(&url).await.map_err(|error| unopened(&url, &error))?;
        // Servers of older versions left only their secret.
        let was_served = [SERVED, FIRST_SECRET].iter().any(|file| self.dir.join(file).exists());
        if new || !was_served || state == State::Filled {
            return Ok(url);
        }
        let (home, place) = (self.dir.display(), display_place(&url));
        Err(CliError::Failed(format!(
            "The home {home} was served before, but its platform database is gone: {place} is missing or empty. Put it back, \
             or restore a backup with `quarry restore FILE`. To begin again without the accounts and all they made, start \
             with `quarry serve --new-database`."
        )))
    }

    fn database_url(&self, settings: &Settings) -> String {
        let url = settings.database_url.0.as_ref().map(|url| url.0.clone());
        url.unwrap_or_else(|| sqlite_url(&self.dir.join(DATABASE)))
    }
}

fn unopened(url: &str, error: &sqlx::Error) -> CliError {
    if integrity::is_damage(error) {
        return damaged(url, &error.to_string());
    }
    if Outage::of(error) == Some(Outage::Full) {
        return CliError::Failed(
            "The platform database can't be opened: there is no space left on its disk.".to_string(),
        );
    }
    CliError::Failed(format!("The platform database can't be opened: {error}."))
}

fn damaged(url: &str, trouble: &str) -> CliError {
    let place = display_place(url);
    CliError::Failed(format!(
        "The platform database is damaged: {place} ({trouble}). Move it away with its -wal and -shm files, then restore a \
         backup with `quarry restore FILE`, or begin without accounts with `quarry serve --new-database`."
    ))
}

/// The place of a database without what an address may hold of secrets.
fn display_place(url: &str) -> String {
    let file = integrity::sqlite_file(url).map(|file| file.display().to_string());
    file.unwrap_or_else(|| "the database on PostgreSQL".to_string())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::{DatabaseUrl, Optional};

    fn settings(home: &Path) -> Settings {
        let mut settings = crate::config::defaults();
        settings.home = home.to_path_buf();
        settings.database_url = Optional(None::<DatabaseUrl>);
        settings
    }

    fn refused(result: Result<Db, CliError>) -> String {
        match result {
            Err(CliError::Failed(message)) => message,
            other => panic!("{other:?}"),
        }
    }

    #[tokio::test]
    async fn a_lost_database_is_not_replaced_without_a_word() {
        let dir = tempfile::tempdir().unwrap();
        let home = Home::open(dir.path()).unwrap();
        let settings = settings(dir.path());
        // A lake alone is no sign of a database.
        fs::create_dir(dir.path().join("lake")).unwrap();
        home.database_to_serve(&settings, false).await.unwrap().close().await;
        fs::write(dir.path().join(SERVED), "an id").unwrap();
        home.database_to_serve(&settings, false).await.unwrap().close().await;
        let file = home.dir().join(DATABASE);
        for lost in [|file: &Path| fs::remove_file(file).unwrap(), |file: &Path| fs::write(file, "").unwrap()] {
            lost(&file);
            for message in
                [refused(home.database_to_serve(&settings, false).await), refused(home.database(&settings).await)]
            {
                assert!(message.contains("platform database is gone"), "{message}");
                assert!(message.contains("quarry restore") && message.contains("--new-database"), "{message}");
            }
            assert!(fs::metadata(&file).map_or(0, |found| found.len()) == 0, "nothing was made");
        }
        home.database_to_restore(&settings).await.unwrap().close().await;
        home.database_to_serve(&settings, false).await.unwrap().close().await;
        fs::remove_file(&file).unwrap();
        home.database_to_serve(&settings, true).await.unwrap().close().await;
    }

    #[tokio::test]
    async fn a_home_of_an_older_version_is_known_by_its_secret() {
        let dir = tempfile::tempdir().unwrap();
        let home = Home::open(dir.path()).unwrap();
        fs::create_dir(dir.path().join("keys")).unwrap();
        fs::write(dir.path().join(FIRST_SECRET), "x").unwrap();
        assert!(refused(home.database_to_serve(&settings(dir.path()), false).await).contains("is gone"));
    }

    #[tokio::test]
    async fn a_damaged_database_is_refused_after_a_crash() {
        let dir = tempfile::tempdir().unwrap();
        let home = Home::open(dir.path()).unwrap();
        let settings = settings(dir.path());
        home.database_to_serve(&settings, false).await.unwrap().close().await;
        let file = home.dir().join(DATABASE);
        let whole = fs::read(&file).unwrap();
        let url = home.database_url(&settings);
        // A page that is not met where the file is opened and the list of its tables is read.
        let mut hidden = false;
        for page in (1..whole.len() / 4096).rev() {
            let mut changed = whole.clone();
            changed[page * 4096..][..4096].fill(0xa5);
            fs::write(&file, &changed).unwrap();
            hidden = matches!(integrity::state(&url).await, Ok(State::Filled))
                && integrity::check_file(&url).await.unwrap().is_some();
            if hidden {
                break;
            }
        }
        assert!(hidden);
        // As a server leaves it that was killed.
        fs::write(home.dir().join(format!("{DATABASE}-wal")), [0; 32]).unwrap();
        let message = refused(home.database_to_serve(&settings, false).await);
        assert!(message.contains("is damaged") && message.contains("quarry restore"), "{message}");
        // One that can't be opened at all is damaged also after an orderly end.
        fs::write(&file, "this is no database at all, but long enough to be taken for one").unwrap();
        let message = refused(home.database_to_serve(&settings, false).await);
        assert!(message.contains("is damaged"), "{message}");
        let _ = fs::remove_file(home.dir().join(format!("{DATABASE}-wal")));
        fs::write(&file, &whole).unwrap();
        home.database_to_serve(&settings, false).await.unwrap().close().await;
    }
}
