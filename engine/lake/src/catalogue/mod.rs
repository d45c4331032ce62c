//! The file catalogue, a SQLite database in the lake's folder: which files are live, since when, and what they hold.
//!
//! Only this module of the engine uses a database. Every change that readers see is one `begin immediate` transaction.

mod file_rows;
mod history;
mod publish;
mod read;
mod scrub;

use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use sqlx::Transaction;
use sqlx::sqlite::{Sqlite, SqliteConnectOptions, SqliteJournalMode, SqlitePool, SqlitePoolOptions, SqliteSynchronous};

use super::encoder;
use super::known_contracts::KnownContracts;
use super::lock;
use super::snapshot::{LakeInfo, Origin};
use quarry_types::{Error, ErrorCode, is_storage_full};

pub use history::{Incident, Reorg, RetiredFiles};
pub(super) use publish::{CompactedRanges, Publication, REORG};
pub(super) use scrub::FileCheck;
pub use scrub::{DamagedFile, ScrubPass};

/// In order. Each ends by setting `user_version` to its own number.
const MIGRATIONS: [&str; 6] = [
    include_str!("0001_files.sql"),
    include_str!("0002_incidents.sql"),
    include_str!("0003_derived.sql"),
    include_str!("0004_reorgs.sql"),
    include_str!("0005_checksums.sql"),
    include_str!("0006_known_contracts.sql"),
];

/// SQLite's write-ahead log next to the catalogue.
const LOG: &str = "catalogue.sqlite-wal";

/// A reader or writer waits this long for another transaction, which lasts milliseconds.
const BUSY_TIMEOUT: Duration = Duration::from_secs(30);

/// A failure of the catalogue. Damage is reported to the user, since only the owner of the lake can restore it.
#[derive(Debug)]
pub(super) struct CatalogueError(Error);

pub(super) type Result<T, E = CatalogueError> = std::result::Result<T, E>;

impl From<sqlx::Error> for CatalogueError {
    fn from(error: sqlx::Error) -> CatalogueError {
        // SQLITE_CORRUPT and SQLITE_NOTADB; the upper bits hold the extended code.
        let code = error.as_database_error().and_then(|error| error.code()?.parse::<i32>().ok());
        CatalogueError(match code.map(|code| code & 0xff) {
            Some(11 | 26) => damaged(error),
            _ => Error::internal(error),
        })
    }
}

impl From<Error> for CatalogueError {
    fn from(error: Error) -> CatalogueError {
        CatalogueError(error)
    }
}

impl From<serde_json::Error> for CatalogueError {
    fn from(error: serde_json::Error) -> CatalogueError {
        CatalogueError(Error::internal(error))
    }
}

impl From<CatalogueError> for Error {
    fn from(error: CatalogueError) -> Error {
        error.0
    }
}

fn damaged(cause: impl Into<Box<dyn std::error::Error + Send + Sync>>) -> Error {
    let message = "The lake's catalogue is damaged. Restore its catalogue.sqlite from a backup.";
    Error::new(ErrorCode::DamagedFile, message).because(cause)
}

/// Open catalogue of one lake.
#[derive(Debug, Clone)]
pub(super) struct Catalogue {
    pool: SqlitePool,
}

impl Catalogue {
    /// Opens the catalogue in `dir`, creating or migrating it first where needed.
    pub(super) async fn open(dir: &Path) -> Result<Catalogue> {
        let file = dir.join("catalogue.sqlite");
        // Two processes that open an empty folder at once must not both create the tables.
        let folder = dir.to_path_buf();
        let lock =
            tokio::task::spawn_blocking(move || lock::wait_for_catalogue(&folder)).await.map_err(Error::internal)??;
        refuse_lost(dir, &file)?;
        // A catalogue that was closed properly leaves no log.
        let was_left_open = std::fs::metadata(dir.join(LOG)).is_ok_and(|found| found.len() > 0);
        let options = SqliteConnectOptions::new()
            .filename(&file)
            .create_if_missing(true)
            .journal_mode(SqliteJournalMode::Wal)
            // Publications are rare and must survive a power failure.
            .synchronous(SqliteSynchronous::Full)
            .foreign_keys(true)
            .busy_timeout(BUSY_TIMEOUT);
        // Connections to a local file do not break.
        let pool = SqlitePoolOptions::new()
            .max_connections(4)
            .test_before_acquire(false)
            .connect_with(options)
            .await
            .map_err(|error| {
            unusable(format!("The lake's catalogue {} can't be opened.", file.display()), error)
        })?;
        migrate(&pool, &file).await?;
        drop(lock);
        let catalogue = Catalogue { pool };
        if was_left_open {
            catalogue.check_integrity().await?;
        }
        Ok(catalogue)
    }

    /// Chain, origin and known contracts of the lake.
    pub(super) async fn info(&self) -> Result<LakeInfo> {
        let row: Option<(Option<i64>, Option<String>, Option<String>)> =
            sqlx::query_as("select chain_id, origin, known_contracts from lake_info where one = 1")
                .fetch_optional(&self.pool)
                .await?;
        let Some((chain_id, origin, contracts)) = row else { return Ok(LakeInfo::default()) };
        let chain_id = chain_id.map(i64::cast_unsigned);
        let contracts = match contracts {
            Some(text) => Arc::new(KnownContracts::parse(&text).map_err(Error::internal)?),
            None => KnownContracts::shipped(chain_id),
        };
        Ok(LakeInfo { chain_id, origin: origin.as_deref().and_then(Origin::parse), contracts })
    }

    /// Records the known contracts of a lake that belongs to a chain; `None` means those that ship for its chain id. Adds a
    /// snapshot, because caches that depend on the contracts are keyed by snapshot.
    pub(super) async fn record_contracts(&self, contracts: Option<&KnownContracts>) -> Result<()> {
        let text = contracts.map(serde_json::to_string).transpose()?;
        let mut transaction = self.begin().await?;
        let changed = sqlx::query("update lake_info set known_contracts = $1 where one = 1")
            .bind(text)
            .execute(&mut *transaction)
            .await?;
        if changed.rows_affected() == 0 {
            let message = "The lake belongs to no chain yet, so it has no known contracts.";
            return Err(Error::new(ErrorCode::InvalidInput, message).into());
        }
        sqlx::query(
            "insert into snapshots (id, time_ms, head_number, head_hash, head_time_us, finalised, reason) \
             select id + 1, $1, head_number, head_hash, head_time_us, finalised, 'contracts' \
             from snapshots order by id desc limit 1",
        )
        .bind(now_ms())
        .execute(&mut *transaction)
        .await?;
        Ok(transaction.commit().await?)
    }

    /// Records the chain, or refuses when the lake already belongs to another.
    pub(super) async fn claim(&self, chain_id: u64, origin: Origin) -> Result<()> {
        sqlx::query(
            "insert into lake_info (one, chain_id, origin, created_ms) values (1, $1, $2, $3) on conflict do nothing",
        )
        .bind(chain_id.cast_signed())
        .bind(origin.as_str())
        .bind(now_ms())
        .execute(&self.pool)
        .await?;
        let info = self.info().await?;
        if info.chain_id == Some(chain_id) && info.origin == Some(origin) {
            return Ok(());
        }
        let chain = |origin: Option<Origin>, chain_id: Option<u64>| match (origin, chain_id) {
            (Some(Origin::Sample), _) => "the simulated sample chain".to_string(),
            (_, Some(id)) => format!("chain {id}"),
            (_, None) => "an unknown chain".to_string(),
        };
        let (held, other) = (chain(info.origin, info.chain_id), chain(Some(origin), Some(chain_id)));
        let message = format!("This lake holds {held}, so {other} can't be added to it; choose another --home.");
        Err(Error::new(ErrorCode::InvalidInput, message).into())
    }

    /// Paths of all files the catalogue names, live or retired.
    pub(super) async fn known_paths(&self) -> Result<Vec<String>> {
        Ok(sqlx::query_scalar("select path from files").fetch_all(&self.pool).await?)
    }

    /// Ids and paths of the files that were retired at least `grace` ago.
    pub(super) async fn retired(&self, grace: Duration) -> Result<Vec<(i64, String)>> {
        let retired = sqlx::query_as(
            "select files.id, files.path from files join snapshots on snapshots.id = files.retired_snapshot \
             where snapshots.time_ms <= $1",
        );
        Ok(retired.bind(ago(grace)).fetch_all(&self.pool).await?)
    }

    /// Forgets a retired file after it was removed from the folder.
    pub(super) async fn forget(&self, id: i64) -> Result<()> {
        let delete = sqlx::query("delete from files where id = $1 and retired_snapshot is not null");
        delete.bind(id).execute(&self.pool).await?;
        Ok(())
    }

    /// Forgets ranges whose files are all gone and snapshots that nothing refers to.
    pub(super) async fn forget_past(&self, grace: Duration) -> Result<()> {
        let mut transaction = self.begin().await?;
        for statement in [
            "delete from ranges where retired_snapshot is not null \
             and retired_snapshot in (select id from snapshots where time_ms <= $1) \
             and id not in (select range_id from files)",
            "delete from snapshots where time_ms <= $1 \
             and id < (select max(id) from snapshots) \
             and id not in (select added_snapshot from ranges) and id not in (select added_snapshot from files) \
             and id not in (select retired_snapshot from ranges where retired_snapshot is not null) \
             and id not in (select retired_snapshot from files where retired_snapshot is not null)",
        ] {
            sqlx::query(statement).bind(ago(grace)).execute(&mut *transaction).await?;
        }
        Ok(transaction.commit().await?)
    }

    async fn begin(&self) -> Result<Transaction<'static, Sqlite>> {
        Ok(self.pool.begin_with("begin immediate").await?)
    }
}

/// To a new catalogue all files would be orphans, which the next writer removes. A catalogue exists before any file, so a
/// killed writer always leaves one.
fn refuse_lost(dir: &Path, file: &Path) -> Result<()> {
    let is_new = std::fs::metadata(file).map_or(true, |found| found.len() == 0);
    let files = if is_new { encoder::files_on_disk(dir)?.len() } else { 0 };
    if files == 0 {
        return Ok(());
    }
    let message = format!(
        "The lake in {} has {files} block files but no catalogue.sqlite that describes them. Restore it from a \
         backup, or choose another folder.",
        dir.display()
    );
    Err(Error::new(ErrorCode::DamagedFile, message).into())
}

/// The error of a catalogue that can't be used, unless the disk is full.
fn unusable(message: String, error: sqlx::Error) -> Error {
    if is_storage_full(&error) {
        Error::internal(error)
    } else {
        Error::new(ErrorCode::InvalidInput, message).because(error)
    }
}

async fn migrate(pool: &SqlitePool, file: &Path) -> Result<()> {
    let unusable = |error| unusable(format!("{} is not a writable catalogue.", file.display()), error);
    let version: i64 = sqlx::query_scalar("pragma user_version").fetch_one(pool).await.map_err(unusable)?;
    let applied = usize::try_from(version).unwrap_or(usize::MAX);
    if applied > MIGRATIONS.len() {
        let message = format!("{} was written by a newer version of Quarry.", file.display());
        return Err(Error::new(ErrorCode::InvalidInput, message).into());
    }
    for migration in &MIGRATIONS[applied..] {
        let mut transaction = pool.begin_with("begin immediate").await.map_err(unusable)?;
        sqlx::raw_sql(*migration).execute(&mut *transaction).await?;
        transaction.commit().await?;
    }
    Ok(())
}

/// Milliseconds UTC.
pub(super) fn now_ms() -> i64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    i64::try_from(since.as_millis()).unwrap_or(i64::MAX)
}

/// A time in the past, in milliseconds UTC.
fn ago(duration: Duration) -> i64 {
    now_ms() - i64::try_from(duration.as_millis()).unwrap_or(i64::MAX)
}

impl Origin {
    fn as_str(self) -> &'static str {
        match self {
            Origin::Sample => "sample",
            Origin::Node => "node",
        }
    }

    fn parse(text: &str) -> Option<Origin> {
        [Origin::Sample, Origin::Node].into_iter().find(|origin| origin.as_str() == text)
    }
}
