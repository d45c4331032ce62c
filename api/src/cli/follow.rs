//! Following the head of a chain on the terminal (`quarry ingest --follow`).

use indicatif::ProgressBar;
use quarry_ingest::{FollowConfig, FollowEvent};
use quarry_lake::Lake;

use super::ingest::{show, style};
use super::{CliError, serve};
use crate::following::line;
use crate::upkeep;

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
        // What comes block by block would stay as many small files until the writer is let go.
        () = upkeep::compact_with(lake, &writer) => Ok(()),
    };
    bar.finish_and_clear();
    ended
}
