//! `quarry ingest`: a range of blocks from a node into the lake.

use std::time::Duration;

use clap::Args;
use indicatif::{ProgressBar, ProgressStyle};
use quarry_engine::lake::Lake;
use quarry_ingest::{IngestConfig, IngestProgress};
use tokio_util::sync::CancellationToken;

use super::CliError;
use super::home::Home;
use super::show::grouped;
use crate::config::Settings;

#[derive(Debug, Args)]
pub struct Words {
    /// Address of the node: http, https, ws or wss.
    #[arg(long, value_name = "URL")]
    rpc: String,
    /// First block.
    #[arg(long, value_name = "BLOCK")]
    from: u64,
    /// Last block, included; the node's newest when left out.
    #[arg(long, value_name = "BLOCK")]
    to: Option<u64>,
    /// Requests under way at the same time.
    #[arg(long, default_value_t = 8)]
    requests: usize,
}

pub async fn run(settings: Settings, words: Words) -> Result<(), CliError> {
    if let Some(to) = words.to.filter(|to| *to < words.from) {
        return Err(CliError::Usage(format!("The range of blocks ends ({to}) before it begins ({}).", words.from)));
    }
    let home = Home::open(&settings.home)?;
    let lake = Lake::open(&home.dir().join("lake")).await?;
    let mut config =
        IngestConfig::new(&words.rpc, words.from, words.to).map_err(|error| CliError::Usage(error.to_string()))?;
    config.concurrency = words.requests.max(1);

    let bar = ProgressBar::no_length().with_style(style()?);
    let cancel = CancellationToken::new();
    let run = quarry_ingest::run(&lake, config, |progress| show(&bar, progress), cancel.clone());
    let mut run = std::pin::pin!(run);
    let ended = tokio::select! {
        ended = &mut run => ended,
        interrupted = tokio::signal::ctrl_c() => {
            interrupted?;
            cancel.cancel();
            run.await
        }
    };
    bar.finish_and_clear();
    let summary = ended?;
    eprintln!(
        "Blocks {} of chain {} are in the lake: {} new with {} rows in {:.1} s, {} were there before",
        summary.range,
        summary.chain_id,
        grouped(summary.blocks_fetched),
        grouped(summary.rows),
        summary.elapsed.as_secs_f64(),
        grouped(summary.blocks_held),
    );
    Ok(())
}

fn show(bar: &ProgressBar, progress: IngestProgress) {
    bar.set_length(progress.blocks_total);
    bar.set_position(progress.blocks_done);
    let left = progress.remaining.map_or_else(|| "unknown time".to_string(), time);
    bar.set_message(format!("{:.0} blocks/s, {left} left", progress.blocks_per_second));
}

fn time(left: Duration) -> String {
    let seconds = left.as_secs();
    match seconds {
        0..60 => format!("{seconds} s"),
        60..3600 => format!("{} min {} s", seconds / 60, seconds % 60),
        _ => format!("{} h {} min", seconds / 3600, seconds / 60 % 60),
    }
}

fn style() -> Result<ProgressStyle, CliError> {
    ProgressStyle::with_template("{bar:40} {percent}%  {human_pos}/{human_len} blocks  {msg}")
        .map_err(|error| CliError::Failed(error.to_string()))
}
