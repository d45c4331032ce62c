//! Rows of the table `files`, each with a checksum of its own: some queries are answered from them alone.

use std::collections::BTreeMap;
use std::sync::Arc;

use sqlx::sqlite::{Sqlite, SqliteRow};
use sqlx::{Row, Transaction};

use super::super::encoder::NewFile;
use super::super::snapshot::{ColumnFacts, FileEntry, SnapshotId};
use super::{Result, now_ms};
use crate::checksums::{Checksums, Tail, xxh64};
use quarry_types::{Error, ErrorCode};

/// The columns that [`read`] needs, beside `statistics`.
pub(super) const COLUMNS: &str = "table_name, path, min_block, max_block, min_time_us, max_time_us, rows, bytes, \
                                  checksum, tail_from, tail_checksum, row_checksum";

/// Adds the row of a new file.
pub(super) async fn insert(
    transaction: &mut Transaction<'static, Sqlite>,
    snapshot: SnapshotId,
    range_id: i64,
    file: &NewFile,
) -> Result<()> {
    let entry = &file.entry;
    let statistics = serde_json::to_string(entry.columns.as_ref())?;
    let tail = entry.checksums.and_then(|known| known.tail);
    let row_checksum = row_checksum(file.table.name(), entry, &statistics);
    sqlx::query(
        "insert into files (range_id, table_name, path, min_block, max_block, min_time_us, max_time_us, rows, bytes, \
         statistics, added_snapshot, checksum, tail_from, tail_checksum, row_checksum, checked_ms) \
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16)",
    )
    .bind(range_id)
    .bind(file.table.name())
    .bind(&entry.path)
    .bind(entry.min_block)
    .bind(entry.max_block)
    .bind(entry.min_time)
    .bind(entry.max_time)
    .bind(entry.rows.cast_signed())
    .bind(entry.bytes.cast_signed())
    .bind(statistics)
    .bind(snapshot)
    .bind(entry.checksums.map(|known| known.file.cast_signed()))
    .bind(tail.map(|tail| tail.from.cast_signed()))
    .bind(tail.map(|tail| tail.sum.cast_signed()))
    .bind(row_checksum.cast_signed())
    .bind(now_ms())
    .execute(&mut **transaction)
    .await?;
    Ok(())
}

/// Reads a file from its row.
///
/// # Errors
/// The row differs from its checksum.
pub(super) fn read(row: &SqliteRow, path: String) -> Result<FileEntry> {
    let statistics: String = row.try_get("statistics")?;
    let number = |name: &str| row.try_get::<i64, _>(name);
    let optional = |name: &str| row.try_get::<Option<i64>, _>(name);
    let tail = optional("tail_from")?.zip(optional("tail_checksum")?);
    let tail = tail.map(|(from, sum)| Tail { from: from.cast_unsigned(), sum: sum.cast_unsigned() });
    let mut entry = FileEntry {
        path,
        rows: number("rows")?.unsigned_abs(),
        bytes: number("bytes")?.unsigned_abs(),
        min_block: number("min_block")?,
        max_block: number("max_block")?,
        min_time: number("min_time_us")?,
        max_time: number("max_time_us")?,
        columns: Arc::default(),
        checksums: optional("checksum")?.map(|file| Checksums { file: file.cast_unsigned(), tail }),
        statistics: Arc::default(),
    };
    let table: String = row.try_get("table_name")?;
    let changed =
        optional("row_checksum")?.is_some_and(|sum| sum.cast_unsigned() != row_checksum(&table, &entry, &statistics));
    let columns: Option<BTreeMap<String, ColumnFacts>> = serde_json::from_str(&statistics).ok();
    let columns = columns.filter(|_| !changed).ok_or_else(|| damaged(&entry.path))?;
    entry.columns = Arc::new(columns);
    Ok(entry)
}

/// Checksum of the columns of a row that never change.
pub(super) fn row_checksum(table: &str, entry: &FileEntry, statistics: &str) -> u64 {
    let FileEntry { path, rows, bytes, min_block, max_block, min_time, max_time, .. } = entry;
    let sums = entry.checksums.map(|known| (known.file, known.tail.map(|tail| (tail.from, tail.sum))));
    let text =
        format!("{table} {path} {rows} {bytes} {min_block} {max_block} {min_time} {max_time} {sums:?} {statistics}");
    xxh64(text.as_bytes())
}

fn damaged(path: &str) -> Error {
    let message = format!(
        "The lake's catalogue is damaged: its entry for the file {path} has changed. Restore its catalogue.sqlite \
         from a backup."
    );
    Error::new(ErrorCode::DamagedFile, message)
}
