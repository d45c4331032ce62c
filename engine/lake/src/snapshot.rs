//! What a reader pins: the files of all tables at one moment, and what they hold.

use std::collections::BTreeMap;
use std::fmt;
use std::fs::File;
use std::path::Path;
use std::sync::{Arc, OnceLock};

use alloy_primitives::B256;
use datafusion::common::Statistics;

use super::known_contracts::KnownContracts;
use super::tables::Table;
use crate::checksums::{CheckedFile, Checksums};
use quarry_types::{Error, ErrorCode, Result};

/// Number of a snapshot; 0 is the empty lake, every publication adds one.
pub type SnapshotId = i64;

/// Blocks `from` to `to`, both included.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize)]
pub struct BlockRange {
    pub from: i64,
    pub to: i64,
}

impl BlockRange {
    /// A range, refused when it is empty or starts below zero.
    pub fn new(from: i64, to: i64) -> Result<BlockRange> {
        if from < 0 || to < from {
            return Err(Error::new(ErrorCode::InvalidInput, format!("{from} to {to} is not a range of blocks.")));
        }
        Ok(BlockRange { from, to })
    }

    /// Number of blocks in it.
    pub fn blocks(self) -> u64 {
        (self.to - self.from).unsigned_abs() + 1
    }

    pub fn overlaps(self, other: BlockRange) -> bool {
        self.from <= other.to && other.from <= self.to
    }

    pub fn contains(self, block: i64) -> bool {
        (self.from..=self.to).contains(&block)
    }

    /// The same blocks as few ranges in rising order.
    pub fn merge(mut ranges: Vec<BlockRange>) -> Vec<BlockRange> {
        ranges.sort_unstable();
        let mut merged: Vec<BlockRange> = Vec::with_capacity(ranges.len());
        for range in ranges {
            match merged.last_mut() {
                Some(last) if range.from <= last.to.saturating_add(1) => last.to = last.to.max(range.to),
                _ => merged.push(range),
            }
        }
        merged
    }
}

impl fmt::Display for BlockRange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} to {}", self.from, self.to)
    }
}

/// The newest block of the lake.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Head {
    pub number: i64,
    pub hash: B256,
    /// Microseconds UTC.
    pub time: i64,
}

/// Where the chain of a lake comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Origin {
    /// The simulated chain; pages that show it say so.
    Sample,
    /// An Ethereum node, or files that tools took from one.
    Node,
}

/// What the whole lake is about. The first writer sets chain and origin.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct LakeInfo {
    pub chain_id: Option<u64>,
    pub origin: Option<Origin>,
    /// What prices, trades and some metrics start from.
    pub contracts: Arc<KnownContracts>,
}

/// What the catalogue knows of one column of one file.
#[derive(Debug, Clone, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct ColumnFacts {
    /// Compressed bytes: what a scan reads for it.
    pub bytes: u64,
    /// Bytes of the values when decompressed.
    pub plain_bytes: u64,
    pub nulls: Option<u64>,
    /// Smallest and largest value of an integer or time column.
    pub min: Option<i64>,
    pub max: Option<i64>,
}

/// A live Parquet file.
#[derive(Debug, Clone)]
pub struct FileEntry {
    /// Relative to the lake's folder.
    pub path: String,
    pub rows: u64,
    pub bytes: u64,
    pub min_block: i64,
    pub max_block: i64,
    /// Microseconds UTC.
    pub min_time: i64,
    pub max_time: i64,
    /// By column name.
    pub columns: Arc<BTreeMap<String, ColumnFacts>>,
    /// Of its bytes; `None` for a file of an older version that no scrub has read yet.
    pub checksums: Option<Checksums>,
    /// The columns' facts for the planner, made when first asked for and shared by all snapshots that hold the file.
    pub(super) statistics: Arc<OnceLock<Arc<Statistics>>>,
}

impl FileEntry {
    /// Opens it in the lake's folder `dir`. What is read is checked by its checksums.
    ///
    /// # Errors
    /// [`ErrorCode::DamagedFile`], which names the file and its blocks.
    pub fn open(&self, dir: &Path) -> Result<CheckedFile> {
        let file = self.open_unverified(dir)?;
        CheckedFile::new(file, self.checksums).map_err(|error| self.damaged("it can't be read", error))
    }

    /// Opens it and checks only that it is as long as when it was published.
    pub(super) fn open_unverified(&self, dir: &Path) -> Result<File> {
        let opened = File::open(dir.join(&self.path)).map_err(|error| self.damaged("it can't be opened", error))?;
        let found = opened.metadata().map_err(|error| self.damaged("it can't be opened", error))?.len();
        if found != self.bytes {
            let why = format!("it has {found} bytes instead of {}", self.bytes);
            return Err(Error::new(ErrorCode::DamagedFile, self.damage(&why)));
        }
        Ok(opened)
    }

    /// The error that says that it is damaged, and how its blocks come back. `why` is a part of a sentence.
    pub fn damaged(&self, why: &str, error: impl Into<Box<dyn std::error::Error + Send + Sync>>) -> Error {
        Error::new(ErrorCode::DamagedFile, self.damage(why)).because(error)
    }

    /// Names the file without the folders above it, and how its blocks come back.
    fn damage(&self, why: &str) -> String {
        let path = self.path.as_str();
        let table = path.split('/').next().unwrap_or_default();
        let name = path.rsplit('/').next().unwrap_or(path);
        let BlockRange { from, to } = self.blocks();
        format!(
            "The file {name} of table {table} is damaged: {why}. `quarry ingest --overwrite --from {from} --to {to}` brings \
             its blocks in again."
        )
    }

    /// The blocks that its rows belong to.
    pub fn blocks(&self) -> BlockRange {
        BlockRange { from: self.min_block, to: self.max_block }
    }
}

/// All tables at one moment.
#[derive(Debug)]
pub struct Snapshot {
    pub id: SnapshotId,
    pub head: Option<Head>,
    /// Highest block that can no longer be reorganised, where a source told it.
    pub finalised: Option<i64>,
    /// Ranges as they were published: replacing one replaces it whole.
    pub ranges: Vec<BlockRange>,
    /// Those of them that an older version wrote, without indexes and roll-ups.
    pub plain: Vec<BlockRange>,
    /// Those, and the ones whose files lack something else that this version writes: it is null in them.
    pub dated: Vec<BlockRange>,
    /// In rising block order.
    pub files: BTreeMap<Table, Arc<[FileEntry]>>,
}

impl Snapshot {
    pub(super) fn empty() -> Snapshot {
        Snapshot {
            id: 0,
            head: None,
            finalised: None,
            ranges: Vec::new(),
            plain: Vec::new(),
            dated: Vec::new(),
            files: BTreeMap::new(),
        }
    }

    /// Files of a table in rising block order.
    pub fn files(&self, table: Table) -> &[FileEntry] {
        self.files.get(&table).map_or(&[], |files| files)
    }

    pub fn rows(&self, table: Table) -> u64 {
        self.files(table).iter().map(|file| file.rows).sum()
    }

    pub fn bytes(&self, table: Table) -> u64 {
        self.files(table).iter().map(|file| file.bytes).sum()
    }

    /// Blocks the lake holds, as few ranges in rising order. What a run of ingest resumes from.
    pub fn covered(&self) -> Vec<BlockRange> {
        BlockRange::merge(self.ranges.clone())
    }

    /// Parts of `wanted` that the lake does not hold yet, in rising order.
    pub fn missing(&self, wanted: BlockRange) -> Vec<BlockRange> {
        let mut missing = Vec::new();
        let mut next = wanted.from;
        for held in self.covered().into_iter().filter(|held| held.overlaps(wanted)) {
            if held.from > next {
                missing.push(BlockRange { from: next, to: held.from - 1 });
            }
            next = next.max(held.to + 1);
        }
        if next <= wanted.to {
            missing.push(BlockRange { from: next, to: wanted.to });
        }
        missing
    }

    /// `wanted` widened to the published ranges it touches: what must be staged again to replace it.
    pub fn widen(&self, wanted: BlockRange) -> BlockRange {
        self.ranges
            .iter()
            .filter(|held| held.overlaps(wanted))
            .fold(wanted, |wide, held| BlockRange { from: wide.from.min(held.from), to: wide.to.max(held.to) })
    }
}
