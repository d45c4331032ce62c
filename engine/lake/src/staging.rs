//! Staging: batches of all tables in, durable Parquet files out, one encoding thread per table, memory bounded by
//! short queues. Nothing of it is visible before it is published.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

use arrow::array::{AsArray, RecordBatch};
use arrow::datatypes::Int64Type;
use tokio::sync::mpsc;
use tokio::task::JoinHandle;

use super::encoder::{NewFile, TableEncoder};
use super::lock::WriterLock;
use super::options::LakeOptions;
use super::rollups::Rollups;
use super::snapshot::BlockRange;
use super::tables::Table;
use quarry_types::{Error, ErrorCode, Result};

/// Batches that may wait for a table's encoder.
const QUEUE: usize = 2;

enum Work {
    Batch(RecordBatch),
    /// Without it a closed queue means that the range was given up.
    Finish,
}

/// The range being written. Dropping it removes what it wrote.
pub struct Staging {
    range: BlockRange,
    dir: PathBuf,
    options: LakeOptions,
    lanes: BTreeMap<Table, Lane>,
    rollups: Rollups,
    /// Files of ours must not be taken for orphans by another writer.
    lock: Arc<WriterLock>,
}

struct Lane {
    queue: mpsc::Sender<Work>,
    encoder: JoinHandle<Result<Vec<NewFile>>>,
    /// Highest block so far.
    last_block: i64,
}

impl Staging {
    pub(super) fn new(range: BlockRange, dir: PathBuf, options: LakeOptions, lock: Arc<WriterLock>) -> Staging {
        Staging { range, dir, options, lanes: BTreeMap::new(), rollups: Rollups::default(), lock }
    }

    pub fn range(&self) -> BlockRange {
        self.range
    }

    /// Shortens the range: for a source that learns only while it writes which block is its last.
    ///
    /// # Errors
    /// Rows of later blocks were written already.
    pub fn end_at(&mut self, to: i64) -> Result<()> {
        if self.lanes.values().any(|lane| lane.last_block > to) {
            return Err(Error::internal(format!("blocks after {to} are already staged")));
        }
        self.range = BlockRange::new(self.range.from, to)?;
        Ok(())
    }

    /// Adds rows of a table, in the table's sort order over all calls. Waits when the encoder is behind.
    ///
    /// # Errors
    /// A batch of another schema, blocks outside the range, or out of order; then the staging is of no use any more.
    pub async fn write(&mut self, table: Table, batch: RecordBatch) -> Result<()> {
        if batch.num_rows() == 0 {
            return Ok(());
        }
        // Before the rows are sent: their order is checked on sending, and a failure ends the staging anyway.
        let derived = if table == Table::Transactions { self.rollups.add(&batch)? } else { Vec::new() };
        self.send(table, batch).await?;
        for (table, batch) in derived {
            self.send(table, batch).await?;
        }
        Ok(())
    }

    async fn send(&mut self, table: Table, batch: RecordBatch) -> Result<()> {
        let after = self.lanes.get(&table).map_or(self.range.from, |lane| lane.last_block);
        let last_block = check(table, &batch, self.range, after)?;
        let lane = match self.lanes.entry(table) {
            std::collections::btree_map::Entry::Occupied(lane) => lane.into_mut(),
            std::collections::btree_map::Entry::Vacant(place) => {
                let encoder = TableEncoder::new(table, &self.dir, &self.options)?;
                place.insert(Lane::start(encoder, last_block, Arc::clone(&self.lock)))
            }
        };
        lane.last_block = last_block;
        if lane.queue.send(Work::Batch(batch)).await.is_ok() {
            return Ok(());
        }
        // The encoder hung up: its own error says why.
        match self.lanes.remove(&table) {
            Some(lane) => lane.join().await.and(Err(Error::internal("a lake encoder ended early"))),
            None => Err(Error::internal("a lake encoder is gone")),
        }
    }

    /// Waits until all files of the range are complete and durable.
    pub async fn finish(mut self) -> Result<Staged> {
        for (table, batch) in self.rollups.finish()? {
            self.send(table, batch).await?;
        }
        let mut staged = Staged {
            range: self.range,
            files: Vec::new(),
            dir: self.dir.clone(),
            keep: false,
            _lock: Arc::clone(&self.lock),
        };
        let lanes = std::mem::take(&mut self.lanes);
        let mut encoders = Vec::with_capacity(lanes.len());
        for (_, lane) in lanes {
            // A send that fails means an encoder that failed: `join` has its error.
            let _ = lane.queue.send(Work::Finish).await;
            encoders.push(lane);
        }
        let mut failed = None;
        for lane in encoders {
            match lane.join().await {
                Ok(files) => staged.files.extend(files),
                Err(error) => failed = failed.or(Some(error)),
            }
        }
        match failed {
            Some(error) => Err(error),
            None => Ok(staged),
        }
    }
}

impl Lane {
    fn start(mut encoder: TableEncoder, last_block: i64, lock: Arc<WriterLock>) -> Lane {
        let (queue, mut work) = mpsc::channel(QUEUE);
        let encoder = tokio::task::spawn_blocking(move || {
            let _held_while_files_change = lock;
            while let Some(next) = work.blocking_recv() {
                let Work::Batch(batch) = next else { return encoder.finish() };
                if let Err(error) = encoder.write(&batch) {
                    encoder.abandon();
                    return Err(error);
                }
            }
            encoder.abandon();
            Ok(Vec::new())
        });
        Lane { queue, encoder, last_block }
    }

    async fn join(self) -> Result<Vec<NewFile>> {
        drop(self.queue);
        self.encoder.await.map_err(Error::internal)?
    }
}

/// Complete, durable files of one range. Dropping it unpublished removes them.
pub struct Staged {
    pub(super) range: BlockRange,
    pub(super) files: Vec<NewFile>,
    dir: PathBuf,
    keep: bool,
    _lock: Arc<WriterLock>,
}

impl Staged {
    pub fn range(&self) -> BlockRange {
        self.range
    }

    /// Rows staged for a table.
    pub fn rows(&self, table: Table) -> u64 {
        self.files.iter().filter(|file| file.table == table).map(|file| file.entry.rows).sum()
    }

    /// Bytes of all its files.
    pub fn bytes(&self) -> u64 {
        self.files.iter().map(|file| file.entry.bytes).sum()
    }

    /// The files now belong to the catalogue.
    pub(super) fn keep(&mut self) {
        self.keep = true;
    }
}

impl Drop for Staged {
    fn drop(&mut self) {
        if self.keep {
            return;
        }
        for file in &self.files {
            if let Err(error) = std::fs::remove_file(self.dir.join(&file.entry.path)) {
                tracing::warn!(%error, path = file.entry.path, "an unpublished lake file could not be removed");
            }
        }
    }
}

/// Refuses rows that would make a file lie about itself; answers the batch's last block.
fn check(table: Table, batch: &RecordBatch, range: BlockRange, after: i64) -> Result<i64> {
    if batch.schema().fields() != table.schema().fields() {
        return Err(Error::internal(format!("a batch for {} has another schema", table.name())));
    }
    let name = table.def().sort[0];
    let blocks = batch.column_by_name(name).and_then(|column| column.as_primitive_opt::<Int64Type>());
    let Some(blocks) = blocks else { return Err(Error::internal(format!("{}.{name} is missing", table.name()))) };
    let mut last = after;
    for &block in blocks.values() {
        if block < last {
            return Err(Error::internal(format!("{} is not in block order: {block} after {last}", table.name())));
        }
        last = block;
    }
    if last > range.to {
        return Err(Error::new(
            ErrorCode::Source,
            format!("Block {last} came although only blocks {range} were asked for."),
        ));
    }
    Ok(last)
}
