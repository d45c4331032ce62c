//! What a server does for its lake, its search and its database while nobody asks.

use std::time::Duration;

use quarry_lake::{Compaction, Lake, LakeWriter};
use quarry_types::{ErrorCode, Result};
use tokio_util::sync::CancellationToken;

use crate::app::App;
use crate::auth::{codes, devices, invitations, sessions};
use crate::db::{Db, search};
use crate::time::now_ms;

/// Time between two looks at what could be merged.
const LOOK: Duration = Duration::from_secs(60);

/// Time between two looks at the index of words, and at what is over.
const DAY: Duration = Duration::from_secs(86_400);

/// Codes are kept so long, in milliseconds: longer than any works or counts.
const CODES: i64 = 86_400_000;

/// Invitations are kept so long after their end, in milliseconds: until then the database says who used them.
const INVITATIONS: i64 = 365 * 86_400_000;

/// Keeps the search quick until the server stops.
pub async fn tidy_search(db: Db, stop: CancellationToken) {
    let mut days = tokio::time::interval(DAY);
    loop {
        let tidied = stop.run_until_cancelled(async {
            days.tick().await;
            search::tidy(&db).await
        });
        match tidied.await {
            None => return,
            Some(Ok(())) => {}
            Some(Err(error)) => tracing::error!(%error, "the search is slower until its index is tidied"),
        }
    }
}

/// Forgets sessions, codes, browsers and invitations that are over, now and every day until the server stops: clients of PostgreSQL alone open
/// thousands of sessions.
pub async fn forget_over(db: Db, stop: CancellationToken) {
    let mut days = tokio::time::interval(DAY);
    loop {
        let forgotten = stop.run_until_cancelled(async {
            days.tick().await;
            sessions::forget_expired(&db, now_ms()).await?;
            devices::forget_unused(&db, now_ms() - devices::LIFETIME).await?;
            invitations::forget(&db, now_ms() - INVITATIONS).await?;
            codes::forget(&db, now_ms() - CODES).await
        });
        match forgotten.await {
            None => return,
            Some(Ok(())) => {}
            Some(Err(error)) => {
                tracing::error!(%error, "sessions, codes and devices that are over could not be forgotten")
            }
        }
    }
}

/// Removes uploaded files that no row names, now and every day until the server stops.
pub async fn collect_uploads(app: App) {
    let mut days = tokio::time::interval(DAY);
    loop {
        let collected = app.stop.run_until_cancelled(async {
            days.tick().await;
            app.uploads.collect(&app.db).await
        });
        match collected.await {
            None => return,
            Some(Ok(0)) => {}
            Some(Ok(removed)) => tracing::info!(removed, "uploaded files that no row names were removed"),
            Some(Err(error)) => tracing::error!(%error, "uploaded files that no row names could not be removed"),
        }
    }
}

/// Merges small files until the server stops. Another process that writes the lake goes first.
pub async fn compact(lake: Lake, stop: CancellationToken) {
    let mut look = tokio::time::interval(LOOK);
    look.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
    loop {
        let merged = stop.run_until_cancelled(async {
            look.tick().await;
            once(&lake).await
        });
        match merged.await {
            None => return,
            Some(Ok(())) => {}
            Some(Err(error)) if error.code == ErrorCode::LakeLocked => {}
            Some(Err(error)) => {
                tracing::error!(%error, cause = ?std::error::Error::source(&error), "files could not be merged");
            }
        }
    }
}

/// The same with a writer that is held for other work at the same time, until it is dropped.
pub async fn compact_with(lake: &Lake, writer: &LakeWriter) {
    let mut look = tokio::time::interval(LOOK);
    look.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
    loop {
        look.tick().await;
        let merged = match lake.is_compactable(Compaction::Worthwhile).await {
            Ok(true) => merge(writer).await,
            Ok(false) => Ok(()),
            Err(error) => Err(error),
        };
        if let Err(error) = merged {
            tracing::error!(%error, cause = ?std::error::Error::source(&error), "files could not be merged");
        }
    }
}

async fn once(lake: &Lake) -> Result<()> {
    if !lake.is_compactable(Compaction::Worthwhile).await? {
        return Ok(());
    }
    merge(&lake.writer().await?).await
}

async fn merge(writer: &LakeWriter) -> Result<()> {
    let merged = writer.compact(Compaction::Worthwhile, |_| {}).await?;
    tracing::info!(before = merged.files_before, after = merged.files_after, bytes = merged.bytes, "files were merged");
    Ok(())
}
