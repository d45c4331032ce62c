//! The publishing transaction: retires what is replaced, adds the new files of all tables, adds a snapshot.

use sqlx::sqlite::{Sqlite, SqliteRow};
use sqlx::{Row, Transaction};

use super::super::encoder::NewFile;
use super::super::snapshot::{BlockRange, Head, SnapshotId};
use super::{Catalogue, Result, file_rows, history, now_ms, read};
use quarry_types::{Error, ErrorCode};

/// The reason of publications that replace blocks after a reorganization; the catalogue records which blocks.
pub(crate) const REORG: &str = "reorg";

/// Everything that becomes visible at once.
#[derive(Debug, Default)]
pub(crate) struct Publication<'a> {
    pub(crate) ranges: Vec<(BlockRange, &'a [NewFile])>,
    pub(crate) head: Option<Head>,
    pub(crate) finalized: Option<i64>,
    pub(crate) replace: bool,
    pub(crate) cut_from: Option<i64>,
    pub(crate) dropped_from: Option<i64>,
    pub(crate) reason: &'a str,
    /// The source of the rows, if they are the same rows in new files.
    pub(crate) compacted: Option<CompactedRanges<'a>>,
}

/// Ranges whose rows were written to new files. None of them may have changed since.
#[derive(Debug, Clone, Copy)]
pub(crate) struct CompactedRanges<'a> {
    pub(crate) snapshot: SnapshotId,
    /// In ascending order.
    pub(crate) ranges: &'a [BlockRange],
}

/// A publication that is complete but not committed; dropping it undoes everything.
pub(crate) struct PreparedPublication {
    transaction: Transaction<'static, Sqlite>,
    id: SnapshotId,
}

impl PreparedPublication {
    /// From here on the files must not be removed, even on an error: the commit may have reached the disk.
    pub(crate) async fn commit(self) -> Result<SnapshotId> {
        self.transaction.commit().await?;
        Ok(self.id)
    }
}

impl Catalogue {
    /// Checks and writes a publication inside an open transaction.
    pub(crate) async fn prepare(&self, publication: &Publication<'_>) -> Result<PreparedPublication> {
        let mut transaction = self.begin().await?;
        let replaced = replaced_ranges(&mut transaction, publication).await?;
        let previous = sqlx::query(read::NEWEST).fetch_optional(&mut *transaction).await?;
        let id = match &previous {
            Some(row) => row.try_get::<SnapshotId, _>("id")? + 1,
            None => 1,
        };
        let (head, finalized) = next_head(previous.as_ref(), publication, &replaced)?;
        sqlx::query(
            "insert into snapshots (id, time_ms, head_number, head_hash, head_time_us, finalised, reason) \
             values ($1, $2, $3, $4, $5, $6, $7)",
        )
        .bind(id)
        .bind(now_ms())
        .bind(head.map(|head| head.number))
        .bind(head.map(|head| head.hash.to_vec()))
        .bind(head.map(|head| head.time))
        .bind(finalized)
        .bind(publication.reason)
        .execute(&mut *transaction)
        .await?;
        for (range_id, _) in &replaced {
            retire(&mut transaction, id, *range_id).await?;
        }
        if publication.reason == REORG {
            history::record_reorg(&mut transaction, &replaced, publication.dropped_from).await?;
        }
        for (range, files) in &publication.ranges {
            add(&mut transaction, id, *range, files).await?;
        }
        Ok(PreparedPublication { transaction, id })
    }
}

/// Ids and blocks of the live ranges that the publication replaces. Refused unless it replaces each of them whole.
async fn replaced_ranges(
    transaction: &mut Transaction<'static, Sqlite>,
    publication: &Publication<'_>,
) -> Result<Vec<(i64, BlockRange)>> {
    let cut = publication.cut_from.map(|from| BlockRange { from, to: i64::MAX });
    let touched = publication.ranges.iter().map(|(range, _)| *range).chain(cut);
    let mut replaced = Vec::new();
    for range in BlockRange::merge(touched.collect()) {
        let rows: Vec<(i64, i64, i64, SnapshotId)> = sqlx::query_as(
            "select id, from_block, to_block, added_snapshot from ranges \
             where retired_snapshot is null and from_block <= $2 and to_block >= $1",
        )
        .bind(range.from)
        .bind(range.to)
        .fetch_all(&mut **transaction)
        .await?;
        for (id, from, to, added) in rows {
            let held = BlockRange { from, to };
            let refuse = |message: String| Err(Error::new(ErrorCode::InvalidInput, message).into());
            if !publication.replace {
                return refuse(format!("Blocks {held} are already in the lake; nothing of {range} was added."));
            }
            if from < range.from || to > range.to {
                return refuse(format!(
                    "Blocks {held} were published together and can only be replaced together, not as {range}."
                ));
            }
            if publication.compacted.is_some_and(|compacted| added > compacted.snapshot) {
                return Err(changed(held).into());
            }
            replaced.push((id, held));
        }
    }
    if let Some(compacted) = publication.compacted {
        // A range that was cut off meanwhile must not come back.
        let removed = compacted.ranges.iter().find(|range| !replaced.iter().any(|(_, held)| held == *range));
        if let Some(removed) = removed {
            return Err(changed(*removed).into());
        }
    }
    Ok(replaced)
}

fn changed(range: BlockRange) -> Error {
    let message = format!("Blocks {range} changed while they were being rewritten; nothing was replaced.");
    Error::new(ErrorCode::Busy, message)
}

/// Head and finalized block after the publication. Filling an old gap must not move the head back; replacing the head may.
fn next_head(
    previous: Option<&SqliteRow>,
    publication: &Publication<'_>,
    replaced: &[(i64, BlockRange)],
) -> Result<(Option<Head>, Option<i64>)> {
    let Some(row) = previous else { return Ok((publication.head, publication.finalized)) };
    let head = match (read::head(row)?, publication.head) {
        (Some(old), Some(new)) => {
            let is_replaced = replaced.iter().any(|(_, range)| range.contains(old.number));
            Some(if is_replaced || new.number >= old.number { new } else { old })
        }
        // Nothing is left of what was cut off.
        (Some(old), None) if publication.cut_from.is_some_and(|from| from <= old.number) => None,
        (old, new) => new.or(old),
    };
    Ok((head, publication.finalized.max(row.try_get("finalised")?)))
}

async fn retire(transaction: &mut Transaction<'static, Sqlite>, snapshot: SnapshotId, range_id: i64) -> Result<()> {
    for statement in [
        "update ranges set retired_snapshot = $1 where id = $2",
        "update files set retired_snapshot = $1 where range_id = $2",
    ] {
        sqlx::query(statement).bind(snapshot).bind(range_id).execute(&mut **transaction).await?;
    }
    Ok(())
}

async fn add(
    transaction: &mut Transaction<'static, Sqlite>,
    snapshot: SnapshotId,
    range: BlockRange,
    files: &[NewFile],
) -> Result<()> {
    let range_id: i64 = sqlx::query_scalar(
        "insert into ranges (from_block, to_block, added_snapshot, derived) values ($1, $2, $3, $4) returning id",
    )
    .bind(range.from)
    .bind(range.to)
    .bind(snapshot)
    .bind(read::DERIVED)
    .fetch_one(&mut **transaction)
    .await?;
    for file in files {
        file_rows::insert(transaction, snapshot, range_id, file).await?;
    }
    Ok(())
}
