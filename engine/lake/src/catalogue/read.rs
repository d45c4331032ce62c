//! Reading one snapshot out of the catalogue.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use alloy_primitives::B256;
use sqlx::Row;
use sqlx::sqlite::SqliteRow;

use super::super::snapshot::{BlockRange, FileEntry, Head, Snapshot, SnapshotId};
use super::super::tables::Table;
use super::{Catalogue, failed, rows};
use quarry_types::{Error, Result};

/// What ranges that this version writes carry beside the chain's tables: since 1 indexes and roll-ups, since 2 counts of
/// addresses in the sums by day, since 3 checksums of blocks.
pub(super) const DERIVED: i64 = 3;

impl Catalogue {
    /// Number of the newest snapshot; 0 when nothing was ever published.
    pub(crate) async fn newest(&self) -> Result<SnapshotId> {
        sqlx::query_scalar("select coalesce(max(id), 0) from snapshots").fetch_one(&self.pool).await.map_err(failed)
    }

    /// Whether ranges that begin at or before a block came or went after a snapshot, but for compaction.
    pub(crate) async fn changed_since(&self, snapshot: SnapshotId, through: i64) -> Result<bool> {
        let changes: i64 = sqlx::query_scalar(
            "select count(*) from ranges join snapshots \
             on snapshots.id = ranges.added_snapshot or snapshots.id = ranges.retired_snapshot \
             where snapshots.id > $1 and snapshots.reason <> 'compaction' and ranges.from_block <= $2",
        )
        .bind(snapshot)
        .bind(through)
        .fetch_one(&self.pool)
        .await
        .map_err(Error::internal)?;
        Ok(changes > 0)
    }

    /// The newest snapshot with all its files, read at one moment. Files that `known` holds are taken from there: a file
    /// never changes, and most stay from one snapshot to the next.
    pub(crate) async fn load(&self, known: &Snapshot) -> Result<Snapshot> {
        // One read transaction: the three answers belong together even while a writer publishes.
        let mut transaction = self.pool.begin().await.map_err(failed)?;
        let newest = sqlx::query(
            "select id, head_number, head_hash, head_time_us, finalised from snapshots order by id desc limit 1",
        )
        .fetch_optional(&mut *transaction)
        .await
        .map_err(failed)?;
        let Some(newest) = newest else { return Ok(Snapshot::empty()) };
        let ranges =
            sqlx::query("select from_block, to_block, derived from ranges where retired_snapshot is null order by 1")
                .fetch_all(&mut *transaction)
                .await
                .map_err(failed)?;
        let text = format!(
            "select {}, case when added_snapshot > $1 then statistics end as statistics \
             from files where retired_snapshot is null order by min_block, id",
            rows::COLUMNS
        );
        let files =
            sqlx::query(sqlx::AssertSqlSafe(text)).bind(known.id).fetch_all(&mut *transaction).await.map_err(failed)?;
        transaction.commit().await.map_err(failed)?;

        let held: HashMap<&str, &FileEntry> =
            known.files.values().flat_map(|files| files.iter()).map(|file| (file.path.as_str(), file)).collect();
        let mut by_table: BTreeMap<Table, Vec<FileEntry>> = BTreeMap::new();
        for row in &files {
            let name: String = row.try_get("table_name").map_err(Error::internal)?;
            // A table that this build does not know was written by a newer one: its rows are not ours to show.
            let Some(table) = Table::parse(&name) else { continue };
            let path: String = row.try_get("path").map_err(Error::internal)?;
            let entry = match held.get(path.as_str()) {
                Some(entry) => (*entry).clone(),
                None => rows::read(row, path)?,
            };
            by_table.entry(table).or_default().push(entry);
        }
        let (mut plain, mut dated) = (Vec::new(), Vec::new());
        for row in &ranges {
            let derived: i64 = row.try_get("derived").map_err(Error::internal)?;
            if derived == 0 {
                plain.push(range(row)?);
            }
            if derived < DERIVED {
                dated.push(range(row)?);
            }
        }
        Ok(Snapshot {
            id: newest.try_get("id").map_err(Error::internal)?,
            head: head(&newest)?,
            finalised: newest.try_get("finalised").map_err(Error::internal)?,
            ranges: ranges.iter().map(range).collect::<Result<_>>()?,
            plain,
            dated,
            files: by_table.into_iter().map(|(table, files)| (table, Arc::from(files))).collect(),
        })
    }
}

/// Head of a row of `snapshots`.
pub(super) fn head(row: &SqliteRow) -> Result<Option<Head>> {
    let number: Option<i64> = row.try_get("head_number").map_err(Error::internal)?;
    let hash: Option<Vec<u8>> = row.try_get("head_hash").map_err(Error::internal)?;
    let time: Option<i64> = row.try_get("head_time_us").map_err(Error::internal)?;
    let (Some(number), Some(hash), Some(time)) = (number, hash, time) else { return Ok(None) };
    let hash = B256::try_from(hash.as_slice()).map_err(Error::internal)?;
    Ok(Some(Head { number, hash, time }))
}

/// Blocks of a row of `ranges`.
pub(super) fn range(row: &SqliteRow) -> Result<BlockRange> {
    Ok(BlockRange {
        from: row.try_get("from_block").map_err(Error::internal)?,
        to: row.try_get("to_block").map_err(Error::internal)?,
    })
}
