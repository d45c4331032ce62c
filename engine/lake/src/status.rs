//! Status of a lake for its operators.

use std::time::Duration;

use super::catalogue::{Incident, Reorg, RetiredFiles};
use super::lake::Lake;
use super::scrub::ScrubStatus;
use super::snapshot::{BlockRange, Head, LakeInfo, SnapshotId};
use super::tables::Table;
use quarry_types::Result;

/// Period over which the speed of ingest is measured.
const RATE_WINDOW: Duration = Duration::from_secs(3600);
/// Reorganizations and incidents that are listed.
const MAX_LISTED: u32 = 10;
const VERIFICATION: &str = "verification";

/// The lake at one moment.
#[derive(Debug, Clone)]
pub struct LakeStatus {
    pub info: LakeInfo,
    pub snapshot: SnapshotId,
    pub head: Option<Head>,
    pub finalized: Option<i64>,
    pub covered: Vec<BlockRange>,
    /// Blocks between the first and the last that are missing.
    pub gaps: Vec<BlockRange>,
    pub tables: Vec<TableStatus>,
    /// Newest first.
    pub reorgs: Vec<Reorg>,
    /// Blocks per second over the last hour; `None` with fewer than two publications in it.
    pub blocks_per_second: Option<f64>,
    /// Recorded blocks that failed a check.
    pub verification_failures: u64,
    /// The newest of them, newest first.
    pub last_failures: Vec<Incident>,
    /// Replaced files that are not deleted yet.
    pub retired: RetiredFiles,
    pub scrub: ScrubStatus,
}

/// Status of a table.
#[derive(Debug, Clone, serde::Serialize)]
#[serde(rename_all = "camelCase")]
pub struct TableStatus {
    pub name: &'static str,
    pub rows: u64,
    pub bytes: u64,
    pub files: usize,
    /// Highest block with a row; `None` for sums, whose rows cover many blocks.
    pub head: Option<i64>,
}

impl Lake {
    /// The status now.
    pub async fn status(&self) -> Result<LakeStatus> {
        let info = self.info().await?;
        let snapshot = self.snapshot().await?;
        let catalogue = self.catalogue();
        let table = |table: Table| TableStatus {
            name: table.name(),
            rows: snapshot.rows(table),
            bytes: snapshot.bytes(table),
            files: snapshot.files(table).len(),
            head: snapshot.files(table).iter().map(|file| file.max_block).max().filter(|_| Table::ALL.contains(&table)),
        };
        let covered = snapshot.covered();
        let between = |pair: &[BlockRange]| BlockRange { from: pair[0].to + 1, to: pair[1].from - 1 };
        let gaps = covered.windows(2).map(between).collect();
        let (blocks, seconds) = catalogue.added_within(RATE_WINDOW).await?;
        let (verification_failures, last_failures) = catalogue.incidents(VERIFICATION, MAX_LISTED).await?;
        Ok(LakeStatus {
            info,
            snapshot: snapshot.id,
            head: snapshot.head,
            finalized: snapshot.finalized,
            gaps,
            covered,
            tables: Table::ALL.into_iter().chain(Table::DERIVED).map(table).collect(),
            reorgs: catalogue.reorgs(MAX_LISTED).await?,
            blocks_per_second: (seconds > 0.0).then(|| blocks as f64 / seconds),
            verification_failures,
            last_failures,
            retired: catalogue.retired_files().await?,
            scrub: self.scrub_status().await?,
        })
    }

    /// Records that a block failed a check, for [`Lake::status`].
    pub async fn record_verification_failure(&self, block: Option<i64>, detail: &str) -> Result<()> {
        Ok(self.catalogue().record_incident(VERIFICATION, block, detail).await?)
    }
}
