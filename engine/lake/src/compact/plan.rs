//! Chooses the ranges to merge: adjacent ranges of final blocks, until the largest table fills a file.

use super::super::options::LakeOptions;
use super::super::snapshot::{BlockRange, Snapshot};
use super::super::tables::Table;

/// How far compaction goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Compaction {
    /// Only merges that are worth the writing: for the background.
    Worthwhile,
    /// All final blocks, even for a small gain: by command.
    Everything,
}

/// Blocks this far behind the head count as final if the source does not report finality.
const FINAL_DEPTH: i64 = 256;
/// Fewest ranges that are merged in the background if they don't fill a file.
const MIN_RANGES: usize = 16;

/// A range with the bytes of its tables.
#[derive(Debug, Clone)]
struct RangeSize {
    range: BlockRange,
    by_table: Vec<u64>,
}

impl RangeSize {
    fn bytes(&self) -> u64 {
        self.by_table.iter().sum()
    }

    fn largest(members: &[RangeSize]) -> u64 {
        let sum = |table: usize| members.iter().map(|member| member.by_table[table]).sum();
        (0..Table::ALL.len()).map(sum).max().unwrap_or_default()
    }
}

/// The next group to merge, in ascending order: at least two ranges, or one of an older version.
pub(super) fn next(snapshot: &Snapshot, options: &LakeOptions, how: Compaction) -> Option<Vec<BlockRange>> {
    if how == Compaction::Everything
        && let Some(outdated) =
            final_ranges(snapshot).into_iter().find(|member| snapshot.outdated.contains(&member.range))
    {
        return Some(vec![outdated.range]);
    }
    let target = options.target_file_bytes as u64;
    let mut group: Vec<RangeSize> = Vec::new();
    for member in final_ranges(snapshot) {
        let alone = RangeSize::largest(std::slice::from_ref(&member));
        let follows = group.last().is_none_or(|last| last.range.to + 1 == member.range.from);
        let fits = RangeSize::largest(&group) + alone <= target + target / 2;
        if (!follows || !fits || alone >= target)
            && let Some(done) = close(std::mem::take(&mut group), follows, how)
        {
            return Some(done);
        }
        if alone >= target {
            continue;
        }
        group.push(member);
        if RangeSize::largest(&group) >= target
            && let Some(done) = close(std::mem::take(&mut group), true, how)
        {
            return Some(done);
        }
    }
    close(group, false, how)
}

/// The ranges of a group that are worth merging. `full` means that no more would fit into its files.
fn close(mut group: Vec<RangeSize>, full: bool, how: Compaction) -> Option<Vec<BlockRange>> {
    if how == Compaction::Worthwhile {
        // A range is rewritten only with at least as many bytes of others, so that no byte is written often.
        while group.len() > 1 && group[0].bytes() > group[1..].iter().map(RangeSize::bytes).sum() {
            group.remove(0);
        }
        if !full && group.len() < MIN_RANGES {
            return None;
        }
    }
    (group.len() > 1).then(|| group.iter().map(|member| member.range).collect())
}

/// Live ranges that can't be reorganized any more, in ascending order.
fn final_ranges(snapshot: &Snapshot) -> Vec<RangeSize> {
    let head = snapshot.head.map(|head| head.number.saturating_sub(FINAL_DEPTH));
    let Some(last) = snapshot.finalized.or(head) else { return Vec::new() };
    let mut ranges: Vec<BlockRange> = snapshot.ranges.iter().copied().filter(|range| range.to <= last).collect();
    ranges.sort_unstable();
    let mut sized: Vec<RangeSize> =
        ranges.into_iter().map(|range| RangeSize { range, by_table: vec![0; Table::ALL.len()] }).collect();
    for (index, table) in Table::ALL.into_iter().enumerate() {
        for file in snapshot.files(table) {
            let at = sized.partition_point(|member| member.range.to < file.min_block);
            if let Some(member) = sized.get_mut(at).filter(|member| member.range.contains(file.min_block)) {
                member.by_table[index] += file.bytes;
            }
        }
    }
    sized
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::super::super::snapshot::FileEntry;
    use super::*;

    /// Ranges of ten blocks each with a file of so many bytes.
    fn lake(sizes: &[u64], finalized: i64) -> Snapshot {
        let ranges: Vec<BlockRange> =
            (0..sizes.len() as i64).map(|i| BlockRange { from: i * 10, to: i * 10 + 9 }).collect();
        let file = |(range, bytes): (&BlockRange, &u64)| FileEntry {
            path: String::new(),
            rows: 1,
            bytes: *bytes,
            min_block: range.from,
            max_block: range.to,
            min_time: 0,
            max_time: 0,
            columns: Arc::default(),
            checksums: None,
            statistics: Arc::default(),
        };
        let files: Arc<[FileEntry]> = ranges.iter().zip(sizes).map(file).collect();
        let mut snapshot = Snapshot { finalized: Some(finalized), ranges, ..Snapshot::default() };
        snapshot.files.insert(Table::Logs, files);
        snapshot
    }

    fn next_of(sizes: &[u64], finalized: i64, how: Compaction) -> Option<(i64, i64)> {
        let options = LakeOptions { target_file_bytes: 1000, ..LakeOptions::default() };
        next(&lake(sizes, finalized), &options, how).map(|group| (group[0].from, group[group.len() - 1].to))
    }

    #[test]
    fn adjacent_ranges_are_merged_until_a_file_is_full() {
        use Compaction::{Everything, Worthwhile};
        assert_eq!(next_of(&[400, 400, 400, 10], 1000, Worthwhile), Some((0, 29)));
        assert_eq!(next_of(&[1000, 400, 400, 400], 1000, Worthwhile), Some((10, 39)), "a full one is left alone");
        assert_eq!(next_of(&[1000, 1000, 1200], 1000, Everything), None);
        assert_eq!(next_of(&[900, 900, 900], 1000, Everything), None, "two do not fit into one");
    }

    #[test]
    fn small_compactions_wait() {
        use Compaction::{Everything, Worthwhile};
        assert_eq!(next_of(&[1; 15], 1000, Worthwhile), None);
        assert_eq!(next_of(&[1; 15], 1000, Everything), Some((0, 149)));
        assert_eq!(next_of(&[1; 16], 1000, Worthwhile), Some((0, 159)));
        let mut grown = vec![16];
        grown.extend([1; 15]);
        assert_eq!(next_of(&grown, 1000, Worthwhile), None, "most of it would be written again");
        grown.extend([1; 2]);
        assert_eq!(next_of(&grown, 1000, Worthwhile), Some((0, 179)));
    }

    #[test]
    fn unfinalized_ranges_and_gaps_are_not_merged() {
        assert_eq!(next_of(&[1; 10], 54, Compaction::Everything), Some((0, 49)));
        assert_eq!(next_of(&[1; 10], 15, Compaction::Everything), None);
        let mut gap = lake(&[1, 1, 1], 1000);
        gap.ranges.remove(1);
        assert_eq!(next(&gap, &LakeOptions::default(), Compaction::Everything), None);
    }
}
