//! Compaction: neighbouring ranges of settled blocks become one, their files few big ones. Queries go on: they hold the
//! old files until these are deleted after their grace.

mod plan;

use std::sync::Arc;
use std::time::{Duration, Instant};

use arrow::array::RecordBatch;
use parquet::arrow::arrow_reader::{ParquetRecordBatchReader, ParquetRecordBatchReaderBuilder};

use super::catalogue::Rewritten;
use super::portions::{rows_at_once, with_pages};
use super::snapshot::{BlockRange, FileEntry, Snapshot};
use super::staging::{Staged, Staging};
use super::store::Lake;
use super::tables::Table;
use super::writer::LakeWriter;
pub use plan::Compaction;
use quarry_types::{Error, ErrorCode, Result};

/// Rows read at once, fewer where they are long.
const BATCH: usize = 16 << 10;

/// What a run of compaction did.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct CompactionSummary {
    /// Ranges that became one, and ranges that were made of them.
    pub ranges_before: usize,
    pub ranges_after: usize,
    pub files_before: usize,
    pub files_after: usize,
    /// Of the new files.
    pub rows: u64,
    pub bytes: u64,
    pub elapsed: Duration,
}

impl Lake {
    /// Whether a run of compaction would find something to do.
    pub async fn is_compactable(&self, how: Compaction) -> Result<bool> {
        Ok(plan::next(&*self.snapshot().await?, self.options(), how).is_some())
    }
}

impl LakeWriter {
    /// Merges settled ranges, group by group; each group is published at once in all tables. `progress` hears after each
    /// group. Dropping the future stops it and leaves the lake as the last group left it.
    ///
    /// # Errors
    /// A file that can't be read or written; the groups done before stay.
    pub async fn compact(
        &self,
        how: Compaction,
        mut progress: impl FnMut(&CompactionSummary) + Send,
    ) -> Result<CompactionSummary> {
        let started = Instant::now();
        let mut summary = CompactionSummary::default();
        loop {
            let snapshot = self.lake().snapshot().await?;
            let Some(group) = plan::next(&snapshot, self.lake().options(), how) else { break };
            let range = BlockRange { from: group[0].from, to: group[group.len() - 1].to };
            let replaced = Table::ALL.into_iter().chain(Table::DERIVED).flat_map(|table| snapshot.files(table));
            let before = replaced.filter(|file| range.contains(file.min_block)).count();
            let staged = self.rewrite(&snapshot, range).await?;
            summary.ranges_before += group.len();
            summary.ranges_after += 1;
            summary.files_before += before;
            summary.files_after += staged.files.len();
            summary.rows += staged.files.iter().map(|file| file.entry.rows).sum::<u64>();
            summary.bytes += staged.bytes();
            self.publish_compacted(staged, Rewritten { snapshot: snapshot.id, ranges: &group }).await?;
            summary.elapsed = started.elapsed();
            progress(&summary);
        }
        Ok(summary)
    }

    /// The same rows as few files.
    async fn rewrite(&self, snapshot: &Snapshot, range: BlockRange) -> Result<Staged> {
        let mut staging = self.stage(range);
        for (table, file) in files_of(snapshot, range) {
            copy(self.lake().dir().to_path_buf(), table, file.clone(), &mut staging).await?;
        }
        let staged = staging.finish().await?;
        for table in Table::ALL {
            let read: u64 = files_of(snapshot, range).filter(|(of, _)| *of == table).map(|(_, file)| file.rows).sum();
            if staged.rows(table) != read {
                let message = format!(
                    "Compaction of blocks {range} read {} rows of {} where the catalogue says {read}; nothing was changed.",
                    staged.rows(table),
                    table.name()
                );
                return Err(Error::new(ErrorCode::DamagedFile, message));
            }
        }
        Ok(staged)
    }
}

/// Files of all tables whose blocks lie in a range, table by table in block order.
fn files_of(snapshot: &Snapshot, range: BlockRange) -> impl Iterator<Item = (Table, &FileEntry)> {
    let of_table = move |table: Table| snapshot.files(table).iter().map(move |file| (table, file));
    Table::ALL.into_iter().flat_map(of_table).filter(move |(_, file)| range.contains(file.min_block))
}

async fn copy(dir: std::path::PathBuf, table: Table, file: FileEntry, staging: &mut Staging) -> Result<()> {
    let file = Arc::new(file);
    let opened = Arc::clone(&file);
    let mut reader = blocking(move || {
        ParquetRecordBatchReaderBuilder::try_new_with_options(opened.open(&dir)?, with_pages())
            .and_then(|builder| {
                let rows = rows_at_once(builder.metadata(), BATCH);
                builder.with_batch_size(rows).build()
            })
            .map_err(|error| opened.damaged("it can't be read", error))
    })
    .await?;
    loop {
        let read = Arc::clone(&file);
        let (back, batch) = blocking(move || next(reader, &read)).await?;
        let Some(batch) = batch else { return Ok(()) };
        reader = back;
        let rows =
            table.read_rows(&batch).map_err(|error| file.damaged("it has other columns than its table", error))?;
        staging.write(table, rows).await?;
    }
}

fn next(
    mut reader: ParquetRecordBatchReader,
    file: &FileEntry,
) -> Result<(ParquetRecordBatchReader, Option<RecordBatch>)> {
    let batch = reader.next().transpose().map_err(|error| file.damaged("it can't be read", error))?;
    Ok((reader, batch))
}

/// Reading and decoding on a thread where it may block.
async fn blocking<T: Send + 'static>(work: impl FnOnce() -> Result<T> + Send + 'static) -> Result<T> {
    tokio::task::spawn_blocking(work).await.map_err(Error::internal)?
}
