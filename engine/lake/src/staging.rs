//! Staging: encodes batches of all tables to durable Parquet files, with one thread per table and short queues that bound memory.
//! Nothing is visible before it is published.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
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
    /// A queue that closes without it means that the range was abandoned.
    Finish,
}

/// The range being written. Dropping it removes what it wrote.
pub struct Staging {
    range: BlockRange,
    dir: PathBuf,
    options: LakeOptions,
    encoders: BTreeMap<Table, EncoderTask>,
    rollups: Rollups,
    /// Another writer would remove the files as orphans.
    lock: Arc<WriterLock>,
}

struct EncoderTask {
    queue: mpsc::Sender<Work>,
    task: JoinHandle<Result<Vec<NewFile>>>,
    /// Highest block so far.
    last_block: i64,
}

impl Staging {
    pub(super) fn new(range: BlockRange, dir: PathBuf, options: LakeOptions, lock: Arc<WriterLock>) -> Staging {
        Staging { range, dir, options, encoders: BTreeMap::new(), rollups: Rollups::default(), lock }
    }

    pub fn range(&self) -> BlockRange {
        self.range
    }

    /// Shortens the range, for sources that do not know their last block in advance.
    ///
    /// # Errors
    /// Rows of later blocks were written already.
    pub fn end_at(&mut self, to: i64) -> Result<()> {
        if self.encoders.values().any(|encoder| encoder.last_block > to) {
            return Err(Error::internal(format!("blocks after {to} are already staged")));
        }
        self.range = BlockRange::new(self.range.from, to)?;
        Ok(())
    }

    /// Adds rows of a table, in the table's sort order over all calls. Waits if the encoder is behind.
    ///
    /// # Errors
    /// A batch of another schema, blocks outside the range, or out of order. The staging can't be used afterwards.
    pub async fn write(&mut self, table: Table, batch: RecordBatch) -> Result<()> {
        if batch.num_rows() == 0 {
            return Ok(());
        }
        // Before the rows are sent, which moves them. Their order is checked by `send`, whose failure ends the staging.
        let derived = if table == Table::Transactions { self.rollups.add(&batch)? } else { Vec::new() };
        self.send(table, batch).await?;
        for (table, batch) in derived {
            self.send(table, batch).await?;
        }
        Ok(())
    }

    async fn send(&mut self, table: Table, batch: RecordBatch) -> Result<()> {
        let after = self.encoders.get(&table).map_or(self.range.from, |encoder| encoder.last_block);
        let last_block = check(table, &batch, self.range, after)?;
        let encoder = match self.encoders.entry(table) {
            Entry::Occupied(entry) => entry.into_mut(),
            Entry::Vacant(entry) => {
                let encoder = TableEncoder::new(table, &self.dir, &self.options)?;
                entry.insert(EncoderTask::start(encoder, last_block, Arc::clone(&self.lock)))
            }
        };
        encoder.last_block = last_block;
        if encoder.queue.send(Work::Batch(batch)).await.is_ok() {
            return Ok(());
        }
        // The task has ended with an error of its own.
        let ended = match self.encoders.remove(&table) {
            Some(encoder) => encoder.join().await.map(drop),
            None => Ok(()),
        };
        ended.and(Err(Error::internal("a lake encoder ended early")))
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
        for encoder in self.encoders.values() {
            // If the task has ended already, `join` returns its error.
            let _ = encoder.queue.send(Work::Finish).await;
        }
        let mut outcome = Ok(());
        for encoder in self.encoders.into_values() {
            match encoder.join().await {
                Ok(files) => staged.files.extend(files),
                Err(error) => outcome = outcome.and(Err(error)),
            }
        }
        outcome.map(|()| staged)
    }
}

impl EncoderTask {
    fn start(mut encoder: TableEncoder, last_block: i64, lock: Arc<WriterLock>) -> EncoderTask {
        let (queue, mut work) = mpsc::channel(QUEUE);
        let task = tokio::task::spawn_blocking(move || {
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
        EncoderTask { queue, task, last_block }
    }

    async fn join(self) -> Result<Vec<NewFile>> {
        drop(self.queue);
        self.task.await.map_err(Error::internal)?
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

/// Checks schema, order and range of a batch and returns its last block.
fn check(table: Table, batch: &RecordBatch, range: BlockRange, after: i64) -> Result<i64> {
    if batch.schema().fields() != table.schema().fields() {
        return Err(Error::internal(format!("a batch for {} has another schema", table.name())));
    }
    let name = table.def().sort[0];
    let blocks = batch.column_by_name(name).and_then(|column| column.as_primitive_opt::<Int64Type>());
    let blocks = blocks.ok_or_else(|| Error::internal(format!("{}.{name} is missing", table.name())))?;
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
            format!("Received block {last}, but only blocks {range} were requested."),
        ));
    }
    Ok(last)
}
