//! The platform database: the only place that names a driver. SQLite by default, PostgreSQL in production; every
//! statement elsewhere is one text that both understand.

pub mod counted;
pub mod dump;
mod in_use;
pub mod integrity;
pub mod list;
mod outage;
pub mod scratch;
pub mod search;
mod sums;
pub mod tallies;
mod truth;

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use sqlx::any::AnyPoolOptions;
use sqlx::migrate::Migrator;
use sqlx::{Any, AnyConnection, AnyPool, Connection, Executor, Transaction};
use tokio_util::sync::CancellationToken;

use counted::Counted;
pub use outage::Outage;
use outage::Watch;
use search::Dialect;
pub use truth::Truth;

static MIGRATIONS: Migrator = sqlx::migrate!("./migrations");

/// How long a writer of SQLite waits for another one.
const BUSY_TIMEOUT_MS: u32 = 10_000;
/// Kilobytes of pages that a connection to SQLite keeps: writes to many indexes would read the same pages again and again. Each
/// connection has pages of its own, and all of them fill up within hours.
const KEPT_KB: u64 = 4 << 10;
/// How long connections have to close.
const CLOSING: Duration = Duration::from_secs(5);
/// A connection that nobody used for so long is asked whether it is still there.
const IDLE: Duration = Duration::from_secs(5);
/// How long a connection is waited for.
const PATIENCE: Duration = Duration::from_secs(15);
const SQLITE: &str = "SQLite";
/// Connections that a program opens at most.
const CONNECTIONS: u32 = 8;

/// The platform database; a cheap clone.
#[derive(Debug, Clone)]
pub struct Db {
    pool: AnyPool,
    dialect: Dialect,
    counted: Arc<Counted>,
    /// Of a server whose database is another process.
    watch: Option<Arc<Watch>>,
}

impl Db {
    /// Opens the database at `url` (`sqlite:…` or `postgres://…`) and brings its tables up to date.
    pub async fn open(url: &str) -> Result<Db, sqlx::Error> {
        Db::open_for(url, false).await
    }

    /// The same for a server, from which on no backup is restored into it until the server ends.
    pub async fn open_to_serve(url: &str) -> Result<Db, sqlx::Error> {
        Db::open_for(url, true).await
    }

    async fn open_for(url: &str, serve: bool) -> Result<Db, sqlx::Error> {
        sqlx::any::install_default_drivers();
        // What SQLite learns of its tables is known to connections that are opened afterwards, to no other.
        let first = connect(url, serve, 1, None).await?;
        MIGRATIONS.run(&first).await?;
        let dialect = if first.acquire().await?.backend_name() == SQLITE { Dialect::Sqlite } else { Dialect::Postgres };
        search::prepare(&first, dialect).await?;
        tallies::prepare(&first, dialect).await?;
        know_sizes(&first, dialect).await?;
        first.close().await;
        let watched = serve && dialect == Dialect::Postgres;
        let watch = if watched { Some(Arc::new(Watch::new(url)?)) } else { None };
        let pool = connect(url, serve, CONNECTIONS, watch.clone()).await?;
        Ok(Db { pool, dialect, counted: Arc::default(), watch })
    }

    pub fn pool(&self) -> &AnyPool {
        &self.pool
    }

    /// Begins a transaction that writes. Such transactions go one after another: SQLite refuses one that reads first as soon
    /// as another has written in between, and PostgreSQL breaks off one of two that wait for each other's rows and sums.
    pub async fn begin(&self) -> Result<Transaction<'static, Any>, sqlx::Error> {
        if self.dialect == Dialect::Sqlite {
            return self.pool.begin_with("begin immediate").await;
        }
        let mut transaction = self.pool.begin().await?;
        transaction.execute(sqlx::AssertSqlSafe(format!("do $$ begin {} end $$", tallies::LOCK))).await?;
        Ok(transaction)
    }

    /// Counts of what is searched.
    pub fn counted(&self) -> &Counted {
        &self.counted
    }

    /// Which database it is, for the search.
    pub fn search(&self) -> Dialect {
        self.dialect
    }

    /// The next number of a counter: 1, 2, 3, … (identity columns have no text that both databases understand).
    pub async fn next_id(&self, counter: &str) -> Result<i64, sqlx::Error> {
        self.next_ids(counter, 1).await
    }

    /// The first of `count` next numbers of a counter; the others follow it.
    pub async fn next_ids(&self, counter: &str, count: i64) -> Result<i64, sqlx::Error> {
        let last: i64 = sqlx::query_scalar(
            "insert into counters (name, value) values ($1, $2)
             on conflict (name) do update set value = counters.value + $2 returning value",
        )
        .bind(counter)
        .bind(count)
        .fetch_one(&self.pool)
        .await?;
        Ok(last - count + 1)
    }

    /// Lets PostgreSQL see at once what many writes have made of these tables, names of the program: until it has looked by
    /// itself, lists and counts read more than they need. SQLite looks at the next start.
    pub async fn look_through(&self, tables: &[impl AsRef<str>]) -> Result<(), sqlx::Error> {
        if self.dialect == Dialect::Postgres {
            for table in tables {
                let statement = format!("vacuum (analyze) {}", table.as_ref());
                self.pool.execute(sqlx::AssertSqlSafe(statement)).await?;
            }
        }
        Ok(())
    }

    /// Whether the database does not answer, as far as it is watched.
    pub fn is_gone(&self) -> bool {
        self.watch.as_ref().is_some_and(|watch| watch.is_gone())
    }

    /// Whether the disk of the database has no space left, as far as it is watched.
    pub fn is_full(&self) -> bool {
        self.watch.as_ref().is_some_and(|watch| watch.is_full())
    }

    /// Returns once the database does not answer; never where it is not watched.
    async fn until_gone(&self) {
        match &self.watch {
            Some(watch) => watch.until_gone().await,
            None => std::future::pending().await,
        }
    }

    /// What comes of something that asks the database; `None` as soon as the database is gone.
    pub async fn unless_gone<T>(&self, asked: impl Future<Output = T>) -> Option<T> {
        tokio::select! {
            biased;
            done = asked => Some(done),
            () = self.until_gone() => None,
        }
    }

    /// Watches whether the database answers, until the server stops.
    pub async fn watch(self, stop: CancellationToken) {
        if let Some(watch) = &self.watch {
            watch.run(stop).await;
        }
    }

    /// Whether no server uses the database, and none begins to before the transaction ends.
    pub async fn is_alone(&self, transaction: &mut AnyConnection) -> Result<bool, sqlx::Error> {
        in_use::alone(transaction).await
    }

    /// Whether the database answers.
    pub async fn ping(&self) -> Result<(), sqlx::Error> {
        self.pool.acquire().await?.ping().await
    }

    /// Waits for what is running and closes every connection.
    pub async fn close(&self) {
        // A peer that vanished never says that it has closed its side.
        if tokio::time::timeout(CLOSING, self.pool.close()).await.is_err() {
            tracing::warn!("the connections to the database did not close in time");
        }
    }
}

/// A pool of connections that are ready to be asked; of a server's, each keeps backups from being restored.
async fn connect(url: &str, serve: bool, most: u32, watch: Option<Arc<Watch>>) -> Result<AnyPool, sqlx::Error> {
    // PostgreSQL with a full disk may take no new connections, and those that are open still read.
    let least = if watch.is_some() { most } else { u32::from(serve) };
    let pool = AnyPoolOptions::new()
        .max_connections(most)
        .min_connections(least)
        .acquire_timeout(PATIENCE)
        // Asking a connection before each use takes longer than most statements do; one that a server has closed is met after
        // a while in which nothing was said.
        .test_before_acquire(false)
        .before_acquire(|connection, kept| {
            Box::pin(async move {
                if kept.idle_for > IDLE {
                    connection.ping().await?;
                }
                Ok(true)
            })
        })
        // A request that was given up leaves a connection with an answer to come. Where nothing comes, its place must not be lost.
        .after_release(move |connection, _| {
            let gone = watch.as_ref().is_some_and(|watch| watch.is_gone());
            Box::pin(async move {
                if gone {
                    let answered = tokio::time::timeout(IDLE, connection.ping()).await;
                    answered.unwrap_or_else(|_| Err(sqlx::Error::PoolTimedOut))?;
                }
                Ok(true)
            })
        })
        .after_connect(move |connection, _| {
            Box::pin(async move {
                prepare(connection).await?;
                // Each connection says so, since any of them may end.
                if serve { in_use::serve(connection).await.map(drop) } else { Ok(()) }
            })
        })
        .connect(url)
        .await?;
    if serve && !in_use::serve(&mut *pool.acquire().await?).await? {
        return Err(sqlx::Error::InvalidArgument("a backup is being restored into it".to_string()));
    }
    Ok(pool)
}

/// Address of the SQLite file that holds the platform database of a home.
pub fn sqlite_url(file: &Path) -> String {
    let mut path = String::new();
    for letter in file.to_string_lossy().chars() {
        match letter {
            '%' => path.push_str("%25"),
            '?' => path.push_str("%3F"),
            '#' => path.push_str("%23"),
            _ => path.push(letter),
        }
    }
    format!("sqlite://{path}?mode=rwc")
}

fn is_sqlite(connection: &AnyConnection) -> bool {
    connection.backend_name() == "SQLite"
}

/// Lets rows come in any order until the transaction ends: references between them are checked then.
async fn defer_references(transaction: &mut AnyConnection) -> Result<(), sqlx::Error> {
    if is_sqlite(transaction) {
        transaction.execute("pragma defer_foreign_keys = on").await?;
        return Ok(());
    }
    transaction
        .execute(
            "do $$ declare reference record; begin
             for reference in select cast(conrelid as regclass) as place, conname from pg_constraint
                 where contype = 'f'
                 and connamespace = (select oid from pg_namespace where nspname = current_schema()) loop
               execute format('alter table %s alter constraint %I deferrable', reference.place, reference.conname);
             end loop; end $$",
        )
        .await?;
    transaction.execute("set constraints all deferred").await?;
    Ok(())
}

/// Checks the deferred references now; PostgreSQL changes no table while some wait. SQLite checks them at the end.
async fn check_references(transaction: &mut AnyConnection) -> Result<(), sqlx::Error> {
    if !is_sqlite(transaction) {
        transaction.execute("set constraints all immediate").await?;
    }
    Ok(())
}

async fn prepare(connection: &mut AnyConnection) -> Result<(), sqlx::Error> {
    if is_sqlite(connection) {
        // Readers never wait for a writer, and a commit does not wait for the disk: 43 inserts/s become thousands.
        connection.execute("pragma journal_mode = wal").await?;
        connection.execute("pragma synchronous = normal").await?;
        connection.execute("pragma foreign_keys = on").await?;
        connection.execute(sqlx::AssertSqlSafe(format!("pragma busy_timeout = {BUSY_TIMEOUT_MS}"))).await?;
        connection.execute(sqlx::AssertSqlSafe(format!("pragma cache_size = -{KEPT_KB}"))).await?;
        // Each read after a write would map the file again, and wait for the threads of queries that take or free memory.
        connection.execute("pragma mmap_size = 0").await?;
    } else {
        // A platform fits into memory and its answers take milliseconds: reading somewhere costs hardly more than reading on,
        // and compiling a statement costs more than it saves.
        connection.execute("set random_page_cost = 1.1").await?;
        connection.execute("set jit = off").await?;
    }
    Ok(())
}

/// Lets SQLite look how many rows its indexes tell apart, where it does not know or has grown since; PostgreSQL does so by
/// itself.
async fn know_sizes(pool: &AnyPool, dialect: Dialect) -> Result<(), sqlx::Error> {
    if dialect == Dialect::Sqlite {
        let mut connection = pool.acquire().await?;
        connection.execute("pragma analysis_limit = 400").await?;
        // All tables, also those that this connection has not asked.
        connection.execute("pragma optimize = 0x10002").await?;
    }
    Ok(())
}
