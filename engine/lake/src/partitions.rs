//! Assigns the reads of a scan to partitions, so that each reads about as much, in turns along the chain.

use std::ops::Range;

use super::pruning::{RowGroupRead, RowRanges};
use super::tables::layout::PAGE_ROWS;

/// Row groups of one file that one partition reads.
#[derive(Debug)]
pub(super) struct FileRead {
    pub(super) file: usize,
    /// Row groups of the whole file.
    pub(super) file_row_groups: usize,
    /// Ascending row groups, with the rows to read if not all.
    pub(super) groups: Vec<(usize, Option<RowRanges>)>,
    pub(super) rows: u64,
    /// Compressed bytes of the columns the scan needs.
    pub(super) bytes: u64,
}

/// Reads that each partition should have at least; row groups are split if there are fewer.
const MIN_READS: usize = 4;

/// Assigns reads to at most `count` partitions. Each read goes to the partition that has the least so far: all partitions end
/// at about the same time, and a merge by block takes from each in turn, so that none waits for another to end.
pub(super) fn assign_partitions(reads: Vec<RowGroupRead>, count: usize) -> Vec<Vec<FileRead>> {
    let count = count.max(1);
    let reads = if count > 1 { split_reads(reads, count * MIN_READS) } else { reads };
    let mut partitions: Vec<(u64, Vec<FileRead>)> = (0..count).map(|_| (0, Vec::new())).collect();
    for read in reads {
        let Some((weight, partition)) = partitions.iter_mut().min_by_key(|(weight, _)| *weight) else { continue };
        // A row has a cost even if no column is read.
        *weight += read.bytes + read.rows;
        add(partition, read);
    }
    partitions.into_iter().map(|(_, partition)| partition).filter(|partition| !partition.is_empty()).collect()
}

fn add(partition: &mut Vec<FileRead>, read: RowGroupRead) {
    let RowGroupRead { file, file_row_groups, group, rows, bytes, selected } = read;
    match partition.last_mut().filter(|last| last.file == file) {
        Some(last) => {
            last.rows += rows;
            last.bytes += bytes;
            match (last.groups.last_mut(), selected) {
                (Some((last_group, Some(before))), Some(selected)) if *last_group == group => {
                    before.ranges = before.ranges.iter().chain(selected.ranges.iter()).cloned().collect();
                }
                (_, selected) => last.groups.push((group, selected)),
            }
        }
        None => partition.push(FileRead { file, file_row_groups, groups: vec![(group, selected)], rows, bytes }),
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
fn split_at_pages(read: RowGroupRead, count: usize) -> Vec<RowGroupRead> {
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
            read.groups.iter().map(|(group, rows)| (read.file, *group, ranges(rows))).collect::<Vec<_>>()
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
        assert_eq!(partitions.iter().map(|partition| partition[0].rows).collect::<Vec<_>>(), [6000, 6000]);
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
        assert_eq!(partitions.iter().map(|partition| partition[0].rows).sum::<u64>(), 40_000);
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
