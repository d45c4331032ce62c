//! Shares what a scan has to read out over partitions: each gets about the same amount, in turns along the chain.

use std::ops::Range;

use super::pruning::{Part, Unit};
use super::tables::layout::PAGE_ROWS;

/// Row groups of one file that one partition reads.
#[derive(Debug)]
pub(super) struct Piece {
    pub(super) file: usize,
    /// Row groups that the whole file has.
    pub(super) of: usize,
    /// Rising row groups, with the rows that are read where these aren't all.
    pub(super) groups: Vec<(usize, Option<Part>)>,
    pub(super) rows: u64,
    /// Compressed bytes of the columns the scan needs.
    pub(super) bytes: u64,
}

/// Turns that every partition should get at least; row groups are cut where there are fewer.
const TURNS: usize = 4;

/// Shares units out over at most `parts` partitions. Each unit goes to the partition that has the least so far: all end at
/// about the same time, and what merges the partitions by block takes from each in turn, so that none waits for another to
/// end.
pub(super) fn share_out(units: Vec<Unit>, parts: usize) -> Vec<Vec<Piece>> {
    let parts = parts.max(1);
    let units = if parts > 1 { cut(units, parts * TURNS) } else { units };
    let mut shares: Vec<(u64, Vec<Piece>)> = (0..parts).map(|_| (0, Vec::new())).collect();
    for unit in units {
        let Some((weight, share)) = shares.iter_mut().min_by_key(|(weight, _)| *weight) else { continue };
        // A row costs something even when no column is read.
        *weight += unit.bytes + unit.rows;
        add(share, unit);
    }
    shares.into_iter().map(|(_, share)| share).filter(|share| !share.is_empty()).collect()
}

fn add(share: &mut Vec<Piece>, unit: Unit) {
    let Unit { file, of, group, rows, bytes, part } = unit;
    match share.last_mut().filter(|piece| piece.file == file) {
        Some(piece) => {
            piece.rows += rows;
            piece.bytes += bytes;
            match (piece.groups.last_mut(), part) {
                (Some((last, Some(held))), Some(part)) if *last == group => {
                    held.ranges = held.ranges.iter().chain(part.ranges.iter()).cloned().collect();
                }
                (_, part) => piece.groups.push((group, part)),
            }
        }
        None => share.push(Piece { file, of, groups: vec![(group, part)], rows, bytes }),
    }
}

/// Cuts units so that there are about `wanted`, as far as their pages allow.
fn cut(units: Vec<Unit>, wanted: usize) -> Vec<Unit> {
    if units.is_empty() || units.len() >= wanted {
        return units;
    }
    let each = wanted.div_ceil(units.len());
    units.into_iter().flat_map(|unit| stretches(unit, each)).collect()
}

/// A unit in at most `count` stretches of about as many rows of the row group, cut between pages; those of which nothing is read are left out.
fn stretches(unit: Unit, count: usize) -> Vec<Unit> {
    let all = unit.rows as usize;
    let whole = Part { ranges: std::iter::once(0..all).collect(), of: all };
    let Part { ranges, of } = unit.part.clone().unwrap_or(whole);
    let length = of.div_ceil(count).next_multiple_of(PAGE_ROWS);
    if length >= of {
        return vec![unit];
    }
    let stretch = |from: usize| {
        let inside = |range: &Range<usize>| range.start.max(from)..range.end.min(from + length);
        let ranges: Vec<Range<usize>> = ranges.iter().map(inside).filter(|range| !range.is_empty()).collect();
        let rows: usize = ranges.iter().map(Range::len).sum();
        let bytes = (unit.bytes as f64 * rows as f64 / unit.rows.max(1) as f64) as u64;
        let part = Some(Part { ranges: ranges.into(), of });
        (rows > 0).then_some(Unit { rows: rows as u64, bytes, part, ..unit.clone() })
    };
    (0..of).step_by(length).filter_map(stretch).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn unit(file: usize, group: usize, rows: u64) -> Unit {
        Unit { file, of: 8, group, rows, bytes: rows, part: None }
    }

    /// File, row group, ranges of rows; an empty list of ranges stands for all.
    type Read = (usize, usize, Vec<Range<usize>>);

    /// What each partition reads.
    fn rows(shares: &[Vec<Piece>]) -> Vec<Vec<Read>> {
        let ranges = |part: &Option<Part>| part.iter().flat_map(|part| part.ranges.to_vec()).collect();
        let piece = |piece: &Piece| {
            let file = piece.file;
            piece.groups.iter().map(|(group, part)| (file, *group, ranges(part))).collect::<Vec<_>>()
        };
        shares.iter().map(|share| share.iter().flat_map(piece).collect()).collect()
    }

    #[test]
    fn row_groups_go_to_partitions_in_turns() {
        let units = (0..8).map(|at| unit(at / 4, at % 4, 1000)).collect();
        let whole = |file, group| (file, group, vec![]);
        assert_eq!(
            rows(&share_out(units, 2)),
            [
                vec![whole(0, 0), whole(0, 2), whole(1, 0), whole(1, 2)],
                vec![whole(0, 1), whole(0, 3), whole(1, 1), whole(1, 3)],
            ]
        );
    }

    #[test]
    fn a_heavy_one_is_made_up_for() {
        let units = [5000, 1000, 1000, 1000, 1000, 1000, 1000, 1000].into_iter().enumerate();
        let shares = share_out(units.map(|(group, rows)| unit(0, group, rows)).collect(), 2);
        assert_eq!(shares.iter().map(|share| share[0].rows).collect::<Vec<_>>(), [6000, 6000]);
    }

    #[test]
    fn a_single_row_group_is_cut_at_pages() {
        let shares = share_out(vec![unit(0, 3, 40_000)], 2);
        assert_eq!(
            rows(&shares),
            [
                vec![(0, 3, vec![0..6144, 12288..18432, 24576..30720, 36864..40000])],
                vec![(0, 3, vec![6144..12288, 18432..24576, 30720..36864])],
            ]
        );
        assert_eq!(shares.iter().map(|share| share[0].rows).sum::<u64>(), 40_000);
        assert_eq!(rows(&share_out(vec![unit(0, 3, 2000)], 2)), [vec![(0, 3, vec![])]]);
        assert_eq!(rows(&share_out(vec![unit(0, 3, 40_000)], 1)), [vec![(0, 3, vec![])]]);
    }

    #[test]
    fn what_an_index_chose_stays_chosen() {
        let part = Part { ranges: [100..200, 6000..7000, 7100..7101, 30_000..30_001].into(), of: 40_000 };
        let unit = Unit { rows: 1102, part: Some(part), ..unit(0, 0, 40_000) };
        let shares = share_out(vec![unit], 2);
        assert_eq!(
            rows(&shares),
            [vec![(0, 0, vec![100..200, 6000..6144, 30_000..30_001])], vec![(0, 0, vec![6144..7000, 7100..7101])],]
        );
    }

    #[test]
    fn nothing_is_shared_out_as_nothing() {
        assert!(share_out(Vec::new(), 4).is_empty());
    }
}
