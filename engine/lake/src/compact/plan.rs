//! Which ranges become one: neighbours of settled blocks, until the largest table fills a file.

use super::super::options::LakeOptions;
use super::super::snapshot::{BlockRange, Snapshot};
use super::super::tables::Table;

/// How far compaction goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Compaction {
    /// Only what is worth its writing: for the background.
    Worthwhile,
    /// All settled blocks, however little there is to gain: by hand.
    Everything,
}

/// Blocks behind the head after which they count as settled when no source told what is final.
const SETTLED_DEPTH: i64 = 256;
/// Fewest ranges that are merged in the background before they fill a file.
const WORTHWHILE: usize = 16;

/// A range and the bytes of its largest tables.
#[derive(Debug, Clone)]
struct Sized {
    range: BlockRange,
    by_table: Vec<u64>,
}

impl Sized {
    fn bytes(&self) -> u64 {
        self.by_table.iter().sum()
    }

    fn largest(members: &[Sized]) -> u64 {
        let sum = |table: usize| members.iter().map(|member| member.by_table[table]).sum();
        (0..Table::ALL.len()).map(sum).max().unwrap_or_default()
    }
}

/// The next group to merge, in rising order: at least two ranges, or one that lacks what files carry today.
pub(super) fn next(snapshot: &Snapshot, options: &LakeOptions, how: Compaction) -> Option<Vec<BlockRange>> {
    if how == Compaction::Everything
        && let Some(dated) = settled(snapshot).into_iter().find(|member| snapshot.dated.contains(&member.range))
    {
        return Some(vec![dated.range]);
    }
    let target = options.target_file_bytes as u64;
    let mut group: Vec<Sized> = Vec::new();
    for member in settled(snapshot) {
        let alone = Sized::largest(std::slice::from_ref(&member));
        let follows = group.last().is_none_or(|last| last.range.to + 1 == member.range.from);
        let fits = Sized::largest(&group) + alone <= target + target / 2;
        if (!follows || !fits || alone >= target)
            && let Some(done) = close(std::mem::take(&mut group), follows, how)
        {
            return Some(done);
        }
        if alone >= target {
            continue;
        }
        group.push(member);
        if Sized::largest(&group) >= target
            && let Some(done) = close(std::mem::take(&mut group), true, how)
        {
            return Some(done);
        }
    }
    close(group, false, how)
}

/// A group that is worth merging. `full`: more would not fit into its files.
fn close(mut group: Vec<Sized>, full: bool, how: Compaction) -> Option<Vec<BlockRange>> {
    if how == Compaction::Worthwhile {
        // A range is written again only together with as many bytes of others, so no byte is written often.
        while group.len() > 1 && group[0].bytes() > group[1..].iter().map(Sized::bytes).sum() {
            group.remove(0);
        }
        if !full && group.len() < WORTHWHILE {
            return None;
        }
    }
    (group.len() > 1).then(|| group.iter().map(|member| member.range).collect())
}

/// Live ranges that can't be reorganised any more, in rising order.
fn settled(snapshot: &Snapshot) -> Vec<Sized> {
    let head = snapshot.head.map(|head| head.number.saturating_sub(SETTLED_DEPTH));
    let Some(last) = snapshot.finalised.or(head) else { return Vec::new() };
    let mut ranges: Vec<BlockRange> = snapshot.ranges.iter().copied().filter(|range| range.to <= last).collect();
    ranges.sort_unstable();
    let mut sized: Vec<Sized> =
        ranges.into_iter().map(|range| Sized { range, by_table: vec![0; Table::ALL.len()] }).collect();
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
    fn lake(sizes: &[u64], finalised: i64) -> Snapshot {
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
        let mut snapshot = Snapshot::empty();
        snapshot.finalised = Some(finalised);
        snapshot.ranges = ranges;
        snapshot.files.insert(Table::Logs, files);
        snapshot
    }

    fn next_of(sizes: &[u64], finalised: i64, how: Compaction) -> Option<(i64, i64)> {
        let options = LakeOptions { target_file_bytes: 1000, ..LakeOptions::default() };
        next(&lake(sizes, finalised), &options, how).map(|group| (group[0].from, group[group.len() - 1].to))
    }

    #[test]
    fn neighbours_are_merged_until_a_file_is_full() {
        use Compaction::{Everything, Worthwhile};
        assert_eq!(next_of(&[400, 400, 400, 10], 1000, Worthwhile), Some((0, 29)));
        assert_eq!(next_of(&[1000, 400, 400, 400], 1000, Worthwhile), Some((10, 39)), "a full one is left alone");
        assert_eq!(next_of(&[1000, 1000, 1200], 1000, Everything), None);
        assert_eq!(next_of(&[900, 900, 900], 1000, Everything), None, "two do not fit into one");
    }

    #[test]
    fn little_waits_for_more_unless_asked_for() {
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
    fn what_may_be_reorganised_and_what_does_not_touch_stays() {
        assert_eq!(next_of(&[1; 10], 54, Compaction::Everything), Some((0, 49)));
        assert_eq!(next_of(&[1; 10], 15, Compaction::Everything), None);
        let mut gap = lake(&[1, 1, 1], 1000);
        gap.ranges.remove(1);
        assert_eq!(next(&gap, &LakeOptions::default(), Compaction::Everything), None);
    }
}
