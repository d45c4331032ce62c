//! Assigns the reads of a scan to partitions, so that each reads about as much, in turns along the chain.

use std::ops::Range;

use datafusion::datasource::listing::PartitionedFile;
use datafusion::datasource::physical_plan::parquet::ParquetAccessPlan;
use parquet::arrow::arrow_reader::RowSelection;
use serde::{Deserialize, Serialize};

use super::pruning::{RowGroupRead, RowRanges};
use super::tables::layout::PAGE_ROWS;

/// What a scan will read of one file in one partition; an extension of `PartitionedFile`, for progress.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct PlannedRead {
    pub rows: u64,
    /// Compressed bytes of the columns that the scan needs.
    pub bytes: u64,
}

/// Row groups of one file that one partition reads; an extension of `PartitionedFile`, for sharing the scan out.
#[derive(Debug, Clone)]
pub(super) struct FileRead {
    pub(super) file: usize,
    /// Row groups of the whole file.
    file_row_groups: usize,
    /// Ascending, one for each row group.
    pub(super) groups: Vec<RowGroupRead>,
}

impl FileRead {
    pub(super) fn new(read: RowGroupRead) -> FileRead {
        FileRead { file: read.file, file_row_groups: read.file_row_groups, groups: vec![read] }
    }

    /// Appends rows of the file. They must follow those already added.
    pub(super) fn add(&mut self, read: RowGroupRead) {
        match (self.groups.last_mut(), &read.selected) {
            (Some(RowGroupRead { group, rows, bytes, selected: Some(before), .. }), Some(selected))
                if *group == read.group =>
            {
                *rows += read.rows;
                *bytes += read.bytes;
                before.ranges = before.ranges.iter().chain(selected.ranges.iter()).cloned().collect();
            }
            _ => self.groups.push(read),
        }
    }

    /// A file of a scan that reads this of it.
    pub(super) fn attach_to(self, file: PartitionedFile) -> PartitionedFile {
        file.with_extension(self.access_plan()).with_extension(self.planned()).with_extension(self)
    }

    fn access_plan(&self) -> ParquetAccessPlan {
        let mut access = ParquetAccessPlan::new_none(self.file_row_groups);
        for RowGroupRead { group, rows, selected, .. } in &self.groups {
            access.scan(*group);
            // Parts of a row group may be all of it together.
            let some = selected.as_ref().filter(|selected| *rows < selected.group_rows as u64);
            if let Some(RowRanges { ranges, group_rows }) = some {
                access
                    .scan_selection(*group, RowSelection::from_consecutive_ranges(ranges.iter().cloned(), *group_rows));
            }
        }
        access
    }

    fn planned(&self) -> PlannedRead {
        PlannedRead {
            rows: self.groups.iter().map(|read| read.rows).sum(),
            bytes: self.groups.iter().map(|read| read.bytes).sum(),
        }
    }
}

/// Reads that each partition should have at least; row groups are split if there are fewer.
pub(super) const MIN_READS: usize = 4;

/// Assigns reads to at most `count` partitions. Each read goes to the partition that has the least so far: all partitions end
/// at about the same time, and a merge by block takes from each in turn, so that none waits for another to end.
pub(super) fn assign_partitions(reads: Vec<RowGroupRead>, count: usize) -> Vec<Vec<FileRead>> {
    let count = count.max(1);
    let reads = if count > 1 { split_reads(reads, count * MIN_READS) } else { reads };
    let mut partitions: Vec<(u64, Vec<FileRead>)> = (0..count).map(|_| (0, Vec::new())).collect();
    for read in reads {
        let Some((sum, partition)) = partitions.iter_mut().min_by_key(|(sum, _)| *sum) else { continue };
        *sum += weight(&read);
        add(partition, read);
    }
    partitions.into_iter().map(|(_, partition)| partition).filter(|partition| !partition.is_empty()).collect()
}

/// How long a read takes, compared with others. A row has a cost even if no column is read.
pub(super) fn weight(read: &RowGroupRead) -> u64 {
    read.bytes + read.rows
}

fn add(partition: &mut Vec<FileRead>, read: RowGroupRead) {
    match partition.last_mut().filter(|last| last.file == read.file) {
        Some(last) => last.add(read),
        None => partition.push(FileRead::new(read)),
    }
}

/// Splits reads so that there are about `count`, as far as their pages allow.
fn split_reads(reads: Vec<RowGroupRead>, count: usize) -> Vec<RowGroupRead> {
    if reads.is_empty() || reads.len() >= count {
        return reads;
    }
    let each = count.div_ceil(reads.len());
    reads.into_iter().flat_map(|read| split_at_pages(read, each)).collect()
}

/// Splits a read between pages into at most `count` reads of about as many rows of the row group. Empty ones are left out.
pub(super) fn split_at_pages(read: RowGroupRead, count: usize) -> Vec<RowGroupRead> {
    let rows = read.rows as usize;
    let all = RowRanges { ranges: std::iter::once(0..rows).collect(), group_rows: rows };
    let RowRanges { ranges, group_rows } = read.selected.clone().unwrap_or(all);
    let length = group_rows.div_ceil(count).next_multiple_of(PAGE_ROWS);
    if length >= group_rows {
        return vec![read];
    }
    let part_from = |from: usize| {
        let inside = |range: &Range<usize>| range.start.max(from)..range.end.min(from + length);
        let ranges: Vec<Range<usize>> = ranges.iter().map(inside).filter(|range| !range.is_empty()).collect();
        let rows: usize = ranges.iter().map(Range::len).sum();
        let bytes = (read.bytes as f64 * rows as f64 / read.rows.max(1) as f64) as u64;
        let selected = Some(RowRanges { ranges: ranges.into(), group_rows });
        (rows > 0).then_some(RowGroupRead { rows: rows as u64, bytes, selected, ..read.clone() })
    };
    (0..group_rows).step_by(length).filter_map(part_from).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(file: usize, group: usize, rows: u64) -> RowGroupRead {
        RowGroupRead { file, file_row_groups: 8, group, rows, bytes: rows, selected: None }
    }

    /// File, row group, ranges of rows; an empty list of ranges means all.
    type Read = (usize, usize, Vec<Range<usize>>);

    /// What each partition reads.
    fn rows(partitions: &[Vec<FileRead>]) -> Vec<Vec<Read>> {
        let ranges = |rows: &Option<RowRanges>| rows.iter().flat_map(|rows| rows.ranges.to_vec()).collect();
        let reads = |read: &FileRead| {
            read.groups.iter().map(|read| (read.file, read.group, ranges(&read.selected))).collect::<Vec<_>>()
        };
        partitions.iter().map(|partition| partition.iter().flat_map(reads).collect()).collect()
    }

    #[test]
    fn row_groups_are_assigned_round_robin() {
        let reads = (0..8).map(|number| read(number / 4, number % 4, 1000)).collect();
        let whole = |file, group| (file, group, vec![]);
        assert_eq!(
            rows(&assign_partitions(reads, 2)),
            [
                vec![whole(0, 0), whole(0, 2), whole(1, 0), whole(1, 2)],
                vec![whole(0, 1), whole(0, 3), whole(1, 1), whole(1, 3)],
            ]
        );
    }

    #[test]
    fn partitions_read_about_as_much() {
        let reads = [5000, 1000, 1000, 1000, 1000, 1000, 1000, 1000].into_iter().enumerate();
        let partitions = assign_partitions(reads.map(|(group, rows)| read(0, group, rows)).collect(), 2);
        assert_eq!(partitions.iter().map(|partition| partition[0].planned().rows).collect::<Vec<_>>(), [6000, 6000]);
    }

    #[test]
    fn row_group_is_split_at_page_boundaries() {
        let partitions = assign_partitions(vec![read(0, 3, 40_000)], 2);
        assert_eq!(
            rows(&partitions),
            [
                vec![(0, 3, vec![0..6144, 12288..18432, 24576..30720, 36864..40000])],
                vec![(0, 3, vec![6144..12288, 18432..24576, 30720..36864])],
            ]
        );
        assert_eq!(partitions.iter().map(|partition| partition[0].planned().rows).sum::<u64>(), 40_000);
        assert_eq!(rows(&assign_partitions(vec![read(0, 3, 2000)], 2)), [vec![(0, 3, vec![])]]);
        assert_eq!(rows(&assign_partitions(vec![read(0, 3, 40_000)], 1)), [vec![(0, 3, vec![])]]);
    }

    #[test]
    fn index_selections_are_split() {
        let selected =
            RowRanges { ranges: [100..200, 6000..7000, 7100..7101, 30_000..30_001].into(), group_rows: 40_000 };
        let read = RowGroupRead { rows: 1102, selected: Some(selected), ..read(0, 0, 40_000) };
        let partitions = assign_partitions(vec![read], 2);
        assert_eq!(
            rows(&partitions),
            [vec![(0, 0, vec![100..200, 6000..6144, 30_000..30_001])], vec![(0, 0, vec![6144..7000, 7100..7101])],]
        );
    }

    #[test]
    fn no_reads_make_no_partitions() {
        assert!(assign_partitions(Vec::new(), 4).is_empty());
    }
}
