//! What the catalogue remembers of the scrub: which file was read when, what was wrong with it, and the passes over all.

use std::time::Duration;

use sqlx::Row;
use sqlx::sqlite::SqliteRow;

use super::super::snapshot::{BlockRange, FileEntry};
use super::{Catalogue, failed, now_ms, rows};
use crate::checksums::Checksums;
use quarry_types::{Error, ErrorCode, Result};

/// Passes that are kept.
const MAX_PASSES: i64 = 100;
/// Damaged files that are listed.
const LISTED: u32 = 100;

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
    /// What `quarry ingest --overwrite --from --to` brings in again.
    pub blocks: BlockRange,
    /// When it was found, milliseconds UTC.
    pub time: i64,
    /// What is wrong with it.
    pub detail: String,
}

/// A file to read.
#[derive(Debug)]
pub(crate) struct ToCheck {
    pub(crate) id: i64,
    pub(crate) table: String,
    pub(crate) entry: FileEntry,
    /// As the catalogue has them.
    pub(crate) statistics: String,
    /// The pass that it is read for.
    pub(crate) pass: Option<i64>,
}

/// What reading a file showed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Found {
    Sound { checksum: u64 },
    Damaged(String),
}

impl Catalogue {
    /// The live file at a path.
    pub(crate) async fn file_to_check(&self, path: &str) -> Result<Option<ToCheck>> {
        let text =
            format!("select id, {}, statistics from files where path = $1 and retired_snapshot is null", rows::COLUMNS);
        let row = sqlx::query(sqlx::AssertSqlSafe(text)).bind(path).fetch_optional(&self.pool).await.map_err(failed)?;
        row.as_ref().map(to_check).transpose()
    }

    /// The live file that the pass under way has to read next. Without such a file the pass ends; a new one begins when the
    /// last began at least `every` ago.
    pub(crate) async fn next_to_check(&self, every: Duration) -> Result<Option<ToCheck>> {
        let (now, every) = (now_ms(), i64::try_from(every.as_millis()).unwrap_or(i64::MAX));
        let last: Option<(i64, i64, Option<i64>)> =
            sqlx::query_as("select id, started_ms, ended_ms from scrubs order by id desc limit 1")
                .fetch_optional(&self.pool)
                .await
                .map_err(failed)?;
        let (pass, started) = match last {
            Some((id, started, None)) => (id, started),
            Some((_, started, Some(_))) if started.saturating_add(every) > now => return Ok(None),
            _ => (self.begin_pass(now).await?, now),
        };
        let text = format!(
            "select id, {}, statistics from files where retired_snapshot is null and coalesce(checked_ms, 0) < $1 \
             order by checked_ms, id limit 1",
            rows::COLUMNS
        );
        let next =
            sqlx::query(sqlx::AssertSqlSafe(text)).bind(started).fetch_optional(&self.pool).await.map_err(failed)?;
        if let Some(row) = next {
            let mut next = to_check(&row)?;
            next.pass = Some(pass);
            return Ok(Some(next));
        }
        sqlx::query("update scrubs set ended_ms = $1 where id = $2")
            .bind(now)
            .bind(pass)
            .execute(&self.pool)
            .await
            .map_err(Error::internal)?;
        Ok(None)
    }

    async fn begin_pass(&self, now: i64) -> Result<i64> {
        let mut transaction = self.pool.begin_with("begin immediate").await.map_err(Error::internal)?;
        let id: i64 = sqlx::query_scalar("insert into scrubs (started_ms) values ($1) returning id")
            .bind(now)
            .fetch_one(&mut *transaction)
            .await
            .map_err(Error::internal)?;
        sqlx::query("delete from scrubs where id <= $1")
            .bind(id - MAX_PASSES)
            .execute(&mut *transaction)
            .await
            .map_err(Error::internal)?;
        transaction.commit().await.map_err(Error::internal)?;
        Ok(id)
    }

    /// Writes down what reading a file showed.
    pub(crate) async fn checked(&self, file: &ToCheck, found: &Found) -> Result<()> {
        let mut transaction = self.pool.begin_with("begin immediate").await.map_err(Error::internal)?;
        let damage = match found {
            Found::Damaged(why) => Some(why.as_str()),
            Found::Sound { .. } => None,
        };
        sqlx::query("update files set checked_ms = $1, damage = $2 where id = $3")
            .bind(now_ms())
            .bind(damage)
            .bind(file.id)
            .execute(&mut *transaction)
            .await
            .map_err(Error::internal)?;
        if let (None, Found::Sound { checksum }) = (file.entry.checksums, found) {
            let mut entry = file.entry.clone();
            entry.checksums = Some(Checksums { file: *checksum, tail: None });
            let sum = rows::row_checksum(&file.table, &entry, &file.statistics);
            sqlx::query("update files set checksum = $1, row_checksum = $2 where id = $3")
                .bind(checksum.cast_signed())
                .bind(sum.cast_signed())
                .bind(file.id)
                .execute(&mut *transaction)
                .await
                .map_err(Error::internal)?;
        }
        if let Some(pass) = file.pass {
            sqlx::query(
                "update scrubs set files = files + 1, bytes = bytes + $1, damaged = damaged + $2 where id = $3",
            )
            .bind(file.entry.bytes.cast_signed())
            .bind(i64::from(damage.is_some()))
            .bind(pass)
            .execute(&mut *transaction)
            .await
            .map_err(Error::internal)?;
        }
        transaction.commit().await.map_err(Error::internal)
    }

    /// Gives a file the length that it has now and no checksums.
    pub(crate) async fn take_as_written(&self, path: &str, bytes: u64) -> Result<()> {
        sqlx::query(
            "update files set bytes = $1, checksum = null, tail_from = null, tail_checksum = null, row_checksum = null, \
             checked_ms = null where path = $2",
        )
        .bind(bytes.cast_signed())
        .bind(path)
        .execute(&self.pool)
        .await
        .map_err(Error::internal)?;
        Ok(())
    }

    /// The newest passes, newest first.
    pub(crate) async fn passes(&self, count: u32) -> Result<Vec<ScrubPass>> {
        let rows: Vec<(i64, Option<i64>, i64, i64, i64)> =
            sqlx::query_as("select started_ms, ended_ms, files, bytes, damaged from scrubs order by id desc limit $1")
                .bind(count)
                .fetch_all(&self.pool)
                .await
                .map_err(failed)?;
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
    pub(crate) async fn damaged(&self) -> Result<Vec<DamagedFile>> {
        let rows = sqlx::query(
            "select path, min_block, max_block, coalesce(checked_ms, 0) as checked_ms, damage from files \
             where damage is not null and retired_snapshot is null order by min_block, id limit $1",
        )
        .bind(LISTED)
        .fetch_all(&self.pool)
        .await
        .map_err(failed)?;
        let number = |row: &SqliteRow, name: &str| row.try_get::<i64, _>(name).map_err(Error::internal);
        let damaged = |row: &SqliteRow| {
            let blocks = BlockRange { from: number(row, "min_block")?, to: number(row, "max_block")? };
            let text = |name: &str| row.try_get::<String, _>(name).map_err(Error::internal);
            Ok(DamagedFile { path: text("path")?, blocks, time: number(row, "checked_ms")?, detail: text("damage")? })
        };
        rows.iter().map(damaged).collect()
    }

    /// Checks the catalogue itself.
    ///
    /// # Errors
    /// It is damaged, or can't be read.
    pub(crate) async fn check_integrity(&self) -> Result<()> {
        let said: Vec<String> =
            sqlx::query_scalar("pragma integrity_check(1)").fetch_all(&self.pool).await.map_err(failed)?;
        if said == ["ok"] {
            return Ok(());
        }
        let message = "The lake's catalogue is damaged. Put its catalogue.sqlite back from a copy.";
        Err(Error::new(ErrorCode::DamagedFile, message).because(said.join("; ")))
    }
}

fn to_check(row: &SqliteRow) -> Result<ToCheck> {
    let text = |name: &str| row.try_get::<String, _>(name).map_err(Error::internal);
    Ok(ToCheck {
        id: row.try_get("id").map_err(Error::internal)?,
        table: text("table_name")?,
        entry: rows::read(row, text("path")?)?,
        statistics: text("statistics")?,
        pass: None,
    })
}
