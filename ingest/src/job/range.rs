//! Ranges of blocks from nodes into the lake. Fetching, decoding and writing overlap; pieces appear in ascending order,
//! each in all tables at once, so work that ends at any moment is continued by the next run.

use std::sync::Arc;

use quarry_engine::lake::{BlockRange, Lake, LakeWriter, Publish, REORG, Staging};
use quarry_engine::{Error, Result};
use tokio::sync::mpsc;
use tokio::task::JoinSet;
use tokio::time::Instant;
use tokio_util::task::JoinQueue;

use super::IngestProgress;
use super::joints::Joints;
use super::meter::Meter;
use super::tokens;
use crate::chain::BlockData;
use crate::decode;
use crate::plan::{PieceSize, Step, Steps};
use crate::rpc::Nodes;
use crate::threads;

/// Fetched steps that may wait for the writer.
const QUEUE: usize = 2;
/// Transactions and logs that are decoded together.
const ROWS_AT_ONCE: usize = 10_000;

type Fetched = Result<(Step, Vec<BlockData>)>;

/// Fetches step after step, several at once, and hands them on in order until the first failure.
///
/// So many are under way or wait for one before them as the nodes are asked for at once, and half as many again: those that
/// are ahead of the writer fill memory and make nothing faster. Each is a task, that goes on while the writer is waited for.
async fn fetch(nodes: Arc<Nodes>, mut steps: Steps<impl Fn() -> u64>, sender: mpsc::Sender<Fetched>) {
    let mut fetched = JoinQueue::new();
    loop {
        let room = nodes.room();
        while fetched.len() < room + room.div_ceil(2).max(2)
            && let Some(step) = steps.next()
        {
            fetched.spawn(fetch_one(Arc::clone(&nodes), step));
        }
        let Some(next) = fetched.join_next().await else { return };
        let next = next.map_err(Error::internal).flatten();
        let failed = next.is_err();
        // Nobody listens any more when the writer failed first.
        if sender.send(next).await.is_err() || failed {
            return;
        }
    }
}

async fn fetch_one(nodes: Arc<Nodes>, step: Step) -> Fetched {
    let mut blocks = nodes.blocks(step.blocks.from.unsigned_abs()..=step.blocks.to.unsigned_abs()).await?;
    tokens::ask(&nodes, &mut blocks).await?;
    Ok((step, blocks))
}

/// What is done with the blocks.
pub(super) struct Target<'a> {
    pub(super) lake: &'a Lake,
    pub(super) writer: &'a LakeWriter,
    pub(super) nodes: Arc<Nodes>,
    /// Highest block that can no longer be reorganised, as the nodes tell it.
    pub(super) finalised: Option<i64>,
    pub(super) size: PieceSize,
    /// First of the blocks that are replaced: what the lake holds from there on vanishes when the new ones appear.
    pub(super) replace_from: Option<i64>,
}

/// Fetches ranges in ascending order and publishes them piece after piece.
pub(super) async fn bring(
    target: Target<'_>,
    ranges: Vec<BlockRange>,
    progress: impl FnMut(IngestProgress) + Send,
) -> Result<Meter> {
    let total = ranges.iter().map(|part| part.blocks()).sum();
    let joints = Joints::of(target.lake, &ranges, target.replace_from.is_some()).await?;
    let nodes = Arc::clone(&target.nodes);
    let steps = Steps::new(ranges, target.size.clone(), move || nodes.step());
    let (sender, fetched) = mpsc::channel(QUEUE);
    let mut fetching = JoinSet::new();
    fetching.spawn(fetch(Arc::clone(&target.nodes), steps, sender));
    let mut store = Store { target, joints, waiting: Vec::new(), staging: None, meter: Meter::new(total), progress };
    store.take_all(fetched).await?;
    ended(fetching).await?;
    Ok(store.meter)
}

/// That the work ended by itself: what dies half-way hands on nothing more either, which is no success.
async fn ended(mut work: JoinSet<()>) -> Result<()> {
    while let Some(ended) = work.join_next().await {
        ended.map_err(Error::internal)?;
    }
    Ok(())
}

/// Takes blocks in ascending order, and publishes piece after piece.
struct Store<'a, P> {
    target: Target<'a>,
    joints: Joints,
    /// Blocks not decoded yet.
    waiting: Vec<BlockData>,
    staging: Option<Piece>,
    meter: Meter,
    progress: P,
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
        self.joints.check(&blocks, &self.target.nodes.name())?;
        self.meter.done += blocks.len() as u64;
        self.waiting.extend(blocks);
        let ends = step.blocks.to == step.piece.to;
        let rows: usize = self.waiting.iter().map(weight).sum();
        if rows >= ROWS_AT_ONCE || ends {
            self.decode(step.piece).await?;
        }
        if ends {
            self.publish().await?;
        }
        (self.progress)(self.meter.read());
        Ok(())
    }

    async fn decode(&mut self, range: BlockRange) -> Result<()> {
        let blocks = std::mem::take(&mut self.waiting);
        let batches = threads::run(move || decode::batches(&blocks)).await.map_err(Error::internal)??;
        let piece = match &mut self.staging {
            Some(piece) => piece,
            None => {
                let staging = self.target.writer.stage_small(range);
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
        let cut_from = self.target.replace_from;
        let reason = if cut_from.is_some() { REORG } else { "ingest" }.to_string();
        let (head, finalised) = (self.joints.last(), self.target.finalised);
        let publish = Publish { head, finalised, replace: cut_from.is_some(), cut_from, reason };
        self.target.writer.publish(vec![staged], publish).await?;
        self.target.size.learn(range.blocks(), piece.rows, piece.started.elapsed());
        self.meter.published += range.blocks();
        Ok(())
    }
}

/// Rows a block will make, roughly.
fn weight(block: &BlockData) -> usize {
    let logs: usize = block.transactions.iter().map(|transaction| transaction.receipt.logs.len()).sum();
    1 + block.transactions.len() + logs
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn work_that_dies_is_no_success() {
        let mut work = JoinSet::new();
        work.spawn(async {});
        assert!(ended(work).await.is_ok());
        let mut work = JoinSet::new();
        work.spawn(std::future::pending());
        work.abort_all();
        assert!(ended(work).await.is_err());
    }
}
