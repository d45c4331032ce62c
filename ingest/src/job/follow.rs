//! Follows the head of the chain: publishes new blocks as soon as a node announces them and replaces reorganized
//! blocks.

use std::sync::Arc;
use std::time::Duration;

use quarry_lake::{BlockRange, Head, Lake, LakeWriter, Origin, Publish, Snapshot};
use quarry_types::{Error, ErrorCode, Result};
use tokio::time::Instant;

use super::fork::{self, Fork};
use super::parent_links::{Replaces, held};
use super::progress::IngestProgress;
use super::range::{self, Target, bring};
use super::{check_chain, check_lake, finalized};
use crate::plan::PieceSize;
use crate::rpc::{BlockStatus, NodeConfig, Nodes};

/// Blocks below the head that may be reorganized when a node knows no finalized block.
const REORG_DEPTH: i64 = 64;
/// Maximum blocks of a publication near the head.
const HEAD_PIECE: u64 = 8;
/// How many times in a row the nodes must lack the newest block of the lake before their chain counts as shorter. A
/// node that lags behind for a moment looks the same.
const CHECKS: u32 = 6;
/// Interval between such checks.
const CHECK_INTERVAL: Duration = Duration::from_millis(500);
/// Maximum blocks that a shorter chain removes when no node reports a finalized block.
const SETTLED_DEPTH: i64 = 256;
/// Delay before a retry after the nodes failed.
const FIRST_PAUSE: Duration = Duration::from_millis(250);
const LONGEST_PAUSE: Duration = Duration::from_secs(15);

/// What to follow.
#[derive(Debug, Clone)]
pub struct FollowConfig {
    /// Nodes of one chain; at least one.
    pub nodes: Vec<NodeConfig>,
    /// First block. By default the end of the lake, or the head of the nodes for an empty lake.
    pub from: Option<u64>,
    /// Whether finalized blocks may be replaced. A node on another chain looks the same as such a reorganization, so an
    /// operator decides.
    pub allow_deep_reorg: bool,
}

/// Events while following the head.
#[derive(Debug)]
pub enum FollowEvent {
    /// Blocks are ingested.
    Progress(IngestProgress),
    /// The lake has reached the head of the nodes.
    Head { number: i64, blocks: u64, took: Duration },
    /// The chain was reorganized and the lake is repaired.
    Reorg {
        /// Newest common block.
        fork: i64,
        /// Number of replaced blocks.
        depth: u64,
        /// Whether finalized blocks changed.
        finalized: bool,
    },
    /// The nodes failed; the follower retries.
    Trouble(Error),
}

/// Follows the head until the future is dropped, which leaves a consistent lake at any moment.
///
/// # Errors
/// Permanent failures: a lake of another chain, a chain without a common block or with a fork below a final block, a
/// full disk. It retries when nodes fail later.
pub async fn follow(
    lake: &Lake,
    writer: &LakeWriter,
    config: FollowConfig,
    mut event: impl FnMut(FollowEvent) + Send,
) -> Result<()> {
    check_lake(lake).await?;
    let nodes = Arc::new(Nodes::connect(config.nodes).await?);
    check_chain(lake, &nodes).await?;
    writer.claim(nodes.chain_id(), Origin::Node).await?;
    let from = config.from.map(|from| i64::try_from(from).unwrap_or(i64::MAX));
    let allow_deep = config.allow_deep_reorg;
    let mut follower = Follower { lake, writer, nodes: Arc::clone(&nodes), from, allow_deep, without: 0 };
    let mut announcements = nodes.announcements();
    let mut pause = FIRST_PAUSE;
    let (mut doubted, mut recorded) = (false, String::new());
    loop {
        match follower.catch_up(&mut event).await {
            Ok(CatchUp::Up { moved }) => {
                (pause, doubted) = (FIRST_PAUSE, false);
                announcements.next(moved).await;
            }
            Ok(CatchUp::Waiting) => tokio::time::sleep(CHECK_INTERVAL).await,
            Err(error) if matches!(error.code, ErrorCode::Source | ErrorCode::Verification) => {
                if error.code == ErrorCode::Verification {
                    // Repairs a reorganization that happened meanwhile. A repeated failure is reported.
                    if doubted && recorded != error.message {
                        recorded.clone_from(&error.message);
                        lake.record_verification_failure(None, &error.message).await?;
                    }
                    doubted = true;
                }
                event(FollowEvent::Trouble(error));
                tokio::time::sleep(pause).await;
                pause = (pause * 2).min(LONGEST_PAUSE);
            }
            Err(error) => return Err(error),
        }
    }
}

/// The result of a check of the nodes.
enum CatchUp {
    /// The lake is at the head of the nodes; `moved` if it ingested new blocks.
    Up { moved: bool },
    /// The nodes lack the newest block of the lake, perhaps for a moment.
    Waiting,
}

struct Follower<'a> {
    lake: &'a Lake,
    writer: &'a LakeWriter,
    nodes: Arc<Nodes>,
    from: Option<i64>,
    allow_deep: bool,
    /// How many times in a row the nodes lacked the newest block of the lake.
    without: u32,
}

impl Follower<'_> {
    /// Repairs a reorganization, then ingests missing blocks.
    async fn catch_up(&mut self, event: &mut (impl FnMut(FollowEvent) + Send)) -> Result<CatchUp> {
        let started = Instant::now();
        let head = block_number(self.nodes.head().await?)?;
        let snapshot = self.lake.snapshot().await?;
        if let Some(last) = snapshot.head
            && !self.is_in_step(&snapshot, last, head, event).await?
        {
            return Ok(CatchUp::Waiting);
        }
        let snapshot = self.lake.snapshot().await?;
        let newest = snapshot.covered().last().copied();
        let from = self.from.or(newest.map(|range| range.from)).unwrap_or(head);
        if from > head {
            return Ok(CatchUp::Up { moved: false });
        }
        let missing = snapshot.missing(BlockRange::new(from, head)?);
        let blocks: u64 = missing.iter().map(|part| part.blocks()).sum();
        if blocks == 0 {
            return Ok(CatchUp::Up { moved: false });
        }
        let finalized = finalized(&self.nodes).await?;
        let (settled, unsettled) = split(missing, finalized.unwrap_or(head - REORG_DEPTH));
        for (ranges, size) in [(settled, PieceSize::new()), (unsettled, PieceSize::fixed(HEAD_PIECE))] {
            if !ranges.is_empty() {
                let target = self.target(finalized, size, Replaces::Nothing);
                bring(target, ranges, |now| event(FollowEvent::Progress(now))).await?;
            }
        }
        event(FollowEvent::Head { number: head, blocks, took: started.elapsed() });
        Ok(CatchUp::Up { moved: true })
    }

    /// Repairs the lake and returns whether it has only blocks of the nodes' chain. False while the nodes have neither
    /// its newest block nor another one at that height.
    async fn is_in_step(
        &mut self,
        snapshot: &Snapshot,
        last: Head,
        head: i64,
        event: &mut (impl FnMut(FollowEvent) + Send),
    ) -> Result<bool> {
        let standing = self.nodes.block_status(last.number.unsigned_abs(), last.hash).await?;
        if standing == BlockStatus::Canonical {
            self.without = 0;
            return Ok(true);
        }
        let fork = fork::find(self.lake, &self.nodes, snapshot, last.number.min(head)).await?;
        let is_replaced =
            standing == BlockStatus::Replaced || matches!(fork, Fork::Nothing | Fork::After { is_proven: true, .. });
        if !is_replaced {
            self.without += 1;
            if self.without < CHECKS {
                return Ok(false);
            }
        }
        self.without = 0;
        let settled = snapshot.finalized.unwrap_or(last.number - SETTLED_DEPTH);
        // An unreachable node may have blocks that the others lack.
        let is_shorter = head < last.number && self.nodes.are_all_available();
        let lowest = fork::lowest(snapshot);
        let stays = match fork {
            Fork::After { shared, .. } if is_replaced || (is_shorter && shared >= settled) => shared,
            // No block of the lake is final.
            Fork::Nothing if lowest > snapshot.finalized.unwrap_or(last.number - REORG_DEPTH) => lowest - 1,
            Fork::Nothing => return Err(self.shares_nothing()),
            Fork::After { .. } | Fork::Unknown => return Err(self.is_behind(last.number, head)),
        };
        if let Some(finalized) = snapshot.finalized
            && stays < finalized
            && !self.allow_deep
        {
            return Err(self.refuse_deep(stays, finalized).await?);
        }
        if stays < last.number {
            self.repair(snapshot, last, stays, head, event).await?;
        }
        Ok(true)
    }

    /// Why a reorganization of finalized blocks is not followed. The state of the lake shows it.
    async fn refuse_deep(&self, shared: i64, finalized: i64) -> Result<Error> {
        let name = self.nodes.name();
        let message = format!(
            "The node at {name} has different blocks from {} on, below the finalized block {finalized}. Following was \
             stopped and the lake was not changed. If the node's chain is the right one, start again with \
             --allow-deep-reorg.",
            shared + 1
        );
        self.lake.record_verification_failure(Some(shared + 1), &message).await?;
        Ok(Error::new(ErrorCode::InvalidInput, message))
    }

    fn shares_nothing(&self) -> Error {
        let name = self.nodes.name();
        Error::new(
            ErrorCode::InvalidInput,
            format!("None of the lake's blocks are on the chain that {name} serves. Choose another lake with --home."),
        )
    }

    fn is_behind(&self, number: i64, head: i64) -> Error {
        let name = self.nodes.name();
        Error::new(
            ErrorCode::Source,
            format!(
                "The node at {name} is behind this lake: its newest block is {head}, and it has no block {number}."
            ),
        )
    }

    /// Replaces everything after a block in one publication.
    async fn repair(
        &self,
        snapshot: &Snapshot,
        last: Head,
        fork: i64,
        head: i64,
        event: &mut (impl FnMut(FollowEvent) + Send),
    ) -> Result<()> {
        // Ranges are replaced whole, so some common blocks may be fetched again.
        let gone = snapshot.widen(BlockRange::new(fork + 1, last.number)?);
        let finalized = finalized(&self.nodes).await?;
        let repaired = if gone.from <= head {
            let brought = BlockRange::new(gone.from, head)?;
            let replaces = Replaces::AllFrom { block: gone.from, given_up: fork + 1 };
            let target = self.target(finalized, PieceSize::fixed(brought.blocks()), replaces);
            bring(target, vec![brought], |now| event(FollowEvent::Progress(now))).await.map(|_| ())
        } else {
            let newest = snapshot.ranges.iter().map(|range| range.to).filter(|&to| to < gone.from).max();
            let left = newest.map(|number| held(self.lake, snapshot, number)).transpose()?.flatten();
            let finalized = range::finalized(finalized, left);
            let publish = Publish { head: left, finalized, ..Publish::reorg(gone.from, fork + 1) };
            self.writer.publish(Vec::new(), publish).await.map(|_| ())
        };
        if let Err(error) = repaired {
            // Compaction may have merged files meanwhile: look up the range again.
            let moved = self.lake.snapshot().await?.id != snapshot.id;
            return if moved && error.code == ErrorCode::InvalidInput { Ok(()) } else { Err(error) };
        }
        let was_final = snapshot.finalized.is_some_and(|finalized| fork < finalized);
        let depth = (last.number - fork).unsigned_abs();
        event(FollowEvent::Reorg { fork, depth, finalized: was_final });
        Ok(())
    }

    fn target(&self, finalized: Option<i64>, size: PieceSize, replaces: Replaces) -> Target<'_> {
        Target { lake: self.lake, writer: self.writer, nodes: Arc::clone(&self.nodes), finalized, size, replaces }
    }
}

/// Splits pieces after a block.
fn split(ranges: Vec<BlockRange>, at: i64) -> (Vec<BlockRange>, Vec<BlockRange>) {
    let before = ranges.iter().filter(|range| range.from <= at);
    let after = ranges.iter().filter(|range| range.to > at);
    (
        before.map(|range| BlockRange { from: range.from, to: range.to.min(at) }).collect(),
        after.map(|range| BlockRange { from: range.from.max(at + 1), to: range.to }).collect(),
    )
}

fn block_number(number: u64) -> Result<i64> {
    i64::try_from(number)
        .map_err(|_| Error::new(ErrorCode::Source, format!("The node reported {number} as a block number.")))
}
