//! Following the head of a chain: on the terminal (`quarry ingest --follow`) and beside the server.

use std::time::Duration;

use indicatif::ProgressBar;
use quarry_engine::lake::Lake;
use quarry_engine::{Error, ErrorCode};
use quarry_ingest::{FollowConfig, FollowEvent};
use tokio_util::sync::CancellationToken;

use super::ingest::{show, style};
use super::show::grouped;
use super::{CliError, serve, upkeep};

/// Between two tries while another process writes the lake, or after a failure that may pass.
const AGAIN: Duration = Duration::from_secs(10);

/// Follows until Ctrl-C or SIGTERM, which is how it ends well.
pub async fn on_terminal(lake: &Lake, config: FollowConfig) -> Result<(), CliError> {
    let writer = lake.writer().await?;
    let bar = ProgressBar::no_length().with_style(style()?);
    let following = quarry_ingest::follow(lake, &writer, config, |event| match event {
        FollowEvent::Progress(progress) => show(&bar, progress),
        other => bar.suspend(|| eprintln!("{}", line(&other))),
    });
    let ended = tokio::select! {
        ended = following => ended.map_err(CliError::from),
        asked = serve::stop_asked() => asked,
    };
    bar.finish_and_clear();
    ended
}

/// Follows beside the server until it stops. What goes wrong is logged and tried again, unless it can't pass.
pub async fn beside_server(lake: Lake, config: FollowConfig, stop: CancellationToken) {
    let following = async {
        while let Err(error) = once(&lake, config.clone()).await {
            let passes = !matches!(error.code, ErrorCode::InvalidInput);
            if !passes {
                tracing::error!(%error, "the head of the chain is not followed");
                return;
            }
            tracing::warn!(%error, "following the head of the chain stopped, it is tried again");
            tokio::time::sleep(AGAIN).await;
        }
    };
    stop.run_until_cancelled(following).await;
}

async fn once(lake: &Lake, config: FollowConfig) -> Result<(), Error> {
    let writer = lake.writer().await?;
    let following = quarry_ingest::follow(lake, &writer, config, |event| match event {
        FollowEvent::Progress(_) => {}
        FollowEvent::Head { .. } => tracing::debug!("{}", line(&event)),
        FollowEvent::Reorg { .. } | FollowEvent::Trouble(_) => tracing::warn!("{}", line(&event)),
    });
    tokio::select! {
        ended = following => ended,
        // One writer for both: files are merged while the head moves.
        () = upkeep::compact_with(lake, &writer) => Ok(()),
    }
}

fn line(event: &FollowEvent) -> String {
    match event {
        FollowEvent::Progress(progress) => format!("{} blocks fetched", grouped(progress.blocks_done)),
        FollowEvent::Head { number, blocks, took } => {
            format!("Block {number} is in the lake: {} new in {:.2} s", grouped(*blocks), took.as_secs_f64())
        }
        FollowEvent::Reorg { fork, depth, finalised } => {
            let final_too = if *finalised { ", some of them called final before" } else { "" };
            format!("The chain was reorganised after block {fork}: {depth} blocks replaced{final_too}")
        }
        FollowEvent::Trouble(error) => format!("{error} Trying again."),
    }
}
