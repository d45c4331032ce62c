//! Follows the head of the chain: new blocks appear in the lake as soon as a node announces them, and blocks that the
//! chain gave up vanish from all tables at the moment their successors appear.

use std::sync::Arc;
use std::time::Duration;

use quarry_engine::lake::{BlockRange, Head, Lake, LakeWriter, Origin, Publish, Snapshot};
use quarry_engine::{Error, ErrorCode, Result};
use tokio::time::Instant;

use super::range::{Target, bring};
use super::{IngestProgress, check_chain, check_lake, finalised};
use crate::plan::PieceSize;
use crate::rpc::{NodeConfig, Nodes};
use crate::verify;

/// Blocks below the head that may still change where a node tells of no finalised block.
const UNSETTLED: i64 = 64;
/// Blocks that are published together where they may still change.
const HEAD_PIECE: u64 = 8;
/// Blocks whose hashes are compared at once to find where the chains part; twice as many each time.
const FIRST_WINDOW: i64 = 16;
const LARGEST_WINDOW: i64 = 1024;
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
/// What will not pass by itself: a lake of another chain, a chain that shares no block with the lake, a full disk.
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
    let follower = Follower { lake, writer, nodes: Arc::clone(&nodes), from };
    let mut announcements = nodes.announcements();
    let mut pause = FIRST_PAUSE;
    let mut recorded = String::new();
    loop {
        match follower.catch_up(&mut event).await {
            Ok(()) => {
                pause = FIRST_PAUSE;
                announcements.next().await;
            }
            Err(error) if matches!(error.code, ErrorCode::Source | ErrorCode::Verification) => {
                // The same failure again and again is one for those who watch the lake.
                if error.code == ErrorCode::Verification && recorded != error.message {
                    recorded.clone_from(&error.message);
                    lake.record_verification_failure(None, &error.message).await?;
                }
                event(FollowEvent::Trouble(error));
                tokio::time::sleep(pause).await;
                pause = (pause * 2).min(LONGEST_PAUSE);
            }
            Err(error) => return Err(error),
        }
    }
}

struct Follower<'a> {
    lake: &'a Lake,
    writer: &'a LakeWriter,
    nodes: Arc<Nodes>,
    from: Option<i64>,
}

impl Follower<'_> {
    /// Repairs what was reorganised, then brings what is missing.
    async fn catch_up(&self, event: &mut (impl FnMut(FollowEvent) + Send)) -> Result<()> {
        let started = Instant::now();
        let head = block_number(self.nodes.head().await?)?;
        let snapshot = self.lake.snapshot().await?;
        if let Some(last) = snapshot.head
            && (last.number > head || self.nodes.hash_at(last.number.unsigned_abs()).await? != Some(last.hash))
        {
            self.repair(&snapshot, last, head, event).await?;
        }
        let snapshot = self.lake.snapshot().await?;
        let newest = snapshot.covered().last().copied();
        let from = self.from.or(newest.map(|range| range.from)).unwrap_or(head);
        if from > head {
            return Ok(());
        }
        let missing = snapshot.missing(BlockRange::new(from, head)?);
        let blocks: u64 = missing.iter().map(|part| part.blocks()).sum();
        if blocks == 0 {
            return Ok(());
        }
        let finalised = finalised(&self.nodes).await?;
        let (settled, unsettled) = split(missing, finalised.unwrap_or(head - UNSETTLED));
        let mut last = snapshot.head;
        for (ranges, size) in [(settled, PieceSize::new()), (unsettled, PieceSize::fixed(HEAD_PIECE))] {
            let target = Target {
                writer: self.writer,
                nodes: Arc::clone(&self.nodes),
                last,
                finalised,
                size,
                replace_from: None,
            };
            if !ranges.is_empty() {
                bring(target, ranges, |now| event(FollowEvent::Progress(now))).await?;
                last = self.lake.snapshot().await?.head;
            }
        }
        event(FollowEvent::Head { number: head, blocks, took: started.elapsed() });
        Ok(())
    }

    /// Replaces everything after the last block that lake and nodes share, in one publication.
    async fn repair(
        &self,
        snapshot: &Snapshot,
        last: Head,
        head: i64,
        event: &mut (impl FnMut(FollowEvent) + Send),
    ) -> Result<()> {
        let fork = self.fork(snapshot, last.number, head).await?;
        if fork == last.number {
            return Ok(());
        }
        // Ranges are replaced as they were published, so some blocks that stayed may be fetched again.
        let gone = snapshot.widen(BlockRange::new(fork + 1, last.number)?);
        let before = self.held(snapshot, gone.from - 1)?;
        let finalised = finalised(&self.nodes).await?;
        let repaired = if gone.from <= head {
            let brought = BlockRange::new(gone.from, head)?;
            let target = Target {
                writer: self.writer,
                nodes: Arc::clone(&self.nodes),
                last: before,
                finalised,
                size: PieceSize::fixed(brought.blocks()),
                replace_from: Some(gone.from),
            };
            bring(target, vec![brought], |now| event(FollowEvent::Progress(now))).await.map(|_| ())
        } else {
            let publish = Publish {
                head: before,
                finalised,
                replace: true,
                cut_from: Some(gone.from),
                reason: "reorg".to_string(),
            };
            self.writer.publish(Vec::new(), publish).await.map(|_| ())
        };
        if let Err(error) = repaired {
            // Files may have been merged meanwhile: what must be replaced is found anew.
            let moved = self.lake.snapshot().await?.id != snapshot.id;
            return if moved && error.code == ErrorCode::InvalidInput { Ok(()) } else { Err(error) };
        }
        let was_final = snapshot.finalised.is_some_and(|finalised| fork < finalised);
        let depth = (last.number - fork).unsigned_abs();
        event(FollowEvent::Reorg { fork, depth, finalised: was_final });
        Ok(())
    }

    /// The newest block that lake and nodes share.
    async fn fork(&self, snapshot: &Snapshot, last: i64, head: i64) -> Result<i64> {
        let mut to = last.min(head);
        let mut window = FIRST_WINDOW;
        while to >= 0 {
            let from = (to - window + 1).max(0);
            let held = verify::stored_heads(self.lake.dir(), snapshot, BlockRange::new(from, to)?)?;
            let numbers: Vec<u64> = held.iter().map(|head| head.number.unsigned_abs()).collect();
            let theirs = self.nodes.hashes_at(&numbers).await?;
            let shared = held.iter().zip(theirs).rev().find(|(held, theirs)| Some(held.hash) == *theirs);
            if let Some((shared, _)) = shared {
                return Ok(shared.number);
            }
            to = from - 1;
            window = (window * 2).min(LARGEST_WINDOW);
        }
        let name = self.nodes.name();
        Err(Error::new(
            ErrorCode::InvalidInput,
            format!(
                "None of the lake's blocks is one of the chain that {name} serves. Choose another lake with --home."
            ),
        ))
    }

    /// What the lake holds of a block.
    fn held(&self, snapshot: &Snapshot, number: i64) -> Result<Option<Head>> {
        if number < 0 {
            return Ok(None);
        }
        Ok(verify::stored_heads(self.lake.dir(), snapshot, BlockRange::new(number, number)?)?.pop())
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
