//! Counts what keys are used for: in memory with each request, in the database every few seconds.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use crate::db::Db;
use crate::time::now_ms;

/// Between two writes.
const PAUSE: Duration = Duration::from_secs(5);
/// In milliseconds.
const DAY: i64 = 86_400_000;

/// Requests of one key on one day that are not written yet.
#[derive(Debug, Clone, Copy, Default)]
struct Count {
    requests: i64,
    refused: i64,
    last: i64,
}

type Counts = Arc<Mutex<HashMap<(i64, i64), Count>>>;

/// Takes counts; the writer ends with the server.
#[derive(Debug)]
pub(super) struct Usage {
    db: Db,
    counts: Counts,
}

impl Usage {
    pub fn start(db: Db, tasks: &TaskTracker, stop: CancellationToken) -> Usage {
        let counts = Counts::default();
        let (writer_db, writer_counts) = (db.clone(), counts.clone());
        tasks.spawn(async move {
            while stop.run_until_cancelled(tokio::time::sleep(PAUSE)).await.is_some() {
                write(&writer_db, &writer_counts).await;
            }
            write(&writer_db, &writer_counts).await;
        });
        Usage { db, counts }
    }

    /// One more request of a key.
    pub fn count(&self, key: i64, admitted: bool) {
        let now = now_ms();
        let mut counts = self.counts.lock().unwrap_or_else(PoisonError::into_inner);
        let count = counts.entry((key, now.div_euclid(DAY) * DAY)).or_default();
        count.requests += 1;
        count.refused += i64::from(!admitted);
        count.last = now;
    }

    pub async fn flush(&self) {
        write(&self.db, &self.counts).await;
    }
}

/// Writes all counts; those that can't be written are tried again with the next ones.
async fn write(db: &Db, counts: &Counts) {
    let taken = std::mem::take(&mut *counts.lock().unwrap_or_else(PoisonError::into_inner));
    if taken.is_empty() {
        return;
    }
    if let Err(error) = save(db, &taken).await {
        tracing::error!(%error, keys = taken.len(), "the use of API keys could not be written yet");
        let mut counts = counts.lock().unwrap_or_else(PoisonError::into_inner);
        for (key, count) in taken {
            let held = counts.entry(key).or_default();
            held.requests += count.requests;
            held.refused += count.refused;
            held.last = held.last.max(count.last);
        }
    }
}

async fn save(db: &Db, counts: &HashMap<(i64, i64), Count>) -> Result<(), sqlx::Error> {
    let mut transaction = db.begin().await?;
    for ((key, day), count) in counts {
        // A key that went with its account meanwhile is counted no more.
        let known = sqlx::query("update api_keys set uses = uses + $2, last_used_at = $3 where id = $1")
            .bind(key)
            .bind(count.requests)
            .bind(count.last)
            .execute(&mut *transaction)
            .await?;
        if known.rows_affected() == 0 {
            continue;
        }
        sqlx::query(
            "insert into api_key_usage (key_id, day, requests, refused) values ($1, $2, $3, $4)
             on conflict (key_id, day) do update set requests = api_key_usage.requests + $3,
             refused = api_key_usage.refused + $4",
        )
        .bind(key)
        .bind(day)
        .bind(count.requests)
        .bind(count.refused)
        .execute(&mut *transaction)
        .await?;
    }
    transaction.commit().await
}
