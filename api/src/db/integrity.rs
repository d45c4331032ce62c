//! Whether a platform database is there and sound: a damaged one is named, and a lost one is never replaced by an empty one
//! without a word.

use std::path::PathBuf;
use std::str::FromStr;

use sqlx::any::AnyPoolOptions;
use sqlx::sqlite::SqliteConnectOptions;
use sqlx::{Connection, SqliteConnection};

use super::{Db, is_sqlite};

/// A SQLite file beyond so many bytes is checked without comparing its indexes with its tables, which reads it many times.
const LARGE: i64 = 1 << 30;
/// `SQLITE_CORRUPT` and `SQLITE_NOTADB`, without what SQLite adds in the upper bits.
const DAMAGE: [i32; 2] = [11, 26];

/// What is at the address of a database.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum State {
    /// No file, or no tables of Quarry.
    Empty,
    /// Quarry's tables.
    Filled,
}

/// Looks at a database without changing it.
///
/// # Errors
/// It can't be reached or read.
pub async fn state(url: &str) -> Result<State, sqlx::Error> {
    sqlx::any::install_default_drivers();
    let filled: i64 = if let Some(file) = sqlite_file(url) {
        if std::fs::metadata(&file).map_or(0, |found| found.len()) == 0 {
            return Ok(State::Empty);
        }
        let options = SqliteConnectOptions::new().filename(file);
        let mut connection = SqliteConnection::connect_with(&options).await?;
        let found = sqlx::query_scalar("select count(*) from sqlite_master where name = '_sqlx_migrations'")
            .fetch_one(&mut connection)
            .await?;
        connection.close().await?;
        found
    } else {
        // A pool waits for a server that is just being started.
        let pool = AnyPoolOptions::new().max_connections(1).acquire_timeout(super::PATIENCE).connect(url).await?;
        let found = sqlx::query_scalar(
            "select count(*) from information_schema.tables
             where table_schema = current_schema() and table_name = '_sqlx_migrations'",
        )
        .fetch_one(&pool)
        .await?;
        pool.close().await;
        found
    };
    Ok(if filled > 0 { State::Filled } else { State::Empty })
}

/// Whether the program that used a SQLite file last did not close it: its log is left beside it.
pub fn was_left_open(url: &str) -> bool {
    let log = sqlite_file(url).map(|file| {
        let mut log = file.into_os_string();
        log.push("-wal");
        log
    });
    log.is_some_and(|log| std::fs::metadata(log).is_ok_and(|found| found.len() > 0))
}

/// Checks a SQLite file before it is used; what is wrong with it, if anything is.
///
/// # Errors
/// It can't be read for another reason than damage.
pub async fn check_file(url: &str) -> Result<Option<String>, sqlx::Error> {
    let Some(file) = sqlite_file(url) else { return Ok(None) };
    let options = SqliteConnectOptions::new().filename(file).read_only(false);
    let found = async {
        let mut connection = SqliteConnection::connect_with(&options).await?;
        let pages: i64 = sqlx::query_scalar("pragma page_count").fetch_one(&mut connection).await?;
        let size: i64 = sqlx::query_scalar("pragma page_size").fetch_one(&mut connection).await?;
        let said: Vec<String> =
            sqlx::query_scalar(statement(pages.saturating_mul(size))).fetch_all(&mut connection).await?;
        connection.close().await?;
        Ok(trouble(&said))
    };
    damage_as_trouble(found.await)
}

/// The file of a SQLite address; `None` of another.
pub fn sqlite_file(url: &str) -> Option<PathBuf> {
    let options = url.starts_with("sqlite:").then(|| SqliteConnectOptions::from_str(url).ok())??;
    Some(options.get_filename().to_path_buf())
}

fn statement(bytes: i64) -> &'static str {
    if bytes > LARGE { "pragma quick_check(1)" } else { "pragma integrity_check(1)" }
}

fn trouble(said: &[String]) -> Option<String> {
    (said != ["ok"]).then(|| said.join("; "))
}

fn damage_as_trouble(found: Result<Option<String>, sqlx::Error>) -> Result<Option<String>, sqlx::Error> {
    match found {
        Err(error) if is_damage(&error) => Ok(Some(error.to_string())),
        other => other,
    }
}

/// Whether an error says that the database itself is damaged.
pub fn is_damage(error: &sqlx::Error) -> bool {
    let code = error.as_database_error().and_then(|error| error.code()?.parse::<i32>().ok());
    code.is_some_and(|code| DAMAGE.contains(&(code & 0xff)))
}

impl Db {
    /// Checks a SQLite database in use; what is wrong with it, if anything is. PostgreSQL checks its own pages.
    pub async fn check(&self) -> Result<Option<String>, sqlx::Error> {
        let mut connection = self.pool().acquire().await?;
        if !is_sqlite(&connection) {
            return Ok(None);
        }
        let found = async {
            let pages: i64 = sqlx::query_scalar("pragma page_count").fetch_one(&mut *connection).await?;
            let size: i64 = sqlx::query_scalar("pragma page_size").fetch_one(&mut *connection).await?;
            let statement = statement(pages.saturating_mul(size));
            let said: Vec<String> = sqlx::query_scalar(statement).fetch_all(&mut *connection).await?;
            Ok(trouble(&said))
        };
        damage_as_trouble(found.await)
    }
}
