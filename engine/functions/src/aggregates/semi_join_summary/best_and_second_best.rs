//! Two rows of a group: the best one, and the best of those with another second value. If any row of the group is better than a
//! given row and has another second value, one of these two is and has.

use arrow::array::BinaryViewArray;
use arrow::compute::SortOptions;
use arrow::row::{RowConverter, Rows, SortField};

use super::summary::{Ranking, Summary};
use crate::aggregates::per_group::PerGroup;
use crate::prelude::*;

/// Values in Arrow's row format, the lower the better.
pub(super) struct Pairs {
    best: Rows,
    other: Rows,
    /// Rows without nulls.
    valid: BooleanArray,
}

impl Pairs {
    fn at(&self, row: usize) -> Option<[&[u8]; 2]> {
        self.valid.value(row).then(|| [self.best.row(row).data(), self.other.row(row).data()])
    }
}

/// A row: its first value, the lower the better, and its second one.
type Pair = [Box<[u8]>; 2];

/// The best row of a group, and the best of the rows with another value.
#[derive(Debug, Default)]
pub(super) struct BestRows {
    first: Option<Pair>,
    second: Option<Pair>,
}

impl BestRows {
    fn add_pair(&mut self, [best, other]: [&[u8]; 2]) {
        let pair = || Some([Box::from(best), Box::from(other)]);
        match &mut self.first {
            Some(first) if *first[1] == *other => {
                if *best < *first[0] {
                    first[0] = Box::from(best);
                }
            }
            Some(first) if *best >= *first[0] => {
                if self.second.as_ref().is_none_or(|second| *best < *second[0]) {
                    self.second = pair();
                }
            }
            first => {
                self.second = first.take();
                self.first = pair();
            }
        }
    }

    /// Each value follows its length.
    fn encode(self) -> Vec<u8> {
        let mut bytes = Vec::new();
        for value in [self.first, self.second].into_iter().flatten().flatten() {
            bytes.extend((value.len() as u64).to_be_bytes());
            bytes.extend_from_slice(&value);
        }
        bytes
    }
}

/// The aggregate, by the ranking of the first value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct BestAndSecondBest(pub Ranking);

impl PerGroup for BestAndSecondBest {
    type Group = BestRows;
    type Columns = Pairs;

    fn columns(&self, values: &[ArrayRef]) -> Result<Pairs> {
        let rows = |values: &ArrayRef, descending| {
            let options = SortOptions { descending, nulls_first: false };
            let field = SortField::new_with_options(values.data_type().clone(), options);
            RowConverter::new(vec![field])?.convert_columns(std::slice::from_ref(values))
        };
        let valid = (0..values[0].len()).map(|row| Some(values.iter().all(|column| column.is_valid(row))));
        Ok(Pairs {
            best: rows(&values[0], self.0.greatest)?,
            other: rows(&values[1], false)?,
            valid: BooleanArray::from_iter(valid),
        })
    }

    fn add(&self, rows: &mut BestRows, pairs: &Pairs, row: usize) {
        pairs.at(row).into_iter().for_each(|pair| rows.add_pair(pair));
    }

    fn merge(&self, rows: &mut BestRows, states: &ArrayRef, row: usize) {
        decode(states.as_binary_view().value(row)).for_each(|pair| rows.add_pair(pair));
    }

    fn heap_size(rows: &BestRows) -> usize {
        [&rows.first, &rows.second].into_iter().flatten().flatten().map(|value| value.len()).sum()
    }

    fn state(&self, groups: Vec<BestRows>) -> Result<ArrayRef> {
        Ok(Arc::new(BinaryViewArray::from_iter_values(groups.into_iter().map(BestRows::encode))))
    }
}

impl Summary for BestAndSecondBest {
    const NAME: &'static str = "best_and_second_best";
    const REACHES_NAME: &'static str = "best_and_second_best_reaches";

    fn rankings(&self) -> &[Ranking] {
        std::slice::from_ref(&self.0)
    }

    fn from_rankings(rankings: &[Ranking]) -> Option<BestAndSecondBest> {
        match rankings {
            [ranking] => Some(BestAndSecondBest(*ranking)),
            _ => None,
        }
    }

    fn reaches(&self, encoded: &[u8], pairs: &Pairs, row: usize) -> bool {
        pairs.at(row).is_some_and(|pair| reaches(encoded, pair, self.0.or_equal))
    }
}

/// The rows of [`BestRows::encode`].
fn decode(mut bytes: &[u8]) -> impl Iterator<Item = [&[u8]; 2]> {
    let mut value = move || {
        let (length, rest) = bytes.split_first_chunk()?;
        let (value, rest) = rest.split_at_checked(usize::try_from(u64::from_be_bytes(*length)).ok()?)?;
        bytes = rest;
        Some(value)
    };
    std::iter::from_fn(move || Some([value()?, value()?]))
}

/// Whether an encoded row is better than a given row, or as good if `or_equal`, and has another second value.
fn reaches(encoded: &[u8], [than, not]: [&[u8]; 2], or_equal: bool) -> bool {
    decode(encoded).any(|[best, other]| other != not && (best < than || or_equal && best == than))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_rows_answer_for_all() {
        let mut state = 7u64;
        let mut number = |below: u64| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            [((state >> 33) % below) as u8]
        };
        for count in [0, 1, 2, 3, 9, 50].repeat(20) {
            let all: Vec<_> = (0..count).map(|_| [number(9), number(4)]).collect();
            let mut halves = [BestRows::default(), BestRows::default()];
            all.iter().enumerate().for_each(|(at, [best, other])| halves[at % 2].add_pair([best, other]));
            let mut merged = BestRows::default();
            for half in halves {
                decode(&half.encode()).for_each(|pair| merged.add_pair(pair));
            }
            let encoded = merged.encode();
            for (than, not) in (0..10u8).flat_map(|than| (0..5u8).map(move |not| ([than], [not]))) {
                for or_equal in [false, true] {
                    let better = |best: [u8; 1]| best < than || or_equal && best == than;
                    let expected = all.iter().any(|[best, other]| better(*best) && *other != not);
                    let reached = reaches(&encoded, [&than, &not], or_equal);
                    assert_eq!(reached, expected, "{all:?} {than:?} {not:?} {or_equal}");
                }
            }
        }
    }
}
