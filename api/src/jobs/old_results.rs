//! Removal of old results.

use std::sync::Arc;
use std::time::Duration;

use quarry_engine::Engine;

use super::{of_query, store};
use crate::db::Db;

/// Age at which a result without a job is removed. Jobs are stored before their results; the server's own queries take seconds.
const ORPHAN: Duration = Duration::from_secs(3600);

/// Removes the results of jobs that ended before `before` (milliseconds since 1970), and results without a job. Returns how
/// many were removed.
pub async fn remove_results(db: &Db, engine: &Arc<Engine>, before: i64) -> anyhow::Result<usize> {
    let mut removed = 0;
    let listing = engine.clone();
    for id in tokio::task::spawn_blocking(move || listing.results()).await?? {
        let old = match store::find(db, &id, None).await? {
            Some(row) => row.ended.finished_at.is_some_and(|finished| finished < before),
            // A query of the server itself, which removes its result unless it was interrupted.
            None => engine.result_age(&id).is_ok_and(|age| age > ORPHAN),
        };
        // The shown result of a saved query stays until a newer run replaces it.
        if old && !of_query::is_shown(db, &id).await? {
            let engine = engine.clone();
            tokio::task::spawn_blocking(move || engine.remove_result(&id)).await??;
            removed += 1;
        }
    }
    Ok(removed)
}
