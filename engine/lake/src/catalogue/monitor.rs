//! What the catalogue remembers for the people who run the lake: reorganisations, failures, speed.

use std::time::Duration;

use sqlx::{Row, Sqlite, Transaction};

use super::super::snapshot::BlockRange;
use super::{Catalogue, now_ms};
use quarry_types::{Error, Result};

/// Incidents, and reorganisations, that are kept.
const KEPT: i64 = 10_000;

/// Blocks that were replaced because the chain was reorganised.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Reorg {
    /// Milliseconds UTC.
    pub time: i64,
    /// What the lake held and gave up.
    pub blocks: BlockRange,
}

/// Something that went wrong with a block.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Incident {
    /// Milliseconds UTC.
    pub time: i64,
    pub block: Option<i64>,
    pub detail: String,
}

/// Files that wait to be deleted.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Waiting {
    pub files: u64,
    pub bytes: u64,
}

impl Catalogue {
    /// The newest reorganisations, newest first.
    pub(crate) async fn reorgs(&self, count: u32) -> Result<Vec<Reorg>> {
        let rows = sqlx::query("select time_ms, from_block, to_block from reorgs order by id desc limit $1")
            .bind(count)
            .fetch_all(&self.pool)
            .await
            .map_err(Error::internal)?;
        let reorg = |row: &sqlx::sqlite::SqliteRow| {
            Ok(Reorg { time: row.try_get("time_ms").map_err(Error::internal)?, blocks: super::read::range(row)? })
        };
        rows.iter().map(reorg).collect()
    }

    /// Blocks that came in within the last `window`, and the seconds between the first and the last of them.
    pub(crate) async fn added_within(&self, window: Duration) -> Result<(u64, f64)> {
        let since = now_ms() - i64::try_from(window.as_millis()).unwrap_or(i64::MAX);
        let rows = sqlx::query(
            "select snapshots.time_ms, from_block, to_block from snapshots \
             join ranges on ranges.added_snapshot = snapshots.id \
             where snapshots.time_ms >= $1 and snapshots.reason <> 'compaction' order by snapshots.id",
        )
        .bind(since)
        .fetch_all(&self.pool)
        .await
        .map_err(Error::internal)?;
        let times = rows.iter().map(|row| row.try_get::<i64, _>("time_ms")).collect::<Result<Vec<_>, _>>();
        let times = times.map_err(Error::internal)?;
        let (Some(first), Some(last)) = (times.first(), times.last()) else { return Ok((0, 0.0)) };
        // What the first publication brought was worked on before it.
        let later = rows.iter().zip(&times).filter(|(_, time)| *time > first);
        let blocks = later.map(|(row, _)| super::read::range(row).map(BlockRange::blocks)).sum::<Result<u64>>()?;
        Ok((blocks, (last - first) as f64 / 1000.0))
    }

    /// Files that no snapshot names and that wait for the end of their grace.
    pub(crate) async fn waiting(&self) -> Result<Waiting> {
        let (files, bytes): (i64, i64) = sqlx::query_as(
            "select count(*), cast(coalesce(sum(bytes), 0) as bigint) from files where retired_snapshot is not null",
        )
        .fetch_one(&self.pool)
        .await
        .map_err(Error::internal)?;
        Ok(Waiting { files: files.unsigned_abs(), bytes: bytes.unsigned_abs() })
    }

    /// Writes down something that went wrong.
    pub(crate) async fn record(&self, kind: &str, block: Option<i64>, detail: &str) -> Result<()> {
        let mut transaction = self.pool.begin_with("begin immediate").await.map_err(Error::internal)?;
        sqlx::query("insert into incidents (time_ms, kind, block, detail) values ($1, $2, $3, $4)")
            .bind(now_ms())
            .bind(kind)
            .bind(block)
            .bind(detail)
            .execute(&mut *transaction)
            .await
            .map_err(Error::internal)?;
        keep_newest(&mut transaction, "delete from incidents where id <= (select max(id) from incidents) - $1").await?;
        transaction.commit().await.map_err(Error::internal)
    }

    /// How many incidents of a kind are remembered, and the newest of them, newest first.
    pub(crate) async fn incidents(&self, kind: &str, count: u32) -> Result<(u64, Vec<Incident>)> {
        let all: i64 = sqlx::query_scalar("select count(*) from incidents where kind = $1")
            .bind(kind)
            .fetch_one(&self.pool)
            .await
            .map_err(Error::internal)?;
        let rows: Vec<(i64, Option<i64>, String)> =
            sqlx::query_as("select time_ms, block, detail from incidents where kind = $1 order by id desc limit $2")
                .bind(kind)
                .bind(count)
                .fetch_all(&self.pool)
                .await
                .map_err(Error::internal)?;
        let newest = rows.into_iter().map(|(time, block, detail)| Incident { time, block, detail }).collect();
        Ok((all.unsigned_abs(), newest))
    }
}

/// Writes down which blocks a reorganisation took, in the transaction that takes them: those of the ranges that went, from the
/// first on that the chain gave up.
pub(super) async fn remember_reorg(
    transaction: &mut Transaction<'static, Sqlite>,
    gone: &[(i64, BlockRange)],
    first: Option<i64>,
) -> Result<()> {
    let (from, to) = (gone.iter().map(|(_, range)| range.from).min(), gone.iter().map(|(_, range)| range.to).max());
    let (Some(from), Some(to)) = (from.max(first), to) else { return Ok(()) };
    sqlx::query("insert into reorgs (time_ms, from_block, to_block) values ($1, $2, $3)")
        .bind(now_ms())
        .bind(from)
        .bind(to)
        .execute(&mut **transaction)
        .await
        .map_err(Error::internal)?;
    keep_newest(transaction, "delete from reorgs where id <= (select max(id) from reorgs) - $1").await
}

async fn keep_newest(transaction: &mut Transaction<'static, Sqlite>, statement: &'static str) -> Result<()> {
    sqlx::query(statement).bind(KEPT).execute(&mut **transaction).await.map_err(Error::internal)?;
    Ok(())
}
