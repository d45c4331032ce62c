//! The platform database: the only place that names a driver. SQLite by default, PostgreSQL in production; every
//! statement elsewhere is one text that both understand.

use std::path::Path;
use std::time::Duration;

use sqlx::any::AnyPoolOptions;
use sqlx::migrate::Migrator;
use sqlx::{AnyConnection, AnyPool, Connection, Executor};

static MIGRATIONS: Migrator = sqlx::migrate!("./migrations");

/// How long a writer of SQLite waits for another one.
const BUSY_TIMEOUT_MS: u32 = 10_000;

/// The platform database; a cheap clone.
#[derive(Debug, Clone)]
pub struct Db {
    pool: AnyPool,
}

impl Db {
    /// Opens the database at `url` (`sqlite:…` or `postgres://…`) and brings its tables up to date.
    pub async fn open(url: &str) -> Result<Db, sqlx::Error> {
        sqlx::any::install_default_drivers();
        let pool = AnyPoolOptions::new()
            .max_connections(8)
            .acquire_timeout(Duration::from_secs(15))
            .after_connect(|connection, _| Box::pin(prepare(connection)))
            .connect(url)
            .await?;
        MIGRATIONS.run(&pool).await?;
        Ok(Db { pool })
    }

    pub fn pool(&self) -> &AnyPool {
        &self.pool
    }

    /// The next number of a counter: 1, 2, 3, … (identity columns have no text that both databases understand).
    pub async fn next_id(&self, counter: &str) -> Result<i64, sqlx::Error> {
        sqlx::query_scalar(
            "insert into counters (name, value) values ($1, 1)
             on conflict (name) do update set value = counters.value + 1 returning value",
        )
        .bind(counter)
        .fetch_one(&self.pool)
        .await
    }

    /// Whether the database answers.
    pub async fn ping(&self) -> Result<(), sqlx::Error> {
        self.pool.acquire().await?.ping().await
    }

    /// Waits for what is running and closes every connection.
    pub async fn close(&self) {
        self.pool.close().await;
    }
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

async fn prepare(connection: &mut AnyConnection) -> Result<(), sqlx::Error> {
    if connection.backend_name() == "SQLite" {
        // Readers never wait for a writer, and a commit does not wait for the disk: 43 inserts/s become thousands.
        connection.execute("pragma journal_mode = wal").await?;
        connection.execute("pragma synchronous = normal").await?;
        connection.execute("pragma foreign_keys = on").await?;
        connection.execute(sqlx::AssertSqlSafe(format!("pragma busy_timeout = {BUSY_TIMEOUT_MS}"))).await?;
    }
    Ok(())
}
