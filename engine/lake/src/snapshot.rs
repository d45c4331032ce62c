//! A snapshot: the files of all tables at one moment. Readers pin one.

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
    /// # Errors
    /// `invalid_input` if the range is empty or starts below zero.
    pub fn new(from: i64, to: i64) -> Result<BlockRange> {
        if from < 0 || to < from {
            return Err(Error::new(ErrorCode::InvalidInput, format!("{from} to {to} is not a valid block range.")));
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

    /// The same blocks as the fewest ranges, in ascending order.
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

/// The source of the chain of a lake.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Origin {
    /// The simulated chain; pages that show it say so.
    Sample,
    /// An Ethereum node, or files exported from one.
    Node,
}

/// Properties of the whole lake. The first writer sets chain and origin.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct LakeInfo {
    pub chain_id: Option<u64>,
    pub origin: Option<Origin>,
    /// The contracts from which prices, trades and some metrics are computed.
    pub contracts: Arc<KnownContracts>,
}

/// Statistics of one column of one file, in the catalogue.
#[derive(Debug, Clone, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct ColumnFacts {
    /// Compressed bytes: what a scan reads for it.
    pub bytes: u64,
    /// Decompressed bytes of the values.
    pub plain_bytes: u64,
    pub nulls: Option<u64>,
    /// Smallest and largest value of an integer or timestamp column.
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
    /// `None` for a file of an older version that no scrub has read yet.
    pub checksums: Option<Checksums>,
    /// Statistics for the planner, computed once and shared by all snapshots with the file.
    pub(super) statistics: Arc<OnceLock<Arc<Statistics>>>,
}

impl FileEntry {
    /// Opens the file in the lake's folder `dir`. Reads are verified by its checksums.
    ///
    /// # Errors
    /// [`ErrorCode::DamagedFile`], which names the file and its blocks.
    pub fn open(&self, dir: &Path) -> Result<CheckedFile> {
        let file = self.open_unverified(dir)?;
        CheckedFile::new(file, self.checksums).map_err(|error| self.damaged("it can't be read", error))
    }

    /// Opens the file and checks only its length.
    pub(super) fn open_unverified(&self, dir: &Path) -> Result<File> {
        let opened = File::open(dir.join(&self.path)).map_err(|error| self.damaged("it can't be opened", error))?;
        let found = opened.metadata().map_err(|error| self.damaged("it can't be opened", error))?.len();
        if found != self.bytes {
            let why = format!("it has {found} bytes instead of {}", self.bytes);
            return Err(Error::new(ErrorCode::DamagedFile, self.damage_message(&why)));
        }
        Ok(opened)
    }

    /// The error that the file is damaged and how to ingest its blocks again. `why` is a part of a sentence.
    pub fn damaged(&self, why: &str, error: impl Into<Box<dyn std::error::Error + Send + Sync>>) -> Error {
        Error::new(ErrorCode::DamagedFile, self.damage_message(why)).because(error)
    }

    fn damage_message(&self, why: &str) -> String {
        let path = self.path.as_str();
        let table = path.split('/').next().unwrap_or_default();
        let name = path.rsplit('/').next().unwrap_or(path);
        let BlockRange { from, to } = self.blocks();
        format!(
            "The file {name} of table {table} is damaged: {why}. Run `quarry ingest --overwrite --from {from} --to \
             {to}` to ingest its blocks again."
        )
    }

    /// The blocks of its rows.
    pub fn blocks(&self) -> BlockRange {
        BlockRange { from: self.min_block, to: self.max_block }
    }
}

/// All tables at one moment; the default is that of an empty lake.
#[derive(Debug, Default)]
pub struct Snapshot {
    pub id: SnapshotId,
    pub head: Option<Head>,
    /// Highest block that can no longer be reorganized, if the source reports it.
    pub finalized: Option<i64>,
    /// Ranges as they were published. A range can only be replaced as a whole.
    pub ranges: Vec<BlockRange>,
    /// Ranges of older versions, without indexes and roll-ups.
    pub without_rollups: Vec<BlockRange>,
    /// Ranges of older versions whose files lack something that this version writes, those without roll-ups included.
    pub outdated: Vec<BlockRange>,
    /// In ascending block order.
    pub files: BTreeMap<Table, Arc<[FileEntry]>>,
}

impl Snapshot {
    /// Files of a table in ascending block order.
    pub fn files(&self, table: Table) -> &[FileEntry] {
        self.files.get(&table).map_or(&[], |files| files)
    }

    pub fn rows(&self, table: Table) -> u64 {
        self.files(table).iter().map(|file| file.rows).sum()
    }

    pub fn bytes(&self, table: Table) -> u64 {
        self.files(table).iter().map(|file| file.bytes).sum()
    }

    /// The blocks of the lake as the fewest ranges, in ascending order. Ingest resumes from them.
    pub fn covered(&self) -> Vec<BlockRange> {
        BlockRange::merge(self.ranges.clone())
    }

    /// The parts of a range that the lake does not have yet, in ascending order.
    pub fn missing(&self, range: BlockRange) -> Vec<BlockRange> {
        let mut missing = Vec::new();
        let mut next = range.from;
        for held in self.covered().into_iter().filter(|held| held.overlaps(range)) {
            if held.from > next {
                missing.push(BlockRange { from: next, to: held.from - 1 });
            }
            next = next.max(held.to + 1);
        }
        if next <= range.to {
            missing.push(BlockRange { from: next, to: range.to });
        }
        missing
    }

    /// A range widened to the published ranges that it overlaps: what must be staged again to replace it.
    pub fn widen(&self, range: BlockRange) -> BlockRange {
        self.ranges
            .iter()
            .filter(|held| held.overlaps(range))
            .fold(range, |wide, held| BlockRange { from: wide.from.min(held.from), to: wide.to.max(held.to) })
    }
}
