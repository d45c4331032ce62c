//! Ingests blocks from nodes: a range once, or following the head.

mod fetch;
mod follow;
#[cfg(test)]
mod follow_tests;
mod fork;
mod memory_budget;
#[cfg(test)]
mod overwrite_tests;
mod parent_links;
mod progress;
mod range;
#[cfg(test)]
mod tests;
mod tokens;

use std::sync::Arc;
use std::time::Duration;

use quarry_lake::{BlockRange, Lake, Origin, Snapshot};
use quarry_types::{Error, ErrorCode, Result};
use tokio_util::sync::CancellationToken;

use crate::plan::PieceSize;
use crate::rpc::{NodeConfig, Nodes};
pub use follow::{FollowConfig, FollowEvent, follow};
use parent_links::Replaces;
pub use progress::IngestProgress;
use range::{Target, bring};

/// Minimum blocks that are overwritten together: each group is a transaction of the lake.
const OVERWRITE_BLOCKS: i64 = 1000;

/// What to ingest.
#[derive(Debug, Clone)]
pub struct IngestConfig {
    /// Nodes of one chain; at least one.
    pub nodes: Vec<NodeConfig>,
    /// First block.
    pub from: u64,
    /// Last block; by default the head of the nodes.
    pub to: Option<u64>,
    /// Whether blocks that the lake has are fetched and replaced.
    pub overwrite: bool,
}

impl IngestConfig {
    /// The default settings for nodes at these addresses, as `NodeConfig::new` reads them.
    pub fn new(addresses: &[impl AsRef<str>], from: u64, to: Option<u64>) -> Result<IngestConfig> {
        let nodes = addresses.iter().map(|address| NodeConfig::new(address.as_ref())).collect::<Result<_>>()?;
        Ok(IngestConfig { nodes, from, to, overwrite: false })
    }
}

/// The result of a run.
#[derive(Debug, Clone, PartialEq)]
pub struct IngestSummary {
    pub chain_id: u64,
    /// The requested range, up to the head by default. When overwriting, extended to whole published ranges.
    pub range: BlockRange,
    /// Blocks of the range that the lake already had.
    pub blocks_held: u64,
    pub blocks_fetched: u64,
    /// Rows written over all tables.
    pub rows: u64,
    pub elapsed: Duration,
}

/// Ingests the blocks of a range that the lake lacks, or all of them when overwriting. Calls `progress` after every few
/// blocks. `cancel` ends it with `Killed`; published blocks remain and the next call continues.
///
/// # Errors
/// `InvalidInput` for an invalid range, one past the head, or a lake of another chain; `Source` for a node that can't
/// be reached or gives an invalid response; `Verification` when its chain does not continue that of the lake.
pub async fn run(
    lake: &Lake,
    config: IngestConfig,
    mut progress: impl FnMut(IngestProgress) + Send,
    cancel: CancellationToken,
) -> Result<IngestSummary> {
    let mut published = 0;
    let watched = |now: IngestProgress| {
        published = now.blocks_published;
        progress(now);
    };
    let outcome = cancel.run_until_cancelled(ingest(lake, config, watched)).await;
    let outcome = outcome.unwrap_or_else(|| {
        let message = format!("The ingest was stopped; {published} new blocks are in the lake.");
        Err(Error::new(ErrorCode::Killed, message))
    });
    if let Err(error) = &outcome
        && error.code == ErrorCode::Verification
    {
        lake.record_verification_failure(None, &error.message).await?;
    }
    outcome
}

async fn ingest(
    lake: &Lake,
    config: IngestConfig,
    progress: impl FnMut(IngestProgress) + Send,
) -> Result<IngestSummary> {
    check_lake(lake).await?;
    if let Some(to) = config.to.filter(|&to| to < config.from) {
        return Err(invalid(format!("The block range ends ({to}) before it begins ({}).", config.from)));
    }
    let nodes = Arc::new(Nodes::connect(config.nodes.clone()).await?);
    check_chain(lake, &nodes).await?;
    let (mut range, head) = asked_range(&config, &nodes).await?;

    let writer = lake.writer().await?;
    writer.claim(nodes.chain_id(), Origin::Node).await?;
    let snapshot = lake.snapshot().await?;
    if config.overwrite {
        range = snapshot.widen(range);
        if range.to.unsigned_abs() > head {
            return Err(past_the_head(range.to.unsigned_abs(), head));
        }
    }
    let missing = snapshot.missing(range);
    let blocks_held = range.blocks() - missing.iter().map(|part| part.blocks()).sum::<u64>();
    let (parts, size, replaces) = match config.overwrite {
        true => (whole_pieces(range, &snapshot), PieceSize::fixed(u64::MAX), Replaces::TheSame),
        false => (missing, PieceSize::new(), Replaces::Nothing),
    };
    let finalized = finalized(&nodes).await?;
    let chain_id = nodes.chain_id();
    let target = Target { lake, writer: &writer, nodes, finalized, size, replaces };
    let meter = bring(target, parts, progress).await?;
    Ok(IngestSummary {
        chain_id,
        range,
        blocks_held,
        blocks_fetched: meter.published,
        rows: meter.rows,
        elapsed: meter.started.elapsed(),
    })
}

async fn finalized(nodes: &Nodes) -> Result<Option<i64>> {
    Ok(nodes.finalized().await?.and_then(|number| i64::try_from(number).ok()))
}

/// A lake with the sample chain accepts no other chain.
async fn check_lake(lake: &Lake) -> Result<()> {
    match lake.info().await?.origin {
        Some(Origin::Sample) => Err(invalid(
            "This home holds the sample chain. Choose another one with --home to ingest from a node.".to_string(),
        )),
        Some(Origin::Node) | None => Ok(()),
    }
}

async fn check_chain(lake: &Lake, nodes: &Nodes) -> Result<()> {
    match lake.info().await?.chain_id {
        Some(held) if held != nodes.chain_id() => Err(invalid(format!(
            "This lake holds chain {held} but the node at {} serves chain {}. Choose another lake with --home.",
            nodes.name(),
            nodes.chain_id()
        ))),
        _ => Ok(()),
    }
}

/// The range, and the head of the nodes.
async fn asked_range(config: &IngestConfig, nodes: &Nodes) -> Result<(BlockRange, u64)> {
    let head = nodes.head().await?;
    let to = config.to.unwrap_or(head);
    if to > head || config.from > head {
        return Err(past_the_head(to.max(config.from), head));
    }
    let number = |block| i64::try_from(block).map_err(|_| invalid(format!("{block} is not a valid block number.")));
    Ok((BlockRange::new(number(config.from)?, number(to)?)?, head))
}

fn past_the_head(asked: u64, head: u64) -> Error {
    invalid(format!("Block {asked} is past the node's newest block, {head}."))
}

/// Splits a range without splitting a published range, as those are replaced whole.
fn whole_pieces(range: BlockRange, snapshot: &Snapshot) -> Vec<BlockRange> {
    let mut pieces = Vec::new();
    let mut from = range.from;
    while from <= range.to {
        let to = from.saturating_add(OVERWRITE_BLOCKS - 1).min(range.to);
        let to = snapshot.ranges.iter().find(|held| held.contains(to)).map_or(to, |held| held.to);
        pieces.push(BlockRange { from, to });
        from = to.saturating_add(1);
    }
    pieces
}

fn invalid(message: String) -> Error {
    Error::new(ErrorCode::InvalidInput, message)
}
