//! What the catalogue remembers of the scrub: when each file was read, what was wrong with it, and the passes over all files.

use std::time::Duration;

use sqlx::Row;
use sqlx::sqlite::SqliteRow;

use super::super::snapshot::{BlockRange, FileEntry};
use super::{Catalogue, Result, damaged, file_rows, now_ms};
use crate::checksums::Checksums;

/// Passes that are kept.
const MAX_PASSES: i64 = 100;
/// Damaged files that are listed.
const MAX_DAMAGED: u32 = 100;

/// One pass over all files. Times are milliseconds UTC.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ScrubPass {
    pub started: i64,
    pub ended: Option<i64>,
    pub files: u64,
    pub bytes: u64,
    pub damaged: u64,
}

/// A file that differs from what was written.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "camelCase")]
pub struct DamagedFile {
    /// Relative to the lake's folder.
    pub path: String,
    /// The blocks to ingest again, by `quarry ingest --overwrite --from --to`.
    pub blocks: BlockRange,
    /// When the damage was found, in milliseconds UTC.
    pub time: i64,
    /// What is wrong with the file.
    pub detail: String,
}

/// A file that the scrub has to read.
#[derive(Debug)]
pub(crate) struct FileToCheck {
    pub(crate) id: i64,
    pub(crate) table: String,
    pub(crate) entry: FileEntry,
    /// As the catalogue has them.
    pub(crate) statistics: String,
    /// The pass that the file is read for.
    pub(crate) pass: Option<i64>,
}

/// The result of reading a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum FileCheck {
    Sound { checksum: u64 },
    Damaged(String),
}

impl Catalogue {
    /// The live file at a path.
    pub(crate) async fn file_to_check(&self, path: &str) -> Result<Option<FileToCheck>> {
        let text = format!(
            "select id, {}, statistics from files where path = $1 and retired_snapshot is null",
            file_rows::COLUMNS
        );
        let row = sqlx::query(sqlx::AssertSqlSafe(text)).bind(path).fetch_optional(&self.pool).await?;
        row.as_ref().map(file_to_check).transpose()
    }

    /// The next live file of the current pass. Without one the pass ends. A new pass starts if the last one started at least
    /// `every` ago.
    pub(crate) async fn next_to_check(&self, every: Duration) -> Result<Option<FileToCheck>> {
        let (now, every) = (now_ms(), i64::try_from(every.as_millis()).unwrap_or(i64::MAX));
        let last: Option<(i64, i64, Option<i64>)> =
            sqlx::query_as("select id, started_ms, ended_ms from scrubs order by id desc limit 1")
                .fetch_optional(&self.pool)
                .await?;
        let (pass, started) = match last {
            Some((id, started, None)) => (id, started),
            Some((_, started, Some(_))) if started.saturating_add(every) > now => return Ok(None),
            _ => (self.begin_pass(now).await?, now),
        };
        let text = format!(
            "select id, {}, statistics from files where retired_snapshot is null and coalesce(checked_ms, 0) < $1 \
             order by checked_ms, id limit 1",
            file_rows::COLUMNS
        );
        let next = sqlx::query(sqlx::AssertSqlSafe(text)).bind(started).fetch_optional(&self.pool).await?;
        if let Some(row) = next {
            return Ok(Some(FileToCheck { pass: Some(pass), ..file_to_check(&row)? }));
        }
        let end = sqlx::query("update scrubs set ended_ms = $1 where id = $2");
        end.bind(now).bind(pass).execute(&self.pool).await?;
        Ok(None)
    }

    async fn begin_pass(&self, now: i64) -> Result<i64> {
        let mut transaction = self.begin().await?;
        let insert = sqlx::query_scalar("insert into scrubs (started_ms) values ($1) returning id");
        let id: i64 = insert.bind(now).fetch_one(&mut *transaction).await?;
        let delete = sqlx::query("delete from scrubs where id <= $1");
        delete.bind(id - MAX_PASSES).execute(&mut *transaction).await?;
        transaction.commit().await?;
        Ok(id)
    }

    /// Records the result of reading a file.
    pub(crate) async fn record_check(&self, file: &FileToCheck, result: &FileCheck) -> Result<()> {
        let mut transaction = self.begin().await?;
        let damage = match result {
            FileCheck::Damaged(why) => Some(why.as_str()),
            FileCheck::Sound { .. } => None,
        };
        sqlx::query("update files set checked_ms = $1, damage = $2 where id = $3")
            .bind(now_ms())
            .bind(damage)
            .bind(file.id)
            .execute(&mut *transaction)
            .await?;
        if let (None, FileCheck::Sound { checksum }) = (file.entry.checksums, result) {
            let mut entry = file.entry.clone();
            entry.checksums = Some(Checksums { file: *checksum, tail: None });
            let sum = file_rows::row_checksum(&file.table, &entry, &file.statistics);
            sqlx::query("update files set checksum = $1, row_checksum = $2 where id = $3")
                .bind(checksum.cast_signed())
                .bind(sum.cast_signed())
                .bind(file.id)
                .execute(&mut *transaction)
                .await?;
        }
        if let Some(pass) = file.pass {
            sqlx::query(
                "update scrubs set files = files + 1, bytes = bytes + $1, damaged = damaged + $2 where id = $3",
            )
            .bind(file.entry.bytes.cast_signed())
            .bind(i64::from(damage.is_some()))
            .bind(pass)
            .execute(&mut *transaction)
            .await?;
        }
        Ok(transaction.commit().await?)
    }

    /// Sets the length of a file and forgets its checksums.
    pub(crate) async fn accept_changed_file(&self, path: &str, bytes: u64) -> Result<()> {
        let update = sqlx::query(
            "update files set bytes = $1, checksum = null, tail_from = null, tail_checksum = null, row_checksum = null, \
             checked_ms = null where path = $2",
        );
        update.bind(bytes.cast_signed()).bind(path).execute(&self.pool).await?;
        Ok(())
    }

    /// The newest passes, newest first.
    pub(crate) async fn passes(&self, count: u32) -> Result<Vec<ScrubPass>> {
        let rows: Vec<(i64, Option<i64>, i64, i64, i64)> =
            sqlx::query_as("select started_ms, ended_ms, files, bytes, damaged from scrubs order by id desc limit $1")
                .bind(count)
                .fetch_all(&self.pool)
                .await?;
        let pass = |(started, ended, files, bytes, damaged): (i64, Option<i64>, i64, i64, i64)| ScrubPass {
            started,
            ended,
            files: files.unsigned_abs(),
            bytes: bytes.unsigned_abs(),
            damaged: damaged.unsigned_abs(),
        };
        Ok(rows.into_iter().map(pass).collect())
    }

    /// Live files that were damaged when they were last read, by their blocks.
    pub(crate) async fn damaged_files(&self) -> Result<Vec<DamagedFile>> {
        let rows: Vec<(String, i64, i64, i64, String)> = sqlx::query_as(
            "select path, min_block, max_block, coalesce(checked_ms, 0), damage from files \
             where damage is not null and retired_snapshot is null order by min_block, id limit $1",
        )
        .bind(MAX_DAMAGED)
        .fetch_all(&self.pool)
        .await?;
        let damaged =
            |(path, from, to, time, detail)| DamagedFile { path, blocks: BlockRange { from, to }, time, detail };
        Ok(rows.into_iter().map(damaged).collect())
    }

    /// Checks the catalogue itself.
    ///
    /// # Errors
    /// It is damaged, or can't be read.
    pub(crate) async fn check_integrity(&self) -> Result<()> {
        let report: Vec<String> = sqlx::query_scalar("pragma integrity_check(1)").fetch_all(&self.pool).await?;
        if report == ["ok"] { Ok(()) } else { Err(damaged(report.join("; ")).into()) }
    }
}

fn file_to_check(row: &SqliteRow) -> Result<FileToCheck> {
    Ok(FileToCheck {
        id: row.try_get("id")?,
        table: row.try_get("table_name")?,
        entry: file_rows::read(row, row.try_get("path")?)?,
        statistics: row.try_get("statistics")?,
        pass: None,
    })
}
