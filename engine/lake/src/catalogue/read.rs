//! Reads a snapshot from the catalogue.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use alloy_primitives::B256;
use sqlx::Row;
use sqlx::sqlite::SqliteRow;

use super::super::snapshot::{BlockRange, FileEntry, Head, Snapshot, SnapshotId};
use super::super::tables::Table;
use super::{Catalogue, Result, file_rows};
use quarry_types::Error;

/// What ranges of this version have beside the tables of the chain: since 1 indexes and roll-ups, since 2 counts of addresses in
/// the sums by day, since 3 checksums of blocks.
pub(super) const DERIVED: i64 = 3;

impl Catalogue {
    /// Number of the newest snapshot; 0 when nothing was ever published.
    pub(crate) async fn newest(&self) -> Result<SnapshotId> {
        Ok(sqlx::query_scalar("select coalesce(max(id), 0) from snapshots").fetch_one(&self.pool).await?)
    }

    /// Whether ranges that start at or before a block were added or removed after a snapshot, except by compaction.
    pub(crate) async fn changed_since(&self, snapshot: SnapshotId, through: i64) -> Result<bool> {
        let changes: i64 = sqlx::query_scalar(
            "select count(*) from ranges join snapshots \
             on snapshots.id = ranges.added_snapshot or snapshots.id = ranges.retired_snapshot \
             where snapshots.id > $1 and snapshots.reason <> 'compaction' and ranges.from_block <= $2",
        )
        .bind(snapshot)
        .bind(through)
        .fetch_one(&self.pool)
        .await?;
        Ok(changes > 0)
    }

    /// The newest snapshot with all its files. Files that `known` has are taken from there: a file never changes, and most stay
    /// from one snapshot to the next.
    pub(crate) async fn load(&self, known: &Snapshot) -> Result<Snapshot> {
        // One read transaction, so that the three results belong together while a writer publishes.
        let mut transaction = self.pool.begin().await?;
        let newest = sqlx::query(NEWEST).fetch_optional(&mut *transaction).await?;
        let Some(newest) = newest else { return Ok(Snapshot::default()) };
        let ranges: Vec<(i64, i64, i64)> = sqlx::query_as(
            "select from_block, to_block, derived from ranges where retired_snapshot is null order by 1",
        )
        .fetch_all(&mut *transaction)
        .await?;
        let text = format!(
            "select {}, case when added_snapshot > $1 then statistics end as statistics \
             from files where retired_snapshot is null order by min_block, id",
            file_rows::COLUMNS
        );
        let files = sqlx::query(sqlx::AssertSqlSafe(text)).bind(known.id).fetch_all(&mut *transaction).await?;
        transaction.commit().await?;

        let known: HashMap<&str, &FileEntry> =
            known.files.values().flat_map(|files| files.iter()).map(|file| (file.path.as_str(), file)).collect();
        let mut by_table: BTreeMap<Table, Vec<FileEntry>> = BTreeMap::new();
        for row in &files {
            // A newer version wrote tables that this one does not know.
            let Some(table) = Table::parse(row.try_get("table_name")?) else { continue };
            let path: String = row.try_get("path")?;
            let entry = match known.get(path.as_str()) {
                Some(entry) => (*entry).clone(),
                None => file_rows::read(row, path)?,
            };
            by_table.entry(table).or_default().push(entry);
        }
        let with_version_below = |version: i64| {
            let ranges = ranges.iter().filter(|(.., derived)| *derived < version);
            ranges.map(|&(from, to, _)| BlockRange { from, to }).collect::<Vec<BlockRange>>()
        };
        Ok(Snapshot {
            id: newest.try_get("id")?,
            head: head(&newest)?,
            finalized: newest.try_get("finalised")?,
            ranges: with_version_below(i64::MAX),
            without_rollups: with_version_below(1),
            outdated: with_version_below(DERIVED),
            files: by_table.into_iter().map(|(table, files)| (table, Arc::from(files))).collect(),
        })
    }
}

/// Selects the row of the newest snapshot.
pub(super) const NEWEST: &str =
    "select id, head_number, head_hash, head_time_us, finalised from snapshots order by id desc limit 1";

/// The head in a row of `snapshots`.
pub(super) fn head(row: &SqliteRow) -> Result<Option<Head>> {
    let hash: Option<Vec<u8>> = row.try_get("head_hash")?;
    let (Some(number), Some(hash), Some(time)) = (row.try_get("head_number")?, hash, row.try_get("head_time_us")?)
    else {
        return Ok(None);
    };
    let hash = B256::try_from(hash.as_slice()).map_err(Error::internal)?;
    Ok(Some(Head { number, hash, time }))
}
