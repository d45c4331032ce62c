//! What a lake holds and how it fares, for the people who run it.

use std::time::Duration;

use super::catalogue::{Incident, Reorg, Waiting};
use super::scrub::ScrubStatus;
use super::snapshot::{BlockRange, Head, LakeInfo, SnapshotId};
use super::store::Lake;
use super::tables::Table;
use quarry_types::Result;

/// Over which time the speed of ingest is told.
const RATE_WINDOW: Duration = Duration::from_secs(3600);
/// Reorganisations and incidents that are listed.
const LISTED: u32 = 10;
const VERIFICATION: &str = "verification";

/// The lake at one moment.
#[derive(Debug, Clone)]
pub struct LakeStatus {
    pub info: LakeInfo,
    pub snapshot: SnapshotId,
    pub head: Option<Head>,
    pub finalised: Option<i64>,
    pub covered: Vec<BlockRange>,
    /// Blocks between the first and the last that are missing.
    pub gaps: Vec<BlockRange>,
    pub tables: Vec<TableStatus>,
    /// Newest first.
    pub reorgs: Vec<Reorg>,
    /// Blocks per second over the last hour; `None` when there was less than two publications in it.
    pub blocks_per_second: Option<f64>,
    /// Blocks that failed a check, all that are remembered.
    pub verification_failures: u64,
    /// The newest of them, newest first.
    pub last_failures: Vec<Incident>,
    /// Files replaced by others and not deleted yet.
    pub waiting: Waiting,
    pub scrub: ScrubStatus,
}

/// What a table of the lake holds.
#[derive(Debug, Clone, serde::Serialize)]
#[serde(rename_all = "camelCase")]
pub struct TableStatus {
    pub name: &'static str,
    pub rows: u64,
    pub bytes: u64,
    pub files: usize,
    /// Highest block with a row; nothing for sums, whose rows are of many blocks.
    pub head: Option<i64>,
}

impl Lake {
    /// What the lake holds and how it fares.
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
        let (verification_failures, last_failures) = catalogue.incidents(VERIFICATION, LISTED).await?;
        Ok(LakeStatus {
            info,
            snapshot: snapshot.id,
            head: snapshot.head,
            finalised: snapshot.finalised,
            gaps,
            covered,
            tables: Table::ALL.into_iter().chain(Table::DERIVED).map(table).collect(),
            reorgs: catalogue.reorgs(LISTED).await?,
            blocks_per_second: (seconds > 0.0).then(|| blocks as f64 / seconds),
            verification_failures,
            last_failures,
            waiting: catalogue.waiting().await?,
            scrub: self.scrub_status().await?,
        })
    }

    /// Writes down that a block failed a check, for [`Lake::status`].
    pub async fn record_verification_failure(&self, block: Option<i64>, detail: &str) -> Result<()> {
        self.catalogue().record(VERIFICATION, block, detail).await
    }
}
