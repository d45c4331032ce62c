//! Results that are kept no longer.

use std::sync::Arc;
use std::time::Duration;

use quarry_engine::Engine;

use super::{of_query, store};
use crate::db::Db;

/// A result that belongs to no job is left over after this long: none is written before its job is remembered, and the
/// server's own questions take seconds.
const ORPHAN: Duration = Duration::from_secs(3600);

/// Removes the results of jobs that ended before a moment, and those of no job that is remembered; answers how many these
/// were.
pub async fn remove_results(db: &Db, engine: &Arc<Engine>, before: i64) -> anyhow::Result<usize> {
    let mut removed = 0;
    let listing = engine.clone();
    for id in tokio::task::spawn_blocking(move || listing.results()).await?? {
        let old = match store::find(db, &id, None).await? {
            Some(row) => row.ended.finished_at.is_some_and(|finished| finished < before),
            // A question of the server's own, which takes its result along unless it was cut off.
            None => engine.result_age(&id).is_ok_and(|age| age > ORPHAN),
        };
        // What viewers of a saved query see stays until a newer run takes its place.
        if old && !of_query::is_shown(db, &id).await? {
            let engine = engine.clone();
            tokio::task::spawn_blocking(move || engine.remove_result(&id)).await??;
            removed += 1;
        }
    }
    Ok(removed)
}
