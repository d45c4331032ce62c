//! The publishing transaction: retire what is replaced, name the new files of all tables, add a snapshot.

use sqlx::sqlite::{Sqlite, SqliteRow};
use sqlx::{Row, Transaction};

use super::super::encoder::NewFile;
use super::super::snapshot::{BlockRange, Head, SnapshotId};
use super::{Catalogue, monitor, now_ms, read, rows};
use quarry_types::{Error, ErrorCode, Result};

/// Why blocks are replaced that the chain gave up; the lake then remembers which these were.
pub(crate) const REORG: &str = "reorg";

/// Everything that becomes visible at once.
#[derive(Debug)]
pub(crate) struct Publication<'a> {
    pub(crate) ranges: Vec<(BlockRange, &'a [NewFile])>,
    pub(crate) head: Option<Head>,
    pub(crate) finalised: Option<i64>,
    pub(crate) replace: bool,
    pub(crate) cut_from: Option<i64>,
    pub(crate) given_up_from: Option<i64>,
    pub(crate) reason: &'a str,
    /// Where the rows were read from, when they are those that the lake holds already, in other files.
    pub(crate) rewritten: Option<Rewritten<'a>>,
}

/// What other files hold the same rows as. None of it may have come, gone or changed since.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Rewritten<'a> {
    pub(crate) snapshot: SnapshotId,
    /// In rising order.
    pub(crate) ranges: &'a [BlockRange],
}

/// A publication that is complete but not committed yet: until then dropping it undoes everything.
pub(crate) struct Prepared {
    transaction: Transaction<'static, Sqlite>,
    id: SnapshotId,
}

impl Prepared {
    /// From here on the files must not be removed, whatever this answers: the commit may have reached the disk.
    pub(crate) async fn commit(self) -> Result<SnapshotId> {
        self.transaction.commit().await.map_err(Error::internal)?;
        Ok(self.id)
    }
}

impl Catalogue {
    /// Checks and writes a publication inside an open transaction.
    pub(crate) async fn prepare(&self, publication: &Publication<'_>) -> Result<Prepared> {
        let mut transaction = self.pool.begin_with("begin immediate").await.map_err(Error::internal)?;
        let overlapping = overlapping(&mut transaction, publication).await?;
        let previous = sqlx::query(
            "select id, head_number, head_hash, head_time_us, finalised from snapshots order by id desc limit 1",
        )
        .fetch_optional(&mut *transaction)
        .await
        .map_err(Error::internal)?;
        let id: SnapshotId = match &previous {
            Some(row) => row.try_get::<i64, _>("id").map_err(Error::internal)? + 1,
            None => 1,
        };
        let (head, finalised) = following(previous.as_ref(), publication, &overlapping)?;
        sqlx::query(
            "insert into snapshots (id, time_ms, head_number, head_hash, head_time_us, finalised, reason) \
             values ($1, $2, $3, $4, $5, $6, $7)",
        )
        .bind(id)
        .bind(now_ms())
        .bind(head.map(|head| head.number))
        .bind(head.map(|head| head.hash.to_vec()))
        .bind(head.map(|head| head.time))
        .bind(finalised)
        .bind(publication.reason)
        .execute(&mut *transaction)
        .await
        .map_err(Error::internal)?;
        for (range_id, _) in &overlapping {
            retire(&mut transaction, id, *range_id).await?;
        }
        if publication.reason == REORG {
            monitor::remember_reorg(&mut transaction, &overlapping, publication.given_up_from).await?;
        }
        for (range, files) in &publication.ranges {
            add(&mut transaction, id, *range, files).await?;
        }
        Ok(Prepared { transaction, id })
    }
}

/// Live ranges that the publication touches; refused unless it replaces each of them whole.
async fn overlapping(
    transaction: &mut Transaction<'static, Sqlite>,
    publication: &Publication<'_>,
) -> Result<Vec<(i64, BlockRange)>> {
    let mut touched = BlockRange::merge(publication.ranges.iter().map(|(range, _)| *range).collect());
    if let Some(from) = publication.cut_from {
        touched.push(BlockRange { from, to: i64::MAX });
        touched = BlockRange::merge(touched);
    }
    let mut found = Vec::new();
    for range in &touched {
        let rows = sqlx::query(
            "select id, from_block, to_block, added_snapshot from ranges \
             where retired_snapshot is null and from_block <= $2 and to_block >= $1",
        )
        .bind(range.from)
        .bind(range.to)
        .fetch_all(&mut **transaction)
        .await
        .map_err(Error::internal)?;
        for row in &rows {
            let held = read::range(row)?;
            if !publication.replace {
                return Err(Error::new(
                    ErrorCode::InvalidInput,
                    format!("Blocks {held} are in the lake already; nothing of {range} was added."),
                ));
            }
            if held.from < range.from || held.to > range.to {
                return Err(Error::new(
                    ErrorCode::InvalidInput,
                    format!("Blocks {held} were published together and can only be replaced together, not as {range}."),
                ));
            }
            let added: SnapshotId = row.try_get("added_snapshot").map_err(Error::internal)?;
            if publication.rewritten.is_some_and(|read| added > read.snapshot) {
                return Err(changed(held));
            }
            found.push((row.try_get("id").map_err(Error::internal)?, held));
        }
    }
    if let Some(read) = publication.rewritten {
        // What was cut off meanwhile must not come back.
        let gone = read.ranges.iter().find(|range| !found.iter().any(|(_, held)| held == *range));
        if let Some(gone) = gone {
            return Err(changed(*gone));
        }
    }
    Ok(found)
}

fn changed(range: BlockRange) -> Error {
    Error::new(
        ErrorCode::Busy,
        format!("Blocks {range} changed while they were being rewritten; nothing was replaced."),
    )
}

/// Head and finalised block after the publication: filling an old gap must not turn the head back, replacing it may.
fn following(
    previous: Option<&SqliteRow>,
    publication: &Publication<'_>,
    replaced: &[(i64, BlockRange)],
) -> Result<(Option<Head>, Option<i64>)> {
    let Some(row) = previous else { return Ok((publication.head, publication.finalised)) };
    let old_head = read::head(row)?;
    let old_finalised: Option<i64> = row.try_get("finalised").map_err(Error::internal)?;
    let head = match (old_head, publication.head) {
        (Some(old), Some(new)) => {
            let gone = replaced.iter().any(|(_, range)| range.contains(old.number));
            Some(if gone || new.number >= old.number { new } else { old })
        }
        // Nothing is left of what was cut off.
        (Some(old), None) if publication.cut_from.is_some_and(|from| from <= old.number) => None,
        (old, new) => new.or(old),
    };
    Ok((head, publication.finalised.max(old_finalised)))
}

async fn retire(transaction: &mut Transaction<'static, Sqlite>, snapshot: SnapshotId, range_id: i64) -> Result<()> {
    for statement in [
        "update ranges set retired_snapshot = $1 where id = $2",
        "update files set retired_snapshot = $1 where range_id = $2",
    ] {
        sqlx::query(statement)
            .bind(snapshot)
            .bind(range_id)
            .execute(&mut **transaction)
            .await
            .map_err(Error::internal)?;
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
    .await
    .map_err(Error::internal)?;
    for file in files {
        rows::insert(transaction, snapshot, range_id, file).await?;
    }
    Ok(())
}
