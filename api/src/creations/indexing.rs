//! Completing the index of words when a server starts.

use std::time::Duration;

use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use super::index;
use crate::db::{Db, search};

/// Creations that are indexed in one transaction, which makes other writers wait.
const BATCH: usize = 200;
/// Creations of a home beyond which it is not looked through while it starts.
const LARGE: i64 = 2_000;
/// How long indexing rests after the database refused a batch.
const AGAIN: Duration = Duration::from_secs(10);

/// Indexes what is not indexed yet: all of it after a backup was restored or by the first start of a version that cuts
/// texts otherwise. What a small home lacks is there when this answers; in a large one it is looked for from `ready` on, so
/// that neither the start nor what else it writes waits for it, until `stop`, and at the next start if that comes first.
pub async fn complete(
    db: &Db,
    tasks: &TaskTracker,
    ready: CancellationToken,
    stop: CancellationToken,
) -> Result<(), sqlx::Error> {
    let mut last = 0;
    if !is_large(db).await? {
        let first = lacking(db, last, BATCH + 1).await?;
        if first.is_empty() {
            return Ok(());
        }
        if first.len() <= BATCH {
            last = write(db, &first).await?;
        }
    }
    let db = db.clone();
    tasks.spawn(stop.run_until_cancelled_owned(async move {
        ready.cancelled().await;
        let mut written = last > 0;
        loop {
            match next(&db, last).await {
                Ok(0) if !written => return,
                Ok(0) => {
                    if let Err(error) = search::tidy(&db).await {
                        tracing::error!(%error, "the search is slower until its index is tidied");
                    }
                    return;
                }
                Ok(number) => (last, written) = (number, true),
                Err(error) => {
                    tracing::error!(%error, "the search lacks creations; it tries again to index them");
                    tokio::time::sleep(AGAIN).await;
                }
            }
        }
    }));
    Ok(())
}

/// Whether there are so many creations that looking for those that lack takes its time.
async fn is_large(db: &Db) -> Result<bool, sqlx::Error> {
    let some = format!("select count(*) from (select 1 from creations limit {}) first", LARGE + 1);
    let some: i64 = sqlx::query_scalar(sqlx::AssertSqlSafe(some)).fetch_one(db.pool()).await?;
    Ok(some > LARGE)
}

/// Indexes the next batch of what is not indexed, above a number; answers the last number of it, 0 where there is none.
async fn next(db: &Db, above: i64) -> Result<i64, sqlx::Error> {
    write(db, &lacking(db, above, BATCH).await?).await
}

/// The first creations above a number that are not indexed: numbers and ids.
async fn lacking(db: &Db, above: i64, limit: usize) -> Result<Vec<(i64, String)>, sqlx::Error> {
    let lacking = format!(
        "select number, id from creations where kind in ('query', 'dashboard', 'project') and number > $1 and {}
         order by number limit {limit}",
        db.search().lacks("creations.number")
    );
    sqlx::query_as(sqlx::AssertSqlSafe(lacking)).bind(above).fetch_all(db.pool()).await
}

/// Indexes these; answers the last number of them.
async fn write(db: &Db, lacking: &[(i64, String)]) -> Result<i64, sqlx::Error> {
    let Some((last, _)) = lacking.last() else { return Ok(0) };
    let mut transaction = db.begin().await?;
    for (_, id) in lacking {
        index::refresh(db, &mut transaction, id).await?;
    }
    transaction.commit().await?;
    Ok(*last)
}
