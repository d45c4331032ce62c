//! The file catalogue: which files are live, since when, and what they hold. SQLite inside the lake's folder.
//!
//! The only place of the engine that names a database. Everything that changes what readers see is one
//! `begin immediate` transaction.

mod monitor;
mod publish;
mod read;
mod rows;
mod scrub;

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use sqlx::sqlite::{SqliteConnectOptions, SqliteJournalMode, SqlitePool, SqlitePoolOptions, SqliteSynchronous};

use super::encoder;
use super::known_contracts::KnownContracts;
use super::lock;
use super::snapshot::{LakeInfo, Origin};
use quarry_types::{Error, ErrorCode, Result, is_storage_full};

pub use monitor::{Incident, Reorg, Waiting};
pub(super) use publish::{Publication, REORG, Rewritten};
pub(super) use scrub::Found;
pub use scrub::{DamagedFile, ScrubPass};

/// In order; each ends by setting the file's `user_version` to its own number.
const MIGRATIONS: [&str; 6] = [
    include_str!("0001_files.sql"),
    include_str!("0002_incidents.sql"),
    include_str!("0003_derived.sql"),
    include_str!("0004_reorgs.sql"),
    include_str!("0005_checksums.sql"),
    include_str!("0006_known_contracts.sql"),
];

/// SQLite's log beside the catalogue.
const LOG: &str = "catalogue.sqlite-wal";

/// A reader or writer waits this long for another transaction, which lasts milliseconds.
const BUSY_TIMEOUT: Duration = Duration::from_secs(30);

/// Open catalogue of one lake.
#[derive(Debug, Clone)]
pub(super) struct Catalogue {
    pool: SqlitePool,
}

/// A file that no snapshot of today names any more.
#[derive(Debug)]
pub(super) struct RetiredFile {
    pub(super) id: i64,
    pub(super) path: String,
}

impl Catalogue {
    /// Opens the catalogue in `dir`, creating or migrating it first where needed.
    pub(super) async fn open(dir: &Path) -> Result<Catalogue> {
        let file = dir.join("catalogue.sqlite");
        let held = take_turn(dir.to_path_buf()).await?;
        refuse_lost(dir, &file)?;
        // Closed in an orderly way it leaves no log behind.
        let was_left_open = std::fs::metadata(dir.join(LOG)).is_ok_and(|found| found.len() > 0);
        let options = SqliteConnectOptions::new()
            .filename(&file)
            .create_if_missing(true)
            .journal_mode(SqliteJournalMode::Wal)
            // Publishing is rare and must survive a power cut: pay for the sync.
            .synchronous(SqliteSynchronous::Full)
            .foreign_keys(true)
            .busy_timeout(BUSY_TIMEOUT);
        // A file of this process is not lost as a connection to a server is.
        let pool = SqlitePoolOptions::new().max_connections(4).test_before_acquire(false);
        let pool = pool
            .connect_with(options)
            .await
            .map_err(|error| unusable(format!("The lake's catalogue {} can't be opened.", file.display()), error))?;
        migrate(&pool, &file).await?;
        drop(held);
        let catalogue = Catalogue { pool };
        if was_left_open {
            catalogue.check_integrity().await?;
        }
        Ok(catalogue)
    }

    /// What the lake is about.
    pub(super) async fn info(&self) -> Result<LakeInfo> {
        let row: Option<(Option<i64>, Option<String>, Option<String>)> =
            sqlx::query_as("select chain_id, origin, known_contracts from lake_info where one = 1")
                .fetch_optional(&self.pool)
                .await
                .map_err(Error::internal)?;
        let Some((chain_id, origin, contracts)) = row else { return Ok(LakeInfo::default()) };
        let chain_id = chain_id.map(i64::cast_unsigned);
        let contracts = match contracts {
            Some(text) => Arc::new(KnownContracts::parse(&text).map_err(Error::internal)?),
            None => KnownContracts::shipped(chain_id),
        };
        Ok(LakeInfo { chain_id, origin: origin.as_deref().and_then(Origin::parse), contracts })
    }

    /// Records the known contracts of a lake that belongs to a chain; `None`: those that ship for its chain id. What depends on
    /// them is cached by snapshot, so there is a new one.
    pub(super) async fn record_contracts(&self, contracts: Option<&KnownContracts>) -> Result<()> {
        let text = contracts.map(serde_json::to_string).transpose().map_err(Error::internal)?;
        let mut transaction = self.pool.begin_with("begin immediate").await.map_err(Error::internal)?;
        let changed = sqlx::query("update lake_info set known_contracts = $1 where one = 1")
            .bind(text)
            .execute(&mut *transaction)
            .await
            .map_err(Error::internal)?;
        if changed.rows_affected() == 0 {
            let message = "The lake belongs to no chain yet, so it has no known contracts.";
            return Err(Error::new(ErrorCode::InvalidInput, message));
        }
        sqlx::query(
            "insert into snapshots (id, time_ms, head_number, head_hash, head_time_us, finalised, reason) \
             select id + 1, $1, head_number, head_hash, head_time_us, finalised, 'contracts' \
             from snapshots order by id desc limit 1",
        )
        .bind(now_ms())
        .execute(&mut *transaction)
        .await
        .map_err(Error::internal)?;
        transaction.commit().await.map_err(Error::internal)
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
        .await
        .map_err(Error::internal)?;
        let info = self.info().await?;
        if info.chain_id == Some(chain_id) && info.origin == Some(origin) {
            return Ok(());
        }
        let held = match (info.origin, info.chain_id) {
            (Some(Origin::Sample), _) => "the simulated sample chain".to_string(),
            (_, Some(id)) => format!("chain {id}"),
            (_, None) => "an unknown chain".to_string(),
        };
        let given = match origin {
            Origin::Sample => "the simulated sample chain".to_string(),
            Origin::Node => format!("chain {chain_id}"),
        };
        Err(Error::new(
            ErrorCode::InvalidInput,
            format!("This lake holds {held}, so {given} can't be added to it; choose another --home."),
        ))
    }

    /// Paths of all files the catalogue names, live or retired.
    pub(super) async fn known_paths(&self) -> Result<Vec<String>> {
        sqlx::query_scalar("select path from files").fetch_all(&self.pool).await.map_err(Error::internal)
    }

    /// Files retired at least `grace` ago.
    pub(super) async fn retired(&self, grace: Duration) -> Result<Vec<RetiredFile>> {
        let before = now_ms() - i64::try_from(grace.as_millis()).unwrap_or(i64::MAX);
        let rows: Vec<(i64, String)> = sqlx::query_as(
            "select files.id, files.path from files join snapshots on snapshots.id = files.retired_snapshot \
             where snapshots.time_ms <= $1",
        )
        .bind(before)
        .fetch_all(&self.pool)
        .await
        .map_err(Error::internal)?;
        Ok(rows.into_iter().map(|(id, path)| RetiredFile { id, path }).collect())
    }

    /// Forgets a retired file after it was removed from the folder.
    pub(super) async fn forget(&self, id: i64) -> Result<()> {
        sqlx::query("delete from files where id = $1 and retired_snapshot is not null")
            .bind(id)
            .execute(&self.pool)
            .await
            .map_err(Error::internal)?;
        Ok(())
    }
}

impl Catalogue {
    /// Forgets ranges whose files are all gone and snapshots that nothing refers to.
    pub(super) async fn forget_past(&self, grace: Duration) -> Result<()> {
        let before = now_ms() - i64::try_from(grace.as_millis()).unwrap_or(i64::MAX);
        let mut transaction = self.pool.begin_with("begin immediate").await.map_err(Error::internal)?;
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
            sqlx::query(statement).bind(before).execute(&mut *transaction).await.map_err(Error::internal)?;
        }
        transaction.commit().await.map_err(Error::internal)
    }
}

/// Two processes that open an empty folder at once must not both create the tables.
async fn take_turn(dir: PathBuf) -> Result<std::fs::File> {
    tokio::task::spawn_blocking(move || lock::wait_for_catalogue(&dir)).await.map_err(Error::internal)?
}

/// To a new catalogue all files would be ones that nobody names, and the next writer would remove them. A writer that was
/// killed leaves its catalogue, for that was there first.
fn refuse_lost(dir: &Path, file: &Path) -> Result<()> {
    let is_new = std::fs::metadata(file).map_or(true, |found| found.len() == 0);
    let files = if is_new { encoder::present(dir)?.len() } else { 0 };
    if files == 0 {
        return Ok(());
    }
    let message = format!(
        "The lake in {} has {files} files of blocks but no catalogue.sqlite, which says what they are. Put it back from a \
         copy, or choose another folder.",
        dir.display()
    );
    Err(Error::new(ErrorCode::DamagedFile, message))
}

/// A failure of the catalogue. That it is damaged is told: only whoever owns it can put it back.
fn failed(error: sqlx::Error) -> Error {
    // SQLITE_CORRUPT and SQLITE_NOTADB, whatever is said beside them in the upper bits.
    let code = error.as_database_error().and_then(|error| error.code()?.parse::<i32>().ok());
    match code.map(|code| code & 0xff) {
        Some(11 | 26) => {
            let message = "The lake's catalogue is damaged. Put its catalogue.sqlite back from a copy.";
            Error::new(ErrorCode::DamagedFile, message).because(error)
        }
        _ => Error::internal(error),
    }
}

/// What to say of a catalogue that can't be used, unless it is the disk that is full.
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
        return Err(Error::new(
            ErrorCode::InvalidInput,
            format!("{} was written by a newer version of Quarry.", file.display()),
        ));
    }
    for migration in &MIGRATIONS[applied..] {
        let mut transaction = pool.begin_with("begin immediate").await.map_err(unusable)?;
        sqlx::raw_sql(*migration).execute(&mut *transaction).await.map_err(Error::internal)?;
        transaction.commit().await.map_err(Error::internal)?;
    }
    Ok(())
}

/// Milliseconds UTC.
pub(super) fn now_ms() -> i64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    i64::try_from(since.as_millis()).unwrap_or(i64::MAX)
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
