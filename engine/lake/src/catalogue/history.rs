//! What the catalogue remembers for the operators of the lake: reorganizations, failed checks, speed.

use std::time::Duration;

use sqlx::{Sqlite, Transaction};

use super::super::snapshot::BlockRange;
use super::{Catalogue, Result, ago, now_ms};

/// Incidents, and reorganizations, that are kept.
const MAX_KEPT: i64 = 10_000;

/// Blocks that were replaced because the chain was reorganized.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Reorg {
    /// Milliseconds UTC.
    pub time: i64,
    /// The blocks that the lake dropped.
    pub blocks: BlockRange,
}

/// Something that went wrong with a block.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, sqlx::FromRow)]
#[serde(rename_all = "camelCase")]
pub struct Incident {
    /// Milliseconds UTC.
    #[sqlx(rename = "time_ms")]
    pub time: i64,
    pub block: Option<i64>,
    pub detail: String,
}

/// Files that wait to be deleted.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "camelCase")]
pub struct RetiredFiles {
    pub files: u64,
    pub bytes: u64,
}

impl Catalogue {
    /// The newest reorganizations, newest first.
    pub(crate) async fn reorgs(&self, count: u32) -> Result<Vec<Reorg>> {
        let rows: Vec<(i64, i64, i64)> =
            sqlx::query_as("select time_ms, from_block, to_block from reorgs order by id desc limit $1")
                .bind(count)
                .fetch_all(&self.pool)
                .await?;
        Ok(rows.into_iter().map(|(time, from, to)| Reorg { time, blocks: BlockRange { from, to } }).collect())
    }

    /// Blocks that were added within the last `window`, and the seconds between the first and the last publication.
    pub(crate) async fn added_within(&self, window: Duration) -> Result<(u64, f64)> {
        let rows: Vec<(i64, i64, i64)> = sqlx::query_as(
            "select snapshots.time_ms, from_block, to_block from snapshots \
             join ranges on ranges.added_snapshot = snapshots.id \
             where snapshots.time_ms >= $1 and snapshots.reason <> 'compaction' order by snapshots.id",
        )
        .bind(ago(window))
        .fetch_all(&self.pool)
        .await?;
        let (Some((first, ..)), Some((last, ..))) = (rows.first(), rows.last()) else { return Ok((0, 0.0)) };
        // The work on the blocks of the first publication was done before it.
        let later = rows.iter().filter(|(time, ..)| time > first);
        let blocks = later.map(|&(_, from, to)| BlockRange { from, to }.blocks()).sum();
        Ok((blocks, (last - first) as f64 / 1000.0))
    }

    /// Files that no snapshot names and that wait for the end of their grace period.
    pub(crate) async fn retired_files(&self) -> Result<RetiredFiles> {
        let (files, bytes): (i64, i64) = sqlx::query_as(
            "select count(*), cast(coalesce(sum(bytes), 0) as bigint) from files where retired_snapshot is not null",
        )
        .fetch_one(&self.pool)
        .await?;
        Ok(RetiredFiles { files: files.unsigned_abs(), bytes: bytes.unsigned_abs() })
    }

    /// Records something that went wrong.
    pub(crate) async fn record_incident(&self, kind: &str, block: Option<i64>, detail: &str) -> Result<()> {
        let mut transaction = self.begin().await?;
        sqlx::query("insert into incidents (time_ms, kind, block, detail) values ($1, $2, $3, $4)")
            .bind(now_ms())
            .bind(kind)
            .bind(block)
            .bind(detail)
            .execute(&mut *transaction)
            .await?;
        let delete = sqlx::query("delete from incidents where id <= (select max(id) from incidents) - $1");
        delete.bind(MAX_KEPT).execute(&mut *transaction).await?;
        Ok(transaction.commit().await?)
    }

    /// How many incidents of a kind are kept, and the newest of them, newest first.
    pub(crate) async fn incidents(&self, kind: &str, count: u32) -> Result<(u64, Vec<Incident>)> {
        let count_all = sqlx::query_scalar("select count(*) from incidents where kind = $1");
        let all: i64 = count_all.bind(kind).fetch_one(&self.pool).await?;
        let newest =
            sqlx::query_as("select time_ms, block, detail from incidents where kind = $1 order by id desc limit $2");
        Ok((all.unsigned_abs(), newest.bind(kind).bind(count).fetch_all(&self.pool).await?))
    }
}

/// Records which blocks a reorganization dropped, in the transaction that drops them: those of the removed ranges, from the
/// first block on that the chain dropped.
pub(super) async fn record_reorg(
    transaction: &mut Transaction<'static, Sqlite>,
    removed: &[(i64, BlockRange)],
    first: Option<i64>,
) -> Result<()> {
    let (from, to) =
        (removed.iter().map(|(_, range)| range.from).min(), removed.iter().map(|(_, range)| range.to).max());
    let (Some(from), Some(to)) = (from.max(first), to) else { return Ok(()) };
    sqlx::query("insert into reorgs (time_ms, from_block, to_block) values ($1, $2, $3)")
        .bind(now_ms())
        .bind(from)
        .bind(to)
        .execute(&mut **transaction)
        .await?;
    let delete = sqlx::query("delete from reorgs where id <= (select max(id) from reorgs) - $1");
    delete.bind(MAX_KEPT).execute(&mut **transaction).await?;
    Ok(())
}
