//! Verifies a lake: rebuilds every block from the stored rows, verifies it, and decodes it again, which must give the
//! stored rows of every table. Blocks of a node must give the same rows.

use std::time::Duration;

use alloy_primitives::B256;
use arrow::array::RecordBatch;
use futures::{StreamExt, TryStreamExt, stream};
use quarry_lake::tables::Table;
use quarry_lake::{BlockRange, Lake};
use quarry_types::{Error, ErrorCode, Result};
use tokio::time::Instant;

use super::node_blocks::NodeBlocks;
use super::stored::Stored;
use super::sums::Sums;
use super::{compare, rebuild};
use crate::chain::BlockData;
use crate::decode;
use crate::proofs::{self, Check, Mismatch};
use crate::rpc::{NodeConfig, Nodes};

/// Blocks of a step.
const STEP: usize = 32;
/// Maximum bytes of a table in a batch, except for a single larger block: an Arrow array addresses 2 GiB.
const MAX_BATCH_BYTES: usize = 64 << 20;

/// What to verify.
#[derive(Debug, Clone)]
pub struct VerifyConfig {
    /// First block; by default the first of the lake.
    pub from: Option<u64>,
    /// Last block; by default the last of the lake.
    pub to: Option<u64>,
    /// Nodes to compare with, if any.
    pub nodes: Vec<NodeConfig>,
}

/// The progress of a verification.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct VerifyProgress {
    pub blocks_total: u64,
    pub blocks_done: u64,
}

/// The result of a verification.
#[derive(Debug, Clone, PartialEq)]
pub struct VerifySummary {
    pub range: BlockRange,
    /// Blocks of the range in the lake.
    pub blocks: u64,
    pub transactions: u64,
    /// Missing parts of the range.
    pub missing: Vec<BlockRange>,
    /// Failed checks.
    pub mismatches: u64,
    pub elapsed: Duration,
}

/// Verifies the blocks of a range. Reports each mismatch at once, in the order of the chain.
///
/// # Errors
/// `InvalidInput` for a range without blocks in the lake, `DamagedFile` for an unreadable file, `Source` for a node
/// that does not answer. A mismatch is not an error.
pub async fn run(
    lake: &Lake,
    config: VerifyConfig,
    mut progress: impl FnMut(VerifyProgress) + Send,
    mut found: impl FnMut(&Mismatch) + Send,
) -> Result<VerifySummary> {
    let started = Instant::now();
    let snapshot = lake.snapshot().await?;
    let range = asked_range(&snapshot.covered(), &config)?;
    let missing = snapshot.missing(range);
    let blocks = range.blocks() - missing.iter().map(|part| part.blocks()).sum::<u64>();
    if blocks == 0 {
        return Err(Error::new(ErrorCode::InvalidInput, format!("The lake holds none of the blocks {range}.")));
    }
    let nodes = match config.nodes.is_empty() {
        true => None,
        false => Some(NodeBlocks::new(connect(lake, config.nodes).await?)),
    };
    let mut summary = VerifySummary { range, blocks, transactions: 0, missing, mismatches: 0, elapsed: Duration::ZERO };
    let stored = Stored::new(lake.dir(), &snapshot, range);
    let mut sums = Sums::new(lake.dir(), &snapshot, range);
    let steps = Reading::new(stored, steps(snapshot.covered(), range), MAX_BATCH_BYTES);
    let workers = std::thread::available_parallelism().map_or(2, usize::from);
    let mut checked = std::pin::pin!(
        stream::iter(steps).map_ok(|(step, rows)| check(step, rows, nodes.as_ref())).try_buffered(workers)
    );
    let mut last: Option<(u64, B256)> = None;
    let mut done = 0;
    while let Some(checked) = checked.next().await {
        let Checked { mut mismatches, links, step, transactions, sent } = checked?;
        for Link { number, parent, hash } in links {
            if let Some((before, said)) = last
                && before + 1 == number
                && said != parent
            {
                let what = format!("it names {parent} as its parent, but block {before} is {said}");
                mismatches.push(Mismatch { block: number, check: Check::ParentHash, what });
            }
            last = Some((number, hash));
        }
        mismatches.extend(sums.take(sent.as_ref(), step.to, mismatches.is_empty())?);
        mismatches.sort_by_key(|mismatch| mismatch.block);
        mismatches.iter().for_each(&mut found);
        summary.mismatches += mismatches.len() as u64;
        summary.transactions += transactions;
        done += step.blocks();
        progress(VerifyProgress { blocks_total: summary.blocks, blocks_done: done });
    }
    summary.elapsed = started.elapsed();
    Ok(summary)
}

/// Rows by step; large steps are split.
pub(super) struct Reading<S> {
    stored: Stored,
    steps: S,
    /// Maximum bytes of a table in a batch, except for a single larger block.
    most: usize,
    /// The rest of the current step.
    rest: Option<BlockRange>,
}

impl<S: Iterator<Item = BlockRange>> Reading<S> {
    pub(super) fn new(stored: Stored, steps: S, most: usize) -> Reading<S> {
        Reading { stored, steps, most, rest: None }
    }

    fn read(&mut self, step: BlockRange) -> Result<(BlockRange, Rows)> {
        let to = self.stored.reach(step.to, self.most)?.max(step.from);
        self.rest = (to < step.to).then_some(BlockRange { from: to + 1, to: step.to });
        Ok((BlockRange { from: step.from, to }, self.stored.take(to)?))
    }
}

impl<S: Iterator<Item = BlockRange>> Iterator for Reading<S> {
    type Item = Result<(BlockRange, Rows)>;

    fn next(&mut self) -> Option<Self::Item> {
        let step = self.rest.take().or_else(|| self.steps.next())?;
        Some(self.read(step))
    }
}

/// The steps in ascending order: only blocks of the lake, whatever their distance.
pub(super) fn steps(covered: Vec<BlockRange>, range: BlockRange) -> impl Iterator<Item = BlockRange> {
    covered.into_iter().filter(move |held| held.overlaps(range)).flat_map(move |held| {
        let (first, last) = (held.from.max(range.from), held.to.min(range.to));
        (first..=last)
            .step_by(STEP)
            .map(move |from| BlockRange { from, to: from.saturating_add(STEP as i64 - 1).min(last) })
    })
}

fn asked_range(covered: &[BlockRange], config: &VerifyConfig) -> Result<BlockRange> {
    let (Some(first), Some(last)) = (covered.first(), covered.last()) else {
        return Err(Error::new(ErrorCode::InvalidInput, "The lake holds no blocks."));
    };
    let number = |asked: Option<u64>, held: i64| match asked {
        Some(block) => i64::try_from(block)
            .map_err(|_| Error::new(ErrorCode::InvalidInput, format!("{block} is not a valid block number."))),
        None => Ok(held),
    };
    let (from, to) = (number(config.from, first.from)?, number(config.to, last.to)?);
    if (config.from.is_none() || config.to.is_none()) && from > to {
        let message = format!("The lake has blocks {} to {}, but none of those requested.", first.from, last.to);
        return Err(Error::new(ErrorCode::InvalidInput, message));
    }
    BlockRange::new(from, to)
}

async fn connect(lake: &Lake, configs: Vec<NodeConfig>) -> Result<Nodes> {
    let node = Nodes::connect(configs).await?;
    match lake.info().await?.chain_id {
        Some(held) if held != node.chain_id() => {
            let (name, served) = (node.name(), node.chain_id());
            let message = format!("This lake holds chain {held} but the node at {name} serves chain {served}.");
            Err(Error::new(ErrorCode::InvalidInput, message))
        }
        _ => Ok(node),
    }
}

struct Checked {
    mismatches: Vec<Mismatch>,
    links: Vec<Link>,
    step: BlockRange,
    transactions: u64,
    /// Their rows.
    sent: Option<RecordBatch>,
}

struct Link {
    number: u64,
    parent: B256,
    hash: B256,
}

pub(super) type Rows = Vec<(Table, RecordBatch)>;

async fn check(step: BlockRange, rows: Rows, nodes: Option<&NodeBlocks>) -> Result<Checked> {
    let theirs = match nodes {
        Some(nodes) if !rows.is_empty() => {
            let bytes = rows.iter().map(|(_, batch)| batch.get_array_memory_size()).sum();
            Some(nodes.blocks(step, bytes).await?)
        }
        _ => None,
    };
    let (blocks, memory) = theirs.unzip();
    let checked = tokio::task::spawn_blocking(move || {
        let mut checked = against_itself(step, &rows)?;
        if let Some(theirs) = blocks {
            checked.mismatches.extend(against(&rows, theirs)?);
        }
        Ok(checked)
    });
    let checked = checked.await.map_err(Error::internal)?;
    drop(memory);
    checked
}

/// Verifies that the rows are complete, consistent and those of these blocks.
fn against_itself(step: BlockRange, rows: &Rows) -> Result<Checked> {
    let mut mismatches = check_unique(step, &rebuild::numbers(rows));
    let (blocks, unreadable) = rebuild::blocks(rows);
    mismatches.extend(unreadable);
    mismatches.extend(proofs::mismatches(&blocks));
    let expected = decode::batches(&blocks)?;
    for difference in compare::differences(&Table::ALL, rows, &expected) {
        // A failed proof is reported once.
        if mismatches.iter().all(|mismatch| mismatch.block != difference.block) {
            mismatches.push(difference);
        }
    }
    let link = |data: &BlockData| Link { number: data.header.number, parent: data.header.parent_hash, hash: data.hash };
    Ok(Checked {
        mismatches,
        links: blocks.iter().map(link).collect(),
        transactions: blocks.iter().map(|data| data.transactions.len() as u64).sum(),
        sent: rows.iter().find(|(table, _)| *table == Table::Transactions).map(|(_, batch)| batch.clone()),
        step,
    })
}

/// Blocks with no row or several rows in `blocks`: rows that are missing in all tables leave no other trace.
fn check_unique(step: BlockRange, numbers: &[u64]) -> Vec<Mismatch> {
    let mismatch =
        |block: u64, what: &str| Mismatch { block, check: Check::Rows, what: format!("blocks, row 0: {what}") };
    let twice = numbers.windows(2).filter(|pair| pair[0] == pair[1]).map(|pair| mismatch(pair[0], "it is there twice"));
    let missing = (step.from.unsigned_abs()..=step.to.unsigned_abs())
        .filter(|number| numbers.binary_search(number).is_err())
        .map(|number| mismatch(number, "it is missing"));
    twice.chain(missing).collect()
}

/// Compares the rows with the blocks of a node. Blocks that the lake lacks are ignored.
fn against(rows: &Rows, mut theirs: Vec<BlockData>) -> Result<Vec<Mismatch>> {
    let held: Vec<u64> = rebuild::numbers(rows);
    theirs.retain(|block| held.contains(&block.header.number));
    let traced = theirs.iter().any(|block| block.traces.is_some());
    let tables: Vec<Table> =
        Table::ALL.into_iter().filter(|table| traced || !matches!(table, Table::Traces | Table::Contracts)).collect();
    let differences = compare::differences(&tables, rows, &decode::batches(&theirs)?);
    let named = |mismatch: Mismatch| Mismatch { what: format!("{} by the node", mismatch.what), ..mismatch };
    Ok(differences.into_iter().map(named).collect())
}
