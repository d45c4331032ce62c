//! Follows the head of the chain: new blocks appear in the lake as soon as a node announces them, and blocks that the
//! chain gave up vanish from all tables at the moment their successors appear.

use std::sync::Arc;
use std::time::Duration;

use quarry_lake::{BlockRange, Head, Lake, LakeWriter, Origin, Publish, Snapshot};
use quarry_types::{Error, ErrorCode, Result};
use tokio::time::Instant;

use super::fork::{self, Fork};
use super::meter::IngestProgress;
use super::parent_links::{InsteadOf, held};
use super::range::{self, Target, bring};
use super::{check_chain, check_lake, finalised};
use crate::plan::PieceSize;
use crate::rpc::{BlockStatus, NodeConfig, Nodes};

/// Blocks below the head that may still change where a node knows no finalised block.
const UNSETTLED: i64 = 64;
/// Blocks that are published together where they may still change.
const HEAD_PIECE: u64 = 8;
/// How often in a row the nodes must be found without the lake's newest block, and without another in its place, before
/// their chain counts as shorter: one that is behind for a moment shows the same.
const LOOKS: u32 = 6;
/// Between two such looks.
const LOOK: Duration = Duration::from_millis(500);
/// Blocks below the lake's head that no shorter chain takes away, where no node reported what is final.
const SETTLED_DEPTH: i64 = 256;
/// Between two tries while the nodes fail.
const FIRST_PAUSE: Duration = Duration::from_millis(250);
const LONGEST_PAUSE: Duration = Duration::from_secs(15);

/// What to follow.
#[derive(Debug, Clone)]
pub struct FollowConfig {
    /// Nodes of one chain; at least one.
    pub nodes: Vec<NodeConfig>,
    /// First block; where the lake's newest blocks begin when not given, or the nodes' newest block for an empty lake.
    pub from: Option<u64>,
    /// Whether blocks may be replaced that a node had called final. A node that follows another chain, or none of its own,
    /// shows the same as such a reorganisation, so it takes an operator's word.
    pub allow_deep_reorg: bool,
}

/// What happens while the head is followed.
#[derive(Debug)]
pub enum FollowEvent {
    /// Blocks are being brought in.
    Progress(IngestProgress),
    /// The lake is at the nodes' head.
    Head { number: i64, blocks: u64, took: Duration },
    /// The chain was reorganised and the lake is repaired.
    Reorg {
        /// Newest block that stayed.
        fork: i64,
        /// Blocks of the lake after it that are gone.
        depth: u64,
        /// Whether blocks changed that a node had called final.
        finalised: bool,
    },
    /// The nodes fail; it is tried again.
    Trouble(Error),
}

/// Brings the lake to the head and keeps it there until it is dropped. Dropping it leaves a whole lake at any moment.
///
/// # Errors
/// What will not pass by itself: a lake of another chain, a chain that shares no block with the lake or parts from it below
/// a final block, a full disk.
/// Nodes that fail later are waited for.
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
            Ok(Caught::Up { moved }) => {
                (pause, doubted) = (FIRST_PAUSE, false);
                announcements.next(moved).await;
            }
            Ok(Caught::Waiting) => tokio::time::sleep(LOOK).await,
            Err(error) if matches!(error.code, ErrorCode::Source | ErrorCode::Verification) => {
                if error.code == ErrorCode::Verification {
                    // What a reorganisation did while blocks came is gone at the next look, and the same failure again and
                    // again is one for those who watch the lake.
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

/// What a look at the nodes came to.
enum Caught {
    /// The lake is where the nodes are; `moved` when that took new blocks.
    Up { moved: bool },
    /// The nodes do not have the lake's newest block, which may pass.
    Waiting,
}

struct Follower<'a> {
    lake: &'a Lake,
    writer: &'a LakeWriter,
    nodes: Arc<Nodes>,
    from: Option<i64>,
    allow_deep: bool,
    /// How often in a row the nodes were without the lake's newest block.
    without: u32,
}

impl Follower<'_> {
    /// Repairs what was reorganised, then brings what is missing.
    async fn catch_up(&mut self, event: &mut (impl FnMut(FollowEvent) + Send)) -> Result<Caught> {
        let started = Instant::now();
        let head = block_number(self.nodes.head().await?)?;
        let snapshot = self.lake.snapshot().await?;
        if let Some(last) = snapshot.head
            && !self.is_in_step(&snapshot, last, head, event).await?
        {
            return Ok(Caught::Waiting);
        }
        let snapshot = self.lake.snapshot().await?;
        let newest = snapshot.covered().last().copied();
        let from = self.from.or(newest.map(|range| range.from)).unwrap_or(head);
        if from > head {
            return Ok(Caught::Up { moved: false });
        }
        let missing = snapshot.missing(BlockRange::new(from, head)?);
        let blocks: u64 = missing.iter().map(|part| part.blocks()).sum();
        if blocks == 0 {
            return Ok(Caught::Up { moved: false });
        }
        let finalised = finalised(&self.nodes).await?;
        let (settled, unsettled) = split(missing, finalised.unwrap_or(head - UNSETTLED));
        for (ranges, size) in [(settled, PieceSize::new()), (unsettled, PieceSize::fixed(HEAD_PIECE))] {
            if !ranges.is_empty() {
                let target = self.target(finalised, size, InsteadOf::Nothing);
                bring(target, ranges, |now| event(FollowEvent::Progress(now))).await?;
            }
        }
        event(FollowEvent::Head { number: head, blocks, took: started.elapsed() });
        Ok(Caught::Up { moved: true })
    }

    /// Whether the lake holds nothing any more that the chain gave up; it is repaired for that. False while the nodes
    /// neither have its newest block nor another one in its place.
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
            if self.without < LOOKS {
                return Ok(false);
            }
        }
        self.without = 0;
        let settled = snapshot.finalised.unwrap_or(last.number - SETTLED_DEPTH);
        // A node that is away may have what the others lack.
        let is_shorter = head < last.number && self.nodes.are_all_awake();
        let lowest = fork::lowest(snapshot);
        let stays = match fork {
            Fork::After { shared, .. } if is_replaced || (is_shorter && shared >= settled) => shared,
            // All that the lake holds came so late that it may change.
            Fork::Nothing if lowest > snapshot.finalised.unwrap_or(last.number - UNSETTLED) => lowest - 1,
            Fork::Nothing => return Err(self.shares_nothing()),
            Fork::After { .. } | Fork::Unknown => return Err(self.is_behind(last.number, head)),
        };
        if let Some(finalised) = snapshot.finalised
            && stays < finalised
            && !self.allow_deep
        {
            return Err(self.refuse_deep(stays, finalised).await?);
        }
        if stays < last.number {
            self.repair(snapshot, last, stays, head, event).await?;
        }
        Ok(true)
    }

    /// Why a reorganisation below a final block is not followed; it is shown to everyone who looks at the lake.
    async fn refuse_deep(&self, shared: i64, finalised: i64) -> Result<Error> {
        let name = self.nodes.name();
        let message = format!(
            "The node at {name} has other blocks from {} on, below block {finalised}, which was final. Following stopped and \
             the lake was not changed. If its chain is the right one, start again with --allow-deep-reorg.",
            shared + 1
        );
        self.lake.record_verification_failure(Some(shared + 1), &message).await?;
        Ok(Error::new(ErrorCode::InvalidInput, message))
    }

    fn shares_nothing(&self) -> Error {
        let name = self.nodes.name();
        Error::new(
            ErrorCode::InvalidInput,
            format!(
                "None of the lake's blocks is one of the chain that {name} serves. Choose another lake with --home."
            ),
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
        // Ranges are replaced as they were published, so some blocks that stayed may be fetched again.
        let gone = snapshot.widen(BlockRange::new(fork + 1, last.number)?);
        let finalised = finalised(&self.nodes).await?;
        let repaired = if gone.from <= head {
            let brought = BlockRange::new(gone.from, head)?;
            let instead_of = InsteadOf::AllFrom { block: gone.from, given_up: fork + 1 };
            let target = self.target(finalised, PieceSize::fixed(brought.blocks()), instead_of);
            bring(target, vec![brought], |now| event(FollowEvent::Progress(now))).await.map(|_| ())
        } else {
            let newest = snapshot.ranges.iter().map(|range| range.to).filter(|&to| to < gone.from).max();
            let left = newest.map(|number| held(self.lake, snapshot, number)).transpose()?.flatten();
            let finalised = range::finalised(finalised, left);
            let publish = Publish { head: left, finalised, ..Publish::reorganised(gone.from, fork + 1) };
            self.writer.publish(Vec::new(), publish).await.map(|_| ())
        };
        if let Err(error) = repaired {
            // Files may have been merged meanwhile: what must be replaced is looked up again.
            let moved = self.lake.snapshot().await?.id != snapshot.id;
            return if moved && error.code == ErrorCode::InvalidInput { Ok(()) } else { Err(error) };
        }
        let was_final = snapshot.finalised.is_some_and(|finalised| fork < finalised);
        let depth = (last.number - fork).unsigned_abs();
        event(FollowEvent::Reorg { fork, depth, finalised: was_final });
        Ok(())
    }

    fn target(&self, finalised: Option<i64>, size: PieceSize, instead_of: InsteadOf) -> Target<'_> {
        Target { lake: self.lake, writer: self.writer, nodes: Arc::clone(&self.nodes), finalised, size, instead_of }
    }
}

/// Parts up to and with a block, and parts after it.
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
        .map_err(|_| Error::new(ErrorCode::Source, format!("The node names {number} as the number of a block.")))
}
