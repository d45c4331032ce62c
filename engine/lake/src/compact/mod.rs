//! Compaction merges adjacent ranges of final blocks and rewrites their files as few large ones. Running queries keep the old
//! files, which are deleted after a grace period.

mod plan;

use std::sync::Arc;
use std::time::{Duration, Instant};

use arrow::array::RecordBatch;
use parquet::arrow::arrow_reader::{ParquetRecordBatchReader, ParquetRecordBatchReaderBuilder};

use super::batch_size::{batch_rows, with_offset_index};
use super::catalogue::CompactedRanges;
use super::lake::Lake;
use super::snapshot::{BlockRange, FileEntry, Snapshot};
use super::staging::{Staged, Staging};
use super::tables::Table;
use super::writer::LakeWriter;
pub use plan::Compaction;
use quarry_types::{Error, ErrorCode, Result};

/// Rows of a batch; fewer if they are long.
const MAX_BATCH_ROWS: usize = 16 << 10;

/// Result of a compaction.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct CompactionSummary {
    /// Ranges that were merged, and ranges that they became.
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
    /// Whether there is something to compact.
    pub async fn is_compactable(&self, how: Compaction) -> Result<bool> {
        Ok(plan::next(&*self.snapshot().await?, self.options(), how).is_some())
    }
}

impl LakeWriter {
    /// Merges final ranges group by group. Each group is published at once in all tables, and `progress` is called afterwards.
    /// Dropping the future stops after the last published group.
    ///
    /// # Errors
    /// A file can't be read or written. Groups that were published before stay.
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
            self.publish_compacted(staged, CompactedRanges { snapshot: snapshot.id, ranges: &group }).await?;
            summary.elapsed = started.elapsed();
            progress(&summary);
        }
        Ok(summary)
    }

    /// Stages the rows of a range as few files.
    async fn rewrite(&self, snapshot: &Snapshot, range: BlockRange) -> Result<Staged> {
        let mut staging = self.stage(range);
        for (table, file) in files_of(snapshot, range) {
            copy(self.lake().dir().to_path_buf(), table, file.clone(), &mut staging).await?;
        }
        let staged = staging.finish().await?;
        for table in Table::ALL {
            let read: u64 =
                files_of(snapshot, range).filter(|(other, _)| *other == table).map(|(_, file)| file.rows).sum();
            if staged.rows(table) != read {
                let message = format!(
                    "Compaction of blocks {range} read {} rows of {}, but the catalogue says {read}; nothing was \
                     changed.",
                    staged.rows(table),
                    table.name()
                );
                return Err(Error::new(ErrorCode::DamagedFile, message));
            }
        }
        Ok(staged)
    }
}

/// Files of all tables with the blocks of a range, by table and block.
fn files_of(snapshot: &Snapshot, range: BlockRange) -> impl Iterator<Item = (Table, &FileEntry)> {
    let of_table = move |table: Table| snapshot.files(table).iter().map(move |file| (table, file));
    Table::ALL.into_iter().flat_map(of_table).filter(move |(_, file)| range.contains(file.min_block))
}

async fn copy(dir: std::path::PathBuf, table: Table, file: FileEntry, staging: &mut Staging) -> Result<()> {
    let file = Arc::new(file);
    let opened = Arc::clone(&file);
    let mut reader = blocking(move || {
        ParquetRecordBatchReaderBuilder::try_new_with_options(opened.open(&dir)?, with_offset_index())
            .and_then(|builder| {
                let rows = batch_rows(builder.metadata(), MAX_BATCH_ROWS);
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
        let rows = table
            .read_rows(&batch)
            .map_err(|error| file.damaged("its columns differ from those of its table", error))?;
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

/// Runs reading and decoding on a thread that may block.
async fn blocking<T: Send + 'static>(work: impl FnOnce() -> Result<T> + Send + 'static) -> Result<T> {
    tokio::task::spawn_blocking(work).await.map_err(Error::internal)?
}
