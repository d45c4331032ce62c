//! Shares a scan out over tasks, so that each reads about as much.

use std::cmp::Reverse;
use std::sync::Arc;

use datafusion::common::{Result, internal_err};
use datafusion::datasource::physical_plan::{FileGroup, FileScanConfig, ParquetSource};
use datafusion::datasource::source::DataSourceExec;
use datafusion::physical_plan::ExecutionPlan;

use crate::partitions::{FileRead, MIN_READS, PlannedRead, split_at_pages, weight};
use crate::pruning::RowGroupRead;
use crate::reader::LakeFile;

/// Rows of one row group that a partition reads.
struct Piece {
    /// The file by its position in the partition.
    file: usize,
    read: RowGroupRead,
}

/// What a task reads of a partition.
#[derive(Default)]
struct Part {
    weight: u64,
    pieces: Vec<Piece>,
}

/// What a task reads.
#[derive(Clone, Default)]
struct Share {
    weight: u64,
    groups: Vec<FileGroup>,
}

/// Whether [`share_out`] can share a scan out: it reads the lake, in more than one partition. With one partition, operators above
/// rely on that one.
pub fn can_share_out(scan: &DataSourceExec) -> bool {
    shareable(scan).is_some()
}

/// Scans for `tasks` tasks that together read each row of a scan once, and each about as much; `None` if the scan can't be shared
/// out ([`can_share_out`]).
///
/// Each has as many partitions as the scan, some of them perhaps empty. A partition reads rows of the same partition of the scan in
/// the same order, so what the scan promises of its order holds for each. A limit is that of each task.
///
/// # Errors
/// The scan was planned by another process.
pub fn share_out(scan: &DataSourceExec, tasks: usize) -> Option<Result<Vec<Arc<dyn ExecutionPlan>>>> {
    shareable(scan).map(|config| split(config, tasks.max(1)))
}

/// Bytes that a scan of the lake will read.
pub fn bytes_to_read(scan: &DataSourceExec) -> u64 {
    let Some((config, _)) = scan.downcast_to_file_source::<ParquetSource>() else { return 0 };
    let files = config.file_groups.iter().flat_map(|group| group.iter());
    files.filter_map(|file| file.extension::<PlannedRead>()).map(|planned| planned.bytes).sum()
}

fn shareable(scan: &DataSourceExec) -> Option<&FileScanConfig> {
    let (config, _) = scan.downcast_to_file_source::<ParquetSource>()?;
    let mut files = config.file_groups.iter().flat_map(|group| group.iter());
    let is_lake = files.all(|file| file.extension::<LakeFile>().is_some());
    (is_lake && config.file_groups.len() > 1).then_some(config)
}

fn split(config: &FileScanConfig, tasks: usize) -> Result<Vec<Arc<dyn ExecutionPlan>>> {
    let partitions = config.file_groups.iter().map(pieces).collect::<Result<Vec<_>>>()?;
    let total: u64 = partitions.iter().flatten().map(|piece| weight(&piece.read)).sum();
    let most = total.div_ceil((tasks * partitions.len() * MIN_READS) as u64).max(1);
    let mut shares = vec![Share::default(); tasks];
    for (group, pieces) in config.file_groups.iter().zip(partitions) {
        let pieces = pieces.into_iter().flat_map(|piece| piece.cut(most)).collect();
        let mut parts = balanced(pieces, tasks);
        // The heaviest part goes to the task that has the least so far, so that differences do not add up.
        parts.sort_by_key(|part| Reverse(part.weight));
        shares.sort_by_key(|share| share.weight);
        for (share, part) in shares.iter_mut().zip(parts) {
            share.weight += part.weight;
            share.groups.push(part.into_file_group(group));
        }
    }
    let scan = |share: Share| -> Arc<dyn ExecutionPlan> {
        let mut config = config.clone();
        config.file_groups = share.groups;
        DataSourceExec::from_data_source(config)
    };
    Ok(shares.into_iter().map(scan).collect())
}

/// What a partition reads.
fn pieces(group: &FileGroup) -> Result<Vec<Piece>> {
    let mut pieces = Vec::new();
    for (file, planned) in group.iter().enumerate() {
        let Some(read) = planned.extension::<FileRead>() else {
            return internal_err!("a scan is shared out by the process that planned it");
        };
        pieces.extend(read.groups.iter().map(|read| Piece { file, read: read.clone() }));
    }
    Ok(pieces)
}

/// Parts that weigh about as much: the largest pieces first, each to the part that has the least so far.
fn balanced(mut pieces: Vec<Piece>, count: usize) -> Vec<Part> {
    pieces.sort_by_key(|piece| Reverse(weight(&piece.read)));
    let mut parts: Vec<Part> = (0..count).map(|_| Part::default()).collect();
    for piece in pieces {
        if let Some(part) = parts.iter_mut().min_by_key(|part| part.weight) {
            part.weight += weight(&piece.read);
            part.pieces.push(piece);
        }
    }
    parts
}

impl Piece {
    /// Splits it so that none weighs more than `most`, as far as its pages allow.
    fn cut(self, most: u64) -> Vec<Piece> {
        let Piece { file, read } = self;
        let parts = weight(&read).div_ceil(most) as usize;
        if parts < 2 {
            return vec![Piece { file, read }];
        }
        let rows = (read.rows as usize).max(1);
        // The rows to read may be close together.
        let group_rows = read.selected.as_ref().map_or(rows, |selected| selected.group_rows);
        let split = split_at_pages(read, (parts * group_rows / rows).max(1));
        split.into_iter().map(|read| Piece { file, read }).collect()
    }

    /// Its place in the order of the partition: file, row group, first row.
    fn place(&self) -> (usize, usize, usize) {
        let first = self.read.selected.as_ref().and_then(|selected| selected.ranges.first());
        (self.file, self.read.group, first.map_or(0, |range| range.start))
    }
}

impl Part {
    /// The part of the partition `group`.
    fn into_file_group(mut self, group: &FileGroup) -> FileGroup {
        self.pieces.sort_by_key(Piece::place);
        let files = self.pieces.chunk_by(|one, other| one.file == other.file).filter_map(|pieces| {
            let (first, others) = pieces.split_first()?;
            let mut read = FileRead::new(first.read.clone());
            others.iter().for_each(|piece| read.add(piece.read.clone()));
            Some(read.attach_to(group[first.file].clone()))
        });
        files.collect()
    }
}

#[cfg(test)]
mod tests {
    use arrow::datatypes::Schema;
    use datafusion::datasource::listing::PartitionedFile;
    use datafusion::datasource::physical_plan::FileScanConfigBuilder;
    use datafusion::execution::object_store::ObjectStoreUrl;

    use super::*;
    use crate::options::LakeOptions;
    use crate::partitions::{PlannedRead, assign_partitions};
    use crate::pruning::RowRanges;

    fn piece(group: usize, rows: u64) -> Piece {
        let read = RowGroupRead { file: 0, file_row_groups: 9, group, rows, bytes: rows, selected: None };
        Piece { file: 0, read }
    }

    fn rows(pieces: &[Piece]) -> Vec<u64> {
        pieces.iter().map(|piece| piece.read.rows).collect()
    }

    #[test]
    fn only_heavy_row_groups_are_cut() {
        assert_eq!(rows(&piece(0, 40_960).cut(16_384)), [8192; 5]);
        assert_eq!(rows(&piece(0, 8192).cut(16_384)), [8192]);
        assert_eq!(rows(&piece(0, 2000).cut(100)), [2000], "a page");
        let close = RowRanges { ranges: [4096..8192, 8192..12_288].into(), group_rows: 40_960 };
        let read = RowGroupRead { selected: Some(close), ..piece(0, 8192).read };
        assert_eq!(rows(&Piece { file: 0, read }.cut(8192)), [4096, 4096]);
    }

    #[test]
    fn parts_weigh_about_as_much() {
        let sizes = [900, 100, 500, 400, 100, 700, 300];
        let pieces = sizes.into_iter().enumerate().map(|(group, rows)| piece(group, rows)).collect();
        let sums = balanced(pieces, 3).iter().map(|part| rows(&part.pieces).iter().sum()).collect::<Vec<u64>>();
        assert_eq!(sums, [1000, 1000, 1000]);
    }

    /// A scan of a column of 100 million transactions in files of a million.
    fn scan_of_a_large_lake(partitions: usize) -> FileScanConfig {
        let (rows, groups) = (LakeOptions::default().row_group_rows as u64, 16);
        let reads = (0..100_000_000 / rows as usize).map(|number| {
            let (file, group) = (number / groups, number % groups);
            // A file of later blocks has larger rows.
            let bytes = rows * (20 + file as u64 % 5);
            RowGroupRead { file, file_row_groups: groups, group, rows, bytes, selected: None }
        });
        let partitions = assign_partitions(reads.collect(), partitions);
        let file = |read: &FileRead| read.clone().attach_to(PartitionedFile::new(format!("{}.parquet", read.file), 1));
        let groups = partitions.iter().map(|reads| reads.iter().map(file).collect()).collect();
        let source = Arc::new(ParquetSource::new(Arc::new(Schema::empty())));
        FileScanConfigBuilder::new(ObjectStoreUrl::local_filesystem(), source).with_file_groups(groups).build()
    }

    #[test]
    fn tasks_of_a_large_lake_read_about_as_many_rows() {
        for (partitions, tasks) in [2, 8, 16].into_iter().flat_map(|one| [2, 3, 8, 20, 64].map(|other| (one, other))) {
            let scans = split(&scan_of_a_large_lake(partitions), tasks).unwrap();
            let rows = |scan: &Arc<dyn ExecutionPlan>| -> u64 {
                let scan = scan.downcast_ref::<DataSourceExec>().unwrap();
                let (config, _) = scan.downcast_to_file_source::<ParquetSource>().unwrap();
                let files = config.file_groups.iter().flat_map(|group| group.iter());
                files.map(|file| file.extension::<PlannedRead>().unwrap().rows).sum()
            };
            let rows: Vec<u64> = scans.iter().map(rows).collect();
            let (most, total) = (rows.iter().max().unwrap(), rows.iter().sum::<u64>());
            assert!(most * tasks as u64 * 10 <= total * 12, "{tasks} tasks of {partitions} partitions: {rows:?}");
        }
    }
}
