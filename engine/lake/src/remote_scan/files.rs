//! What DataFusion's messages drop of a scan of the lake.

use std::path::{Component, Path};
use std::sync::Arc;

use datafusion::common::{Result, internal_err};
use datafusion::datasource::listing::PartitionedFile;
use datafusion::datasource::physical_plan::parquet::ParquetAccessPlan;
use datafusion::datasource::physical_plan::{FileGroup, FileScanConfig, ParquetSource};
use serde::{Deserialize, Serialize};

use super::row_groups::RowGroups;
use super::sort_hint::SortHint;
use crate::checksums::Checksums;
use crate::file_cache::FileCache;
use crate::partitions::PlannedRead;
use crate::reader::{self, LakeFile};
use crate::snapshot::{BlockRange, FileEntry};

/// What DataFusion's messages drop of a scan of the lake: the files and what is read of them, and settings of the scan.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ScanFiles {
    /// The files of each partition.
    pub(super) partitions: Vec<Vec<ScanFile>>,
    pub(super) limit: Option<usize>,
    pub(super) preserve_order: bool,
    pub(super) sort_hint: Option<SortHint>,
}

/// What a partition reads of a file of the lake.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct ScanFile {
    /// Relative to the lake's folder.
    path: String,
    rows: u64,
    bytes: u64,
    blocks: BlockRange,
    /// Microseconds UTC of the first and the last row.
    times: (i64, i64),
    checksums: Option<Checksums>,
    row_groups: RowGroups,
    planned: PlannedRead,
}

impl ScanFiles {
    /// `None` for a scan that reads anything else than files of the lake.
    pub fn from_scan(scan: &FileScanConfig) -> Option<ScanFiles> {
        let source = scan.file_source().downcast_ref::<ParquetSource>()?;
        let files = |group: &FileGroup| group.iter().map(ScanFile::from_file).collect::<Option<Vec<_>>>();
        Some(ScanFiles {
            partitions: scan.file_groups.iter().map(files).collect::<Option<_>>()?,
            limit: scan.limit,
            preserve_order: scan.preserve_order,
            sort_hint: SortHint::from_source(source),
        })
    }
}

impl ScanFile {
    fn from_file(file: &PartitionedFile) -> Option<ScanFile> {
        let LakeFile(entry) = file.extension::<LakeFile>()?;
        Some(ScanFile {
            path: entry.path.clone(),
            rows: entry.rows,
            bytes: entry.bytes,
            blocks: entry.blocks(),
            times: (entry.min_time, entry.max_time),
            checksums: entry.checksums,
            row_groups: RowGroups::from_access_plan(file.extension::<ParquetAccessPlan>()?),
            planned: *file.extension::<PlannedRead>()?,
        })
    }

    /// The file in the folder of the cache's lake, with what the message has of it.
    ///
    /// # Errors
    /// It is outside the folder, or has other row groups than a file can have.
    pub(super) fn restore(&self, message: &PartitionedFile, cache: &FileCache) -> Result<PartitionedFile> {
        if !is_inside(&self.path) {
            return internal_err!("{} is no path inside the lake", self.path);
        }
        let entry = FileEntry {
            path: self.path.clone(),
            rows: self.rows,
            bytes: self.bytes,
            min_block: self.blocks.from,
            max_block: self.blocks.to,
            min_time: self.times.0,
            max_time: self.times.1,
            // Only the planner needs them.
            columns: Arc::default(),
            checksums: self.checksums,
            statistics: Arc::default(),
        };
        let mut file = reader::partitioned_file(cache, entry);
        file.statistics.clone_from(&message.statistics);
        file.arrow_schema.clone_from(&message.arrow_schema);
        Ok(file.with_extension(self.row_groups.access_plan()?).with_extension(self.planned))
    }
}

/// Whether a relative path can't leave its folder.
fn is_inside(path: &str) -> bool {
    !path.is_empty() && Path::new(path).components().all(|part| matches!(part, Component::Normal(_)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_that_leave_the_lake_are_recognized() {
        for path in ["logs/a.parquet", "a.parquet", "logs/..a/b..parquet"] {
            assert!(is_inside(path), "{path}");
        }
        for path in ["", "/logs/a.parquet", "..", "../a.parquet", "logs/../../a.parquet", "logs/..", "./../a"] {
            assert!(!is_inside(path), "{path}");
        }
    }
}
