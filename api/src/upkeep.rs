//! What a server does for its lake while nobody asks.

use std::time::Duration;

use quarry_engine::lake::{Compaction, Lake, LakeWriter};
use quarry_engine::{ErrorCode, Result};
use tokio_util::sync::CancellationToken;

/// Time between two looks at what could be merged.
const LOOK: Duration = Duration::from_secs(60);

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
