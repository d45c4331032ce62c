//! Reads the files of a snapshot in block order, in step over all tables.

use std::collections::VecDeque;
use std::path::{Path, PathBuf};

use alloy_primitives::B256;
use arrow::array::{AsArray, BinaryArray, RecordBatch};
use arrow::compute::concat_batches;
use arrow::datatypes::{Int64Type, SchemaRef};
use parquet::arrow::arrow_reader::{ParquetRecordBatchReader, ParquetRecordBatchReaderBuilder};
use parquet::file::metadata::RowGroupMetaData;
use parquet::file::statistics::Statistics;
use quarry_lake::tables::Table;
use quarry_lake::{BlockRange, FileEntry, Head, Snapshot, batch_rows, with_offset_index};
use quarry_types::{Error, Result};

use super::cells::{Cells, Unreadable};

/// Maximum rows of a read, fewer if they are large.
const BATCH: usize = 1024;

/// The rows of every table, in ascending block order.
pub(super) struct Stored {
    tables: Vec<Rows>,
}

impl Stored {
    /// Reads the rows of these blocks. Files are opened lazily.
    pub(super) fn new(folder: &Path, snapshot: &Snapshot, range: BlockRange) -> Stored {
        Stored::of(&Table::ALL, folder, snapshot, range)
    }

    /// The same for some tables.
    pub(super) fn of(tables: &[Table], folder: &Path, snapshot: &Snapshot, range: BlockRange) -> Stored {
        Stored { tables: tables.iter().map(|&table| Rows::new(table, folder, snapshot, range)).collect() }
    }

    /// The last block up to `to` with which the remaining rows of each table have at most `max_bytes` bytes; at
    /// least the first one.
    pub(super) fn reach(&mut self, to: i64, max_bytes: usize) -> Result<i64> {
        self.tables.iter_mut().try_fold(to, |to, rows| rows.reach(to, max_bytes))
    }

    /// Takes all remaining rows up to and including block `to`. Tables without rows are omitted.
    pub(super) fn take(&mut self, to: i64) -> Result<Vec<(Table, RecordBatch)>> {
        let mut taken = Vec::new();
        for rows in &mut self.tables {
            if let Some(batch) = rows.take(to)? {
                taken.push((rows.table, batch));
            }
        }
        Ok(taken)
    }
}

/// Number, hash and time of these blocks of the lake, in ascending order.
pub(crate) fn stored_heads(folder: &Path, snapshot: &Snapshot, range: BlockRange) -> Result<Vec<Head>> {
    let Some(batch) = Rows::new(Table::Blocks, folder, snapshot, range).take(range.to)? else { return Ok(Vec::new()) };
    let head = |row| {
        let cells = Cells { batch: &batch, row };
        let number = cells.int("number")?.cast_signed();
        let time = cells.seconds("timestamp")?.cast_signed().saturating_mul(1_000_000);
        Ok(Head { number, hash: cells.hash("hash")?, time })
    };
    (0..batch.num_rows()).map(head).collect::<Result<_, Unreadable>>().map_err(Error::internal)
}

/// The parent hash of a block of the lake, if it is known.
pub(crate) fn stored_parent(folder: &Path, snapshot: &Snapshot, number: i64) -> Result<Option<B256>> {
    let range = BlockRange { from: number, to: number };
    let Some(batch) = Rows::new(Table::Blocks, folder, snapshot, range).take(number)? else { return Ok(None) };
    Cells { batch: &batch, row: 0 }.hash_opt("parent_hash").map_err(Error::internal)
}

/// A reader of a table.
struct Rows {
    table: Table,
    schema: SchemaRef,
    range: BlockRange,
    folder: PathBuf,
    files: VecDeque<FileEntry>,
    /// The current file.
    reader: Option<(FileEntry, ParquetRecordBatchReader)>,
    /// Rows of later blocks that were read already.
    waiting: VecDeque<RecordBatch>,
}

impl Rows {
    fn new(table: Table, folder: &Path, snapshot: &Snapshot, range: BlockRange) -> Rows {
        let files = snapshot.files(table).iter();
        let files = files.filter(|file| file.min_block <= range.to && range.from <= file.max_block);
        Rows {
            table,
            schema: table.schema(),
            range,
            folder: folder.to_path_buf(),
            files: files.cloned().collect(),
            reader: None,
            waiting: VecDeque::new(),
        }
    }

    /// Reads ahead until the end of these bytes is known.
    fn reach(&mut self, to: i64, max_bytes: usize) -> Result<i64> {
        let (mut first, mut bytes, mut at) = (None, 0, 0);
        loop {
            if at == self.waiting.len() {
                let Some(batch) = self.read()? else { return Ok(to) };
                self.waiting.push_back(batch);
            }
            let batch = &self.waiting[at];
            let blocks = batch[self.key()].as_primitive::<Int64Type>().values();
            let columns: Vec<&BinaryArray> =
                batch.columns().iter().filter_map(|column| column.as_binary_opt()).collect();
            for (row, &block) in blocks.iter().enumerate().filter(|(_, block)| **block >= self.range.from) {
                if block > to {
                    return Ok(to);
                }
                bytes += columns.iter().map(|column| column.value(row).len()).sum::<usize>();
                let first = *first.get_or_insert(block);
                if bytes > max_bytes && block > first {
                    return Ok(block - 1);
                }
            }
            at += 1;
        }
    }

    fn take(&mut self, to: i64) -> Result<Option<RecordBatch>> {
        let mut parts = Vec::new();
        loop {
            let batch = match self.waiting.pop_front() {
                Some(batch) => batch,
                None => match self.read()? {
                    Some(batch) => batch,
                    None => break,
                },
            };
            let blocks = batch[self.key()].as_primitive::<Int64Type>().values();
            let end = blocks.partition_point(|&block| block <= to);
            let start = blocks.partition_point(|&block| block < self.range.from);
            if start < end {
                parts.push(batch.slice(start, end - start));
            }
            if end < batch.num_rows() {
                self.waiting.push_front(batch.slice(end, batch.num_rows() - end));
                break;
            }
        }
        match parts.is_empty() {
            true => Ok(None),
            false => concat_batches(&self.schema, &parts).map(Some).map_err(Error::internal),
        }
    }

    /// Name of the column with the block number.
    fn key(&self) -> &'static str {
        self.table.def().sort[0]
    }

    /// Reads the next batch, with the current columns of the table.
    fn read(&mut self) -> Result<Option<RecordBatch>> {
        loop {
            let Some((file, mut reader)) = self.reader.take() else {
                let Some(file) = self.files.pop_front() else { return Ok(None) };
                let reader = self.open(&file)?;
                self.reader = Some((file, reader));
                continue;
            };
            if let Some(batch) = reader.next() {
                let batch = batch.map_err(|error| damaged(&file, error))?;
                let batch = self.table.read_rows(&batch).map_err(|error| damaged(&file, error))?;
                self.reader = Some((file, reader));
                return Ok(Some(batch));
            }
        }
    }

    fn open(&self, file: &FileEntry) -> Result<ParquetRecordBatchReader> {
        let opened = file.open(&self.folder)?;
        let builder = ParquetRecordBatchReaderBuilder::try_new_with_options(opened, with_offset_index())
            .map_err(|error| damaged(file, error))?;
        let rows = batch_rows(builder.metadata(), BATCH);
        let groups = builder.metadata().row_groups().iter().enumerate();
        let wanted = groups.filter(|(_, group)| self.may_hold(group)).map(|(at, _)| at).collect();
        builder.with_row_groups(wanted).with_batch_size(rows).build().map_err(|error| damaged(file, error))
    }

    /// A predicate for a range of block numbers.
    fn may_hold(&self, group: &RowGroupMetaData) -> bool {
        let column = group.columns().iter().find(|column| column.column_path().parts() == [self.key()]);
        match column.and_then(|column| column.statistics()) {
            Some(Statistics::Int64(bounds)) => {
                bounds.min_opt().is_none_or(|&min| min <= self.range.to)
                    && bounds.max_opt().is_none_or(|&max| self.range.from <= max)
            }
            _ => true,
        }
    }
}

fn damaged(file: &FileEntry, error: impl Into<Box<dyn std::error::Error + Send + Sync>>) -> Error {
    file.damaged("it can't be read", error)
}

#[cfg(test)]
mod tests {
    use super::super::lake_tests::lake;
    use super::*;
    use crate::testing;

    #[tokio::test(flavor = "multi_thread")]
    async fn long_rows_are_read_in_small_batches() {
        let mut blocks = testing::chain(5, 4, 0, 0);
        for block in &mut blocks {
            block.transactions[1].receipt.logs[0].data.data = vec![7; 30 << 20].into();
        }
        let (lake, _folder) = lake(&blocks, Table::Blocks, |batch| batch).await;
        let snapshot = lake.snapshot().await.expect("a snapshot");
        let read = |table| {
            let mut rows = Rows::new(table, lake.dir(), &snapshot, BlockRange { from: 0, to: 3 });
            let batches = std::iter::from_fn(|| rows.read().expect("a batch"));
            batches.map(|batch| batch.num_rows()).collect::<Vec<_>>()
        };
        assert_eq!(read(Table::Logs), [2, 2]);
        assert_eq!(read(Table::Transactions), [8]);
    }
}
