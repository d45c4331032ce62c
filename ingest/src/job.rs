//! Ingest: from a node into the lake. Fetching, decoding and writing overlap; pieces of the range appear in ascending
//! order, each in all tables at once, so a run that ends at any moment is continued by the next.

use std::sync::Arc;
use std::time::Duration;

use futures::StreamExt;
use quarry_engine::lake::{BlockRange, Head, Lake, LakeWriter, Origin, Publish, Staging};
use quarry_engine::{Error, ErrorCode, Result};
use tokio::sync::mpsc;
use tokio::task::JoinSet;
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use crate::chain::BlockData;
use crate::decode;
use crate::plan::{PieceSize, Step, Steps};
use crate::rpc::{Node, NodeConfig};

/// Fetched steps that may wait for the writer.
const QUEUE: usize = 4;
/// Transactions and logs that are decoded together.
const ROWS_AT_ONCE: usize = 10_000;
const MICROSECONDS: i64 = 1_000_000;

/// What to take from where.
#[derive(Debug, Clone)]
pub struct IngestConfig {
    pub node: NodeConfig,
    /// First block.
    pub from: u64,
    /// Last block; the node's newest when not given.
    pub to: Option<u64>,
    /// Requests under way at the same time.
    pub concurrency: usize,
}

impl IngestConfig {
    /// The usual settings for a node at this address (http, https, ws or wss).
    pub fn new(url: &str, from: u64, to: Option<u64>) -> Result<IngestConfig> {
        Ok(IngestConfig { node: NodeConfig::new(url)?, from, to, concurrency: 8 })
    }
}

/// How far a run is.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct IngestProgress {
    /// Blocks this run has to fetch: the asked range without what the lake held already.
    pub blocks_total: u64,
    /// Blocks fetched.
    pub blocks_done: u64,
    /// Blocks that can be queried; a run that ends now keeps these.
    pub blocks_published: u64,
    /// Rows of all tables handed to the writer.
    pub rows: u64,
    pub elapsed: Duration,
    pub blocks_per_second: f64,
    /// Time left at this speed; `None` before the first block.
    pub remaining: Option<Duration>,
}

/// What a finished run did.
#[derive(Debug, Clone, PartialEq)]
pub struct IngestSummary {
    pub chain_id: u64,
    /// The range asked for, with the node's head as its end when none was given.
    pub range: BlockRange,
    /// Blocks of it that the lake held before.
    pub blocks_held: u64,
    pub blocks_fetched: u64,
    /// Rows written over all tables.
    pub rows: u64,
    pub elapsed: Duration,
}

/// Brings the blocks of a range into the lake, except those it holds already. `progress` is called after every few
/// blocks. Stopping it by `cancel` ends with `Killed`; what was published stays, and the same call goes on from there.
///
/// # Errors
/// `InvalidInput` for a range that makes no sense or lies past the head, and for a lake of another chain; `Source` for
/// a node that can't be reached or answers nonsense; `Verification` when its chain does not continue the lake's.
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
    outcome.unwrap_or_else(|| {
        let message = format!("The ingest was stopped; {published} new blocks are in the lake.");
        Err(Error::new(ErrorCode::Killed, message))
    })
}

async fn ingest(
    lake: &Lake,
    config: IngestConfig,
    progress: impl FnMut(IngestProgress) + Send,
) -> Result<IngestSummary> {
    check_lake(lake).await?;
    if let Some(to) = config.to.filter(|&to| to < config.from) {
        return Err(invalid(format!("The range of blocks ends ({to}) before it begins ({}).", config.from)));
    }
    let node = Arc::new(Node::connect(config.node.clone()).await?);
    check_chain(lake, &node).await?;
    let range = asked_range(&config, &node).await?;

    let writer = lake.writer().await?;
    writer.claim(node.chain_id(), Origin::Node).await?;
    let snapshot = lake.snapshot().await?;
    let missing = snapshot.missing(range);
    let blocks_total = missing.iter().map(|part| part.blocks()).sum();
    let finalised = node.finalised().await?.and_then(|number| i64::try_from(number).ok());

    let size = PieceSize::new();
    // Each block takes two calls, so a step fills one request.
    let steps = Steps::new(missing, size.clone(), (config.node.batch / 2) as u64);
    let (sender, fetched) = mpsc::channel(QUEUE);
    let mut fetching = JoinSet::new();
    fetching.spawn(fetch(node.clone(), steps, config.concurrency.max(1), sender));
    let mut store = Store {
        writer,
        node,
        finalised,
        size,
        last: snapshot.head,
        waiting: Vec::new(),
        staging: None,
        meter: Meter::new(blocks_total),
        progress,
    };
    store.take_all(fetched).await?;
    Ok(IngestSummary {
        chain_id: store.node.chain_id(),
        range,
        blocks_held: range.blocks() - blocks_total,
        blocks_fetched: store.meter.published,
        rows: store.meter.rows,
        elapsed: store.meter.started.elapsed(),
    })
}

/// A lake with the sample chain can't take a real one beside it.
async fn check_lake(lake: &Lake) -> Result<()> {
    match lake.info().await?.origin {
        Some(Origin::Sample) => Err(invalid(
            "This home holds the sample chain. Choose another one with --home for the chain of a node.".to_string(),
        )),
        Some(Origin::Node) | None => Ok(()),
    }
}

async fn check_chain(lake: &Lake, node: &Node) -> Result<()> {
    match lake.info().await?.chain_id {
        Some(held) if held != node.chain_id() => Err(invalid(format!(
            "This lake holds chain {held} but the node at {} serves chain {}. Choose another lake with --home.",
            node.name(),
            node.chain_id()
        ))),
        _ => Ok(()),
    }
}

async fn asked_range(config: &IngestConfig, node: &Node) -> Result<BlockRange> {
    let head = node.head().await?;
    let to = config.to.unwrap_or(head);
    if to > head || config.from > head {
        let asked = to.max(config.from);
        return Err(invalid(format!("Block {asked} is past the node's newest block, {head}.")));
    }
    let number = |block| i64::try_from(block).map_err(|_| invalid(format!("{block} is not the number of a block.")));
    BlockRange::new(number(config.from)?, number(to)?)
}

fn invalid(message: String) -> Error {
    Error::new(ErrorCode::InvalidInput, message)
}

type Fetched = Result<(Step, Vec<BlockData>)>;

/// Fetches step after step, several at once, and hands them on in order until the first failure.
async fn fetch(node: Arc<Node>, steps: Steps, concurrency: usize, sender: mpsc::Sender<Fetched>) {
    let fetch_one = |step: Step| {
        let node = Arc::clone(&node);
        async move {
            let blocks = node.blocks(step.blocks.from.unsigned_abs()..=step.blocks.to.unsigned_abs()).await?;
            Ok((step, blocks))
        }
    };
    let mut fetched = std::pin::pin!(futures::stream::iter(steps).map(fetch_one).buffered(concurrency));
    while let Some(next) = fetched.next().await {
        let failed = next.is_err();
        // Nobody listens any more when the writer failed first.
        if sender.send(next).await.is_err() || failed {
            return;
        }
    }
}

/// Takes blocks in ascending order, and publishes piece after piece.
struct Store<P> {
    writer: LakeWriter,
    node: Arc<Node>,
    finalised: Option<i64>,
    size: PieceSize,
    /// The block before the next.
    last: Option<Head>,
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

impl<P: FnMut(IngestProgress) + Send> Store<P> {
    async fn take_all(&mut self, mut fetched: mpsc::Receiver<Fetched>) -> Result<()> {
        while let Some(next) = fetched.recv().await {
            let (step, blocks) = next?;
            self.take(step, blocks).await?;
        }
        Ok(())
    }

    async fn take(&mut self, step: Step, blocks: Vec<BlockData>) -> Result<()> {
        self.check_link(&blocks)?;
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

    /// That these blocks continue those before: across requests, and across runs.
    fn check_link(&mut self, blocks: &[BlockData]) -> Result<()> {
        let (Some(first), Some(last)) = (blocks.first(), blocks.last()) else { return Ok(()) };
        let number = |block: &BlockData| i64::try_from(block.header.number).unwrap_or(i64::MAX);
        if let Some(before) = self.last
            && before.number + 1 == number(first)
            && before.hash != first.header.parent_hash
        {
            let message = format!(
                "Block {} of the node at {} follows {}, but block {} is {} in this lake: the chain was reorganised, or \
                 it is another one.",
                number(first),
                self.node.name(),
                first.header.parent_hash,
                before.number,
                before.hash
            );
            return Err(Error::new(ErrorCode::Verification, message));
        }
        let seconds = i64::try_from(last.header.timestamp).unwrap_or(i64::MAX);
        self.last = Some(Head { number: number(last), hash: last.hash, time: seconds.saturating_mul(MICROSECONDS) });
        Ok(())
    }

    async fn decode(&mut self, range: BlockRange) -> Result<()> {
        let blocks = std::mem::take(&mut self.waiting);
        let batches =
            tokio::task::spawn_blocking(move || decode::batches(&blocks)).await.map_err(Error::internal)??;
        let piece = match &mut self.staging {
            Some(piece) => piece,
            None => {
                let staging = self.writer.stage(range);
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
        let reason = "ingest".to_string();
        let publish = Publish { head: self.last, finalised: self.finalised, replace: false, reason };
        self.writer.publish(vec![staged], publish).await?;
        self.size.learn(range.blocks(), piece.rows, piece.started.elapsed());
        self.meter.published += range.blocks();
        Ok(())
    }
}

/// Rows a block will make, roughly.
fn weight(block: &BlockData) -> usize {
    let logs: usize = block.transactions.iter().map(|transaction| transaction.receipt.logs.len()).sum();
    1 + block.transactions.len() + logs
}

/// Counts and times a run.
struct Meter {
    started: Instant,
    total: u64,
    done: u64,
    published: u64,
    rows: u64,
}

impl Meter {
    fn new(total: u64) -> Meter {
        Meter { started: Instant::now(), total, done: 0, published: 0, rows: 0 }
    }

    fn read(&self) -> IngestProgress {
        let elapsed = self.started.elapsed();
        let blocks_per_second = self.done as f64 / elapsed.as_secs_f64().max(0.001);
        let left = self.total.saturating_sub(self.done) as f64;
        let remaining = (self.done > 0).then(|| Duration::try_from_secs_f64(left / blocks_per_second).ok()).flatten();
        IngestProgress {
            blocks_total: self.total,
            blocks_done: self.done,
            blocks_published: self.published,
            rows: self.rows,
            elapsed,
            blocks_per_second,
            remaining,
        }
    }
}

#[cfg(test)]
#[path = "job_tests.rs"]
mod tests;
