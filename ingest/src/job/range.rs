//! Ingests ranges of blocks from nodes. Fetching, decoding and writing run concurrently. Each piece is published in all
//! tables at once and in ascending order, so an interrupted run continues where it stopped.

use std::sync::Arc;

use quarry_lake::{BlockRange, Head, Lake, LakeWriter, Publish, Staging};
use quarry_types::{Error, Result};
use tokio::sync::mpsc;
use tokio::task::JoinSet;
use tokio::time::Instant;

use super::fetch::{Fetched, QUEUE, fetch};
use super::parent_links::{ParentLinks, Replaces};
use super::progress::{IngestProgress, Meter};
use crate::chain::BlockData;
use crate::decode;
use crate::plan::{PieceSize, Step, Steps};
use crate::rpc::Nodes;
use crate::threads;

/// Maximum transactions and logs of a batch.
const MAX_BATCH_ROWS: usize = 10_000;
/// Maximum bytes of blocks of a batch, except for a single larger block: an Arrow array addresses 2 GiB.
const MAX_BATCH_BYTES: usize = 64 << 20;

/// How blocks are published.
pub(super) struct Target<'a> {
    pub(super) lake: &'a Lake,
    pub(super) writer: &'a LakeWriter,
    pub(super) nodes: Arc<Nodes>,
    /// Highest final block that the nodes report.
    pub(super) finalized: Option<i64>,
    pub(super) size: PieceSize,
    pub(super) replaces: Replaces,
}

/// Fetches ranges in ascending order and publishes them in pieces.
pub(super) async fn bring(
    target: Target<'_>,
    ranges: Vec<BlockRange>,
    progress: impl FnMut(IngestProgress) + Send,
) -> Result<Meter> {
    let total = ranges.iter().map(|part| part.blocks()).sum();
    let links = ParentLinks::of(target.lake, &ranges, target.replaces).await?;
    let nodes = Arc::clone(&target.nodes);
    let steps = Steps::new(ranges, target.size.clone(), move || nodes.step());
    let (sender, fetched) = mpsc::channel(QUEUE);
    let mut fetching = JoinSet::new();
    fetching.spawn(fetch(Arc::clone(&target.nodes), steps, sender));
    let waiting = Waiting::default();
    let mut store = Store { target, links, waiting, staging: None, meter: Meter::new(total), progress };
    store.take_all(fetched).await?;
    ended(fetching).await?;
    Ok(store.meter)
}

/// Whether the task has succeeded. The channel of a task that failed closes as well.
async fn ended(mut work: JoinSet<()>) -> Result<()> {
    while let Some(ended) = work.join_next().await {
        ended.map_err(Error::internal)?;
    }
    Ok(())
}

/// Receives blocks in ascending order and publishes them in pieces.
struct Store<'a, P> {
    target: Target<'a>,
    links: ParentLinks,
    waiting: Waiting,
    staging: Option<Piece>,
    meter: Meter,
    progress: P,
}

/// Blocks that are not decoded yet.
#[derive(Default)]
struct Waiting {
    blocks: Vec<BlockData>,
    rows: usize,
    bytes: usize,
}

impl Waiting {
    fn add(&mut self, blocks: Vec<BlockData>) {
        self.rows += blocks.iter().map(weight).sum::<usize>();
        self.bytes += blocks.iter().map(BlockData::bytes).sum::<usize>();
        self.blocks.extend(blocks);
    }

    fn are_enough(&self) -> bool {
        self.rows >= MAX_BATCH_ROWS || self.bytes >= MAX_BATCH_BYTES
    }

    /// Splits the blocks so that each portion fits a batch.
    fn take(&mut self) -> impl Iterator<Item = Vec<BlockData>> + Send + use<> {
        let mut rest = std::mem::take(self).blocks;
        std::iter::from_fn(move || {
            let count = decode::portion(rest.iter().map(BlockData::bytes), MAX_BATCH_BYTES);
            let later = rest.split_off(count);
            Some(std::mem::replace(&mut rest, later)).filter(|portion| !portion.is_empty())
        })
    }
}

struct Piece {
    staging: Staging,
    started: Instant,
    rows: u64,
}

impl<P: FnMut(IngestProgress) + Send> Store<'_, P> {
    async fn take_all(&mut self, mut fetched: mpsc::Receiver<Fetched>) -> Result<()> {
        while let Some(next) = fetched.recv().await {
            let (step, blocks) = next?;
            self.take(step, blocks).await?;
        }
        Ok(())
    }

    async fn take(&mut self, step: Step, blocks: Vec<BlockData>) -> Result<()> {
        self.links.check(&blocks, &self.target.nodes.name())?;
        self.meter.done += blocks.len() as u64;
        self.waiting.add(blocks);
        let ends = step.blocks.to == step.piece.to;
        if self.waiting.are_enough() || ends {
            for blocks in self.waiting.take() {
                self.decode(step.piece, blocks).await?;
            }
        }
        if ends {
            self.publish().await?;
        }
        (self.progress)(self.meter.read());
        Ok(())
    }

    async fn decode(&mut self, range: BlockRange, blocks: Vec<BlockData>) -> Result<()> {
        let batches = threads::run(move || decode::batches(&blocks)).await.map_err(Error::internal)??;
        let piece = match &mut self.staging {
            Some(piece) => piece,
            None => {
                let staging = match self.target.replaces {
                    // Compaction may have made this range, and does not change it any more.
                    Replaces::TheSame => self.target.writer.stage(range),
                    Replaces::Nothing | Replaces::AllFrom { .. } => self.target.writer.stage_small(range),
                };
                self.staging.insert(Piece { staging, started: Instant::now(), rows: 0 })
            }
        };
        for (table, batch) in batches {
            piece.rows += batch.num_rows() as u64;
            self.meter.rows += batch.num_rows() as u64;
            piece.staging.write(table, batch).await?;
        }
        Ok(())
    }

    async fn publish(&mut self) -> Result<()> {
        let Some(piece) = self.staging.take() else { return Ok(()) };
        let range = piece.staging.range();
        let staged = piece.staging.finish().await?;
        let publish = match self.target.replaces {
            Replaces::Nothing => Publish { reason: "ingest".to_string(), ..Publish::default() },
            Replaces::TheSame => Publish { replace: true, reason: "ingest".to_string(), ..Publish::default() },
            Replaces::AllFrom { block, given_up } => Publish::reorg(block, given_up),
        };
        let head = self.links.last();
        let finalized = finalized(self.target.finalized, head);
        self.target.writer.publish(vec![staged], Publish { head, finalized, ..publish }).await?;
        self.target.size.learn(range.blocks(), piece.rows, piece.started.elapsed());
        self.meter.published += range.blocks();
        Ok(())
    }
}

/// The highest final block, at most the newest block of the lake: the final block of the lake never decreases, and a
/// node may be wrong about later blocks.
pub(super) fn finalized(reported: Option<i64>, head: Option<Head>) -> Option<i64> {
    reported.zip(head).map(|(reported, head)| reported.min(head.number))
}

/// Estimates the number of rows of a block.
fn weight(block: &BlockData) -> usize {
    let logs: usize = block.transactions.iter().map(|transaction| transaction.receipt.logs.len()).sum();
    1 + block.transactions.len() + logs
}

#[cfg(test)]
mod tests {
    use alloy_primitives::{B256, Bytes};

    use super::*;
    use crate::testing;

    #[test]
    fn large_blocks_are_decoded_in_portions() {
        let mut blocks = testing::chain(5, 5, 0, 0);
        let data = Bytes::from(vec![0; MAX_BATCH_BYTES / 2]);
        for block in &mut blocks[1..4] {
            block.transactions[1].receipt.logs[0].data.data = data.clone();
        }
        let mut waiting = Waiting::default();
        waiting.add(blocks[..2].to_vec());
        assert!(!waiting.are_enough());
        waiting.add(blocks[2..].to_vec());
        assert!(waiting.are_enough());
        let numbers = |blocks: Vec<BlockData>| blocks.iter().map(|block| block.header.number).collect::<Vec<_>>();
        assert_eq!(waiting.take().map(numbers).collect::<Vec<_>>(), [vec![0, 1], vec![2], vec![3, 4]]);
        assert!(!waiting.are_enough() && waiting.take().next().is_none());
    }

    #[test]
    fn finalized_is_at_most_the_newest_block() {
        let head = Head { number: 70, hash: B256::ZERO, time: 0 };
        assert_eq!(finalized(Some(i64::MAX), Some(head)), Some(70));
        assert_eq!(finalized(Some(60), Some(head)), Some(60));
        assert_eq!((finalized(None, Some(head)), finalized(Some(60), None)), (None, None));
    }

    #[tokio::test]
    async fn panicked_task_is_an_error() {
        let mut work = JoinSet::new();
        work.spawn(async {});
        assert!(ended(work).await.is_ok());
        let mut work = JoinSet::new();
        work.spawn(std::future::pending());
        work.abort_all();
        assert!(ended(work).await.is_err());
    }
}
