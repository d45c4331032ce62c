//! `quarry ingest`: a range of blocks from a node into the lake.

use std::time::Duration;

use clap::Args;
use indicatif::{ProgressBar, ProgressStyle};
use quarry_ingest::{FollowConfig, IngestConfig, IngestProgress};
use quarry_lake::Lake;
use tokio_util::sync::CancellationToken;

use super::home::Home;
use super::show::grouped;
use super::{CliError, follow};
use crate::config::Settings;

#[derive(Debug, Args)]
pub struct Words {
    /// First block.
    #[arg(long, value_name = "BLOCK", required_unless_present = "follow")]
    from: Option<u64>,
    /// Last block, included; the node's newest when left out.
    #[arg(long, value_name = "BLOCK")]
    to: Option<u64>,
    /// Go on with every new block until it is stopped; without --from, where the lake ends.
    #[arg(long, conflicts_with = "to")]
    follow: bool,
    /// Bring blocks that the lake holds anew, in place of what it holds: with traces that it lacks, or after a file was damaged.
    #[arg(long, conflicts_with = "follow")]
    overwrite: bool,
    /// Take blocks as the node gives them: without it every hash, root, bloom filter and sender is computed again.
    #[arg(long)]
    no_verify: bool,
    /// Ask for the traces of every block as well; they fill the tables traces and contracts.
    #[arg(long)]
    traces: bool,
    /// Most requests under way at a node at once; as many of them are used as make it faster.
    #[arg(long, default_value_t = 32)]
    requests: usize,
}

pub async fn run(settings: Settings, words: Words) -> Result<(), CliError> {
    if let (Some(from), Some(to)) = (words.from, words.to)
        && to < from
    {
        return Err(CliError::Usage(format!("The block range ends ({to}) before it begins ({from}).")));
    }
    let mut nodes = settings.rpc.0;
    if nodes.is_empty() {
        return Err(CliError::Usage("No node is named: give --rpc URL, or set QUARRY_RPC.".to_string()));
    }
    for node in &mut nodes {
        node.verify = !words.no_verify;
        node.traces = words.traces;
        node.requests = words.requests.max(1);
    }
    let home = Home::open(&settings.home)?;
    let lake = Lake::open(&home.dir().join("lake")).await?;
    if words.follow {
        let config = FollowConfig { nodes, from: words.from, allow_deep_reorg: settings.allow_deep_reorg };
        return follow::on_terminal(&lake, config).await;
    }
    let overwrite = words.overwrite;
    let config = IngestConfig { nodes, from: words.from.unwrap_or_default(), to: words.to, overwrite };
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
        "Blocks {} of chain {} are in the lake: {} {} with {} rows in {:.1} s, {} were there before",
        summary.range,
        summary.chain_id,
        grouped(summary.blocks_fetched),
        if overwrite { "brought" } else { "new" },
        grouped(summary.rows),
        summary.elapsed.as_secs_f64(),
        grouped(summary.blocks_held),
    );
    Ok(())
}

pub(super) fn show(bar: &ProgressBar, progress: IngestProgress) {
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

pub(super) fn style() -> Result<ProgressStyle, CliError> {
    ProgressStyle::with_template("{bar:40} {percent}%  {human_pos}/{human_len} blocks  {msg}")
        .map_err(|error| CliError::Failed(error.to_string()))
}
