//! Signs of life. Servers of several homes may share a database: each leaves a sign every minute, and ends the jobs of those that
//! leave none, which nobody would ever end otherwise (`docs/decisions/0042`).

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use quarry_engine::Engine;
use sqlx::Row;
use tokio::time::{MissedTickBehavior, interval};
use tokio_util::sync::CancellationToken;

use crate::creations::card::marks;
use crate::db::Db;
use crate::time::now_ms;

/// Between two signs, and between two looks at those of others.
const EVERY: Duration = Duration::from_secs(60);
/// Looks in a row without a new sign after which nobody runs a home's jobs any more. No times are compared: clocks differ, and
/// while the database does not answer nobody can leave a sign.
pub const PATIENCE: u32 = 10;
/// Jobs that are asked for at once.
const BATCH: usize = 500;

pub(super) const LOST: &str = "server_lost";
const LOST_TEXT: &str = "The server that ran this job has sent no heartbeat for ten minutes. Run it again.";

/// What a server leaves for the others and has seen of them.
pub struct Signs {
    db: Db,
    engine: Arc<Engine>,
    home: Arc<str>,
    /// The newest sign of each home that has jobs which did not end, and how many looks in a row found no newer one.
    seen: HashMap<String, (i64, u32)>,
}

impl Signs {
    pub fn new(db: Db, engine: Arc<Engine>, home: Arc<str>) -> Signs {
        Signs { db, engine, home, seen: HashMap::new() }
    }

    /// Takes a turn every minute until the stop.
    pub(super) async fn watch(mut self, stop: CancellationToken) {
        let mut minutes = interval(EVERY);
        // After a pause of the whole machine the others have their minute too.
        minutes.set_missed_tick_behavior(MissedTickBehavior::Delay);
        loop {
            tokio::select! {
                _ = minutes.tick() => {}
                () = stop.cancelled() => return,
            }
            if let Err(error) = self.turn().await {
                tracing::error!(%error, "no sign of life could be left, or those of others not be read");
            }
        }
    }

    /// Leaves a sign, stops what is to be stopped here, and ends what nobody runs.
    pub async fn turn(&mut self) -> Result<(), sqlx::Error> {
        leave(&self.db, &self.home).await?;
        self.stop_asked().await?;
        let lost = self.look().await?;
        if lost > 0 {
            tracing::warn!(jobs = lost, "jobs of servers that give no sign of life are marked as failed");
        }
        Ok(())
    }

    /// Stops the jobs of this server that somebody has stopped on another one, and those that another one has ended while none
    /// of its signs arrived: their owners were told so.
    async fn stop_asked(&self) -> Result<(), sqlx::Error> {
        let active = self.engine.active_jobs();
        let ids: Vec<String> = active.iter().map(|job| job.snapshot().id).collect();
        for (jobs, ids) in active.chunks(BATCH).zip(ids.chunks(BATCH)) {
            let marks = marks(ids.len(), 2);
            let statement =
                format!("select id from jobs where (error_code = $1 or stop_asked = 1) and id in ({marks})");
            let query = sqlx::query_scalar(sqlx::AssertSqlSafe(statement)).bind(LOST);
            let asked: Vec<String> =
                ids.iter().fold(query, |query, id| query.bind(id.as_str())).fetch_all(self.db.pool()).await?;
            for (job, id) in jobs.iter().zip(ids).filter(|(_, id)| asked.contains(id)) {
                tracing::info!(job = %id, "a job is stopped as another server has asked");
                job.kill();
            }
        }
        Ok(())
    }

    /// Ends the jobs of homes without a new sign for long; answers how many these were.
    async fn look(&mut self) -> Result<u64, sqlx::Error> {
        let (mut found, mut lost) = (HashMap::new(), 0);
        for (home, sign) in of_others(&self.db, &self.home).await? {
            let looks = match self.seen.get(&home) {
                Some((last, looks)) if *last == sign => looks + 1,
                _ => 0,
            };
            if looks < PATIENCE {
                found.insert(home, (sign, looks));
            } else {
                lost += give_up(&self.db, &home, sign).await?;
            }
        }
        self.seen = found;
        Ok(lost)
    }
}

/// Leaves a sign of life of a home.
pub(super) async fn leave(db: &Db, home: &str) -> Result<(), sqlx::Error> {
    sqlx::query("insert into homes (id, signs) values ($1, 1) on conflict (id) do update set signs = homes.signs + 1")
        .bind(home)
        .execute(db.pool())
        .await?;
    Ok(())
}

/// The newest signs of other homes that have jobs which did not end; 0 for one that never left any.
async fn of_others(db: &Db, home: &str) -> Result<Vec<(String, i64)>, sqlx::Error> {
    let rows = sqlx::query(
        "select open.home, coalesce(homes.signs, 0) as signs
         from (select distinct home from jobs where state in ('QUEUED', 'RUNNING') and home not in ('', $1)) open
         left join homes on homes.id = open.home",
    )
    .bind(home)
    .fetch_all(db.pool())
    .await?;
    rows.iter().map(|row| Ok((row.try_get("home")?, row.try_get("signs")?))).collect()
}

/// Marks the jobs of a home that did not end as failed, unless a newer sign than this has come.
async fn give_up(db: &Db, home: &str, sign: i64) -> Result<u64, sqlx::Error> {
    let done = sqlx::query(
        "update jobs set state = 'FAILED', finished_at = $3, error_code = $1, message = $2
         where state in ('QUEUED', 'RUNNING') and home = $4
         and not exists (select 1 from homes where homes.id = $4 and homes.signs <> $5)",
    )
    .bind(LOST)
    .bind(LOST_TEXT)
    .bind(now_ms())
    .bind(home)
    .bind(sign)
    .execute(db.pool())
    .await?;
    Ok(done.rows_affected())
}
