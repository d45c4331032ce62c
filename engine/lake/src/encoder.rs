//! Encodes the sorted batches of one table to Parquet files that end at block boundaries.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use arrow::array::{AsArray, RecordBatch};
use arrow::datatypes::{Int64Type, SchemaRef, TimestampMicrosecondType};
use parquet::arrow::ArrowWriter;
use parquet::file::metadata::{KeyValue, ParquetMetaData};
use parquet::file::properties::WriterProperties;
use parquet::file::statistics::Statistics;

use super::index;
use super::options::LakeOptions;
use super::snapshot::{ColumnFacts, FileEntry};
use super::tables::{Table, conform, layout};
use crate::checksums::{ChecksumWriter, begin_tail};
use quarry_types::{Error, Result};

/// A durable file that is not in the catalogue yet.
#[derive(Debug)]
pub(super) struct NewFile {
    pub(super) table: Table,
    pub(super) entry: FileEntry,
}

/// Encodes one table. At most one file is open at a time.
pub(super) struct TableEncoder {
    table: Table,
    dir: PathBuf,
    schema: SchemaRef,
    properties: WriterProperties,
    target_file_bytes: usize,
    index_rows: usize,
    block_column: usize,
    time_column: usize,
    open: Option<OpenFile>,
    done: Vec<NewFile>,
}

struct OpenFile {
    /// Relative to the lake's folder.
    path: String,
    writer: ArrowWriter<ChecksumWriter<File>>,
    index: index::Builder,
    min_block: i64,
    max_block: i64,
    min_time: i64,
    max_time: i64,
}

impl OpenFile {
    /// Writes the index after the last row group, then the checksums of all blocks so far.
    fn write_index(&mut self) -> Result<()> {
        self.writer.flush()?;
        if let Some((bytes, location)) = self.index.finish(self.writer.bytes_written() as u64) {
            self.writer.write_all(&bytes)?;
            let location = serde_json::to_string(&location)?;
            self.writer.append_key_value_metadata(KeyValue::new(index::METADATA_KEY.to_string(), location));
        }
        Ok(begin_tail(&mut self.writer)?)
    }
}

impl TableEncoder {
    pub(super) fn new(table: Table, dir: &Path, options: &LakeOptions) -> Result<TableEncoder> {
        let schema = table.schema();
        Ok(TableEncoder {
            table,
            dir: dir.to_path_buf(),
            schema: table.file_schema(),
            properties: layout::writer_properties(table, options)?,
            target_file_bytes: options.target_file_bytes,
            index_rows: options.index_rows.max(1),
            block_column: schema.index_of(table.def().sort[0])?,
            time_column: schema.index_of(table.def().time)?,
            open: None,
            done: Vec::new(),
        })
    }

    /// Adds rows. The caller has checked their order.
    pub(super) fn write(&mut self, batch: &RecordBatch) -> Result<()> {
        if !self.is_full() {
            return self.append(batch);
        }
        let rows = self.rows_of_last_block(batch);
        self.append(&batch.slice(0, rows))?;
        if rows < batch.num_rows() {
            self.close_file()?;
        }
        self.append(&batch.slice(rows, batch.num_rows() - rows))
    }

    /// Closes the last file and returns all of them, durable.
    pub(super) fn finish(mut self) -> Result<Vec<NewFile>> {
        self.close_file()?;
        if !self.done.is_empty() {
            sync_dir(&self.dir.join(self.table.name()))?;
            sync_dir(&self.dir)?;
        }
        Ok(self.done)
    }

    /// Removes everything written so far. The next writer removes what is left.
    pub(super) fn abandon(mut self) {
        let open = self.open.take().map(|open| open.path);
        for path in self.done.iter().map(|file| &file.entry.path).chain(open.as_ref()) {
            if let Err(error) = std::fs::remove_file(self.dir.join(path)) {
                tracing::warn!(%error, path, "an unfinished lake file could not be removed");
            }
        }
    }

    fn is_full(&self) -> bool {
        self.open
            .as_ref()
            .is_some_and(|open| open.writer.bytes_written() + open.writer.in_progress_size() >= self.target_file_bytes)
    }

    /// How many leading rows of the batch belong to the last block of the open file.
    fn rows_of_last_block(&self, batch: &RecordBatch) -> usize {
        let Some(open) = &self.open else { return 0 };
        let blocks = batch.column(self.block_column).as_primitive::<Int64Type>().values();
        blocks.partition_point(|block| *block <= open.max_block)
    }

    fn append(&mut self, batch: &RecordBatch) -> Result<()> {
        let blocks = batch.column(self.block_column).as_primitive::<Int64Type>().values();
        let times = batch.column(self.time_column).as_primitive::<TimestampMicrosecondType>();
        let (Some(&first), Some(&last)) = (blocks.first(), blocks.last()) else { return Ok(()) };
        let min_time = arrow::compute::min(times).unwrap_or(i64::MAX);
        let max_time = arrow::compute::max(times).unwrap_or(i64::MIN);
        let mut open = match self.open.take() {
            Some(open) => open,
            None => self.create(first)?,
        };
        let written = conform(batch, &self.schema).map_err(Into::into).and_then(|rows| open.writer.write(&rows));
        open.index.add(batch);
        open.max_block = last;
        open.min_time = open.min_time.min(min_time);
        open.max_time = open.max_time.max(max_time);
        self.open = Some(open);
        written.map_err(Error::internal)
    }

    fn create(&self, min_block: i64) -> Result<OpenFile> {
        let folder = self.dir.join(self.table.name());
        std::fs::create_dir_all(&folder)?;
        let path = format!("{}/{}", self.table.name(), file_name());
        let file = File::create_new(self.dir.join(&path))?;
        let writer =
            ArrowWriter::try_new(ChecksumWriter::new(file), Arc::clone(&self.schema), Some(self.properties.clone()))?;
        let index = index::Builder::new(self.table, self.index_rows);
        Ok(OpenFile { path, writer, index, min_block, max_block: min_block, min_time: i64::MAX, max_time: i64::MIN })
    }

    fn close_file(&mut self) -> Result<()> {
        let Some(mut open) = self.open.take() else { return Ok(()) };
        let finish = |open: &mut OpenFile| {
            open.write_index()?;
            let metadata = open.writer.finish()?;
            let file = open.writer.inner().inner();
            file.sync_all()?;
            Ok((metadata, file.metadata()?.len(), open.writer.inner().checksums()))
        };
        let (metadata, bytes, checksums) = match finish(&mut open) {
            Ok(finished) => finished,
            Err(error) => {
                // `abandon` removes it with the rest.
                self.open = Some(open);
                return Err(error);
            }
        };
        self.done.push(NewFile {
            table: self.table,
            entry: FileEntry {
                path: open.path,
                rows: metadata.file_metadata().num_rows().unsigned_abs(),
                bytes,
                min_block: open.min_block,
                max_block: open.max_block,
                min_time: open.min_time,
                max_time: open.max_time,
                columns: Arc::new(column_facts(&metadata)),
                checksums: Some(checksums),
                statistics: Arc::default(),
            },
        });
        Ok(())
    }
}

/// Digits of the name of a file.
const NAME_DIGITS: usize = 32;

/// A unique name.
fn file_name() -> String {
    format!("{:0NAME_DIGITS$x}.parquet", rand::random::<u128>())
}

/// Whether a file has a name of a lake file.
fn is_file_name(name: &str) -> bool {
    let digits = |stem: &str| stem.len() == NAME_DIGITS && stem.bytes().all(|digit| digit.is_ascii_hexdigit());
    name.strip_suffix(".parquet").is_some_and(digits)
}

/// Lake files in the folders of the tables, relative to the lake's folder. Files with other names are ignored.
pub(super) fn files_on_disk(dir: &Path) -> Result<Vec<String>> {
    let mut paths = Vec::new();
    for table in Table::ALL.into_iter().chain(Table::DERIVED) {
        let entries = match std::fs::read_dir(dir.join(table.name())) {
            Ok(entries) => entries,
            Err(error) if error.kind() == ErrorKind::NotFound => continue,
            Err(error) => return Err(Error::internal(error)),
        };
        for entry in entries {
            let name = entry?.file_name();
            if let Some(name) = name.to_str().filter(|name| is_file_name(name)) {
                paths.push(format!("{}/{name}", table.name()));
            }
        }
    }
    Ok(paths)
}

/// Column statistics over all row groups. A nested column has the sum of its leaves and no null count or bounds.
fn column_facts(metadata: &ParquetMetaData) -> BTreeMap<String, ColumnFacts> {
    let mut columns: BTreeMap<String, ColumnFacts> = BTreeMap::new();
    for (index, group) in metadata.row_groups().iter().enumerate() {
        for chunk in group.columns() {
            let parts = chunk.column_path().parts();
            let Some(name) = parts.first() else { continue };
            let facts = columns.entry(name.clone()).or_default();
            facts.bytes += chunk.compressed_size().unsigned_abs();
            facts.plain_bytes += chunk.uncompressed_size().unsigned_abs();
            if parts.len() > 1 {
                continue;
            }
            let statistics = chunk.statistics();
            let nulls = statistics.and_then(Statistics::null_count_opt);
            facts.nulls = if index == 0 { nulls } else { facts.nulls.zip(nulls).map(|(a, b)| a + b) };
            let (min, max) = statistics.map_or((None, None), integer_bounds);
            facts.min = facts.min.into_iter().chain(min).min();
            facts.max = facts.max.into_iter().chain(max).max();
        }
    }
    columns
}

fn integer_bounds(statistics: &Statistics) -> (Option<i64>, Option<i64>) {
    match statistics {
        Statistics::Int64(values) => (values.min_opt().copied(), values.max_opt().copied()),
        Statistics::Int32(values) => (values.min_opt().map(|v| i64::from(*v)), values.max_opt().map(|v| i64::from(*v))),
        _ => (None, None),
    }
}

/// A new file is durable only after a sync of its folder.
fn sync_dir(dir: &Path) -> Result<()> {
    Ok(File::open(dir)?.sync_all()?)
}
