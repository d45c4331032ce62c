//! Two rows of a group: the best one, and the best of those with another second value. Whether a row of the group is better than
//! a given one and has another second value is told by one of them.

use arrow::array::{Array, ArrayRef, BooleanArray};
use arrow::compute::SortOptions;
use arrow::row::{RowConverter, Rows, SortField};
use datafusion::common::Result;

use super::{Kept, Order};

/// Values as bytes that have their order, or the other one where the greatest is wanted; none of a row with a null.
pub(super) struct Pairs {
    best: Rows,
    other: Rows,
    known: BooleanArray,
}

impl Pairs {
    fn at(&self, row: usize) -> Option<[&[u8]; 2]> {
        self.known.value(row).then(|| [self.best.row(row).data(), self.other.row(row).data()])
    }
}

/// A row: how good it is, the lower the better, and its other value.
type Pair = [Box<[u8]>; 2];

/// The best row of a group, and the best of the rows with another value.
#[derive(Debug, Default, PartialEq, Eq, Hash)]
pub(super) struct Two {
    first: Option<Pair>,
    second: Option<Pair>,
}

impl Two {
    fn keep(&mut self, [best, other]: [&[u8]; 2]) {
        let kept = || Some([Box::from(best), Box::from(other)]);
        match &mut self.first {
            Some(first) if *first[1] == *other => {
                if *best < *first[0] {
                    first[0] = Box::from(best);
                }
            }
            Some(first) if *best >= *first[0] => {
                if self.second.as_ref().is_none_or(|second| *best < *second[0]) {
                    self.second = kept();
                }
            }
            first => {
                self.second = first.take();
                self.first = kept();
            }
        }
    }
}

impl Kept for Two {
    const NAME: &'static str = "best_and_second_best";
    const ASKED: &'static str = "best_and_second_best_reaches";
    type Order = Order;
    type Rows = Pairs;

    fn rows(values: &[ArrayRef], order: Order) -> Result<Pairs> {
        let rows = |values: &ArrayRef, descending| {
            let options = SortOptions { descending, nulls_first: false };
            let field = SortField::new_with_options(values.data_type().clone(), options);
            RowConverter::new(vec![field])?.convert_columns(std::slice::from_ref(values))
        };
        let known = (0..values[0].len()).map(|row| Some(values.iter().all(|column| column.is_valid(row))));
        Ok(Pairs {
            best: rows(&values[0], order.greatest)?,
            other: rows(&values[1], false)?,
            known: BooleanArray::from_iter(known),
        })
    }

    fn add(&mut self, rows: &Pairs, row: usize) {
        rows.at(row).into_iter().for_each(|pair| self.keep(pair));
    }

    fn merge(&mut self, written: &[u8]) {
        read(written).for_each(|pair| self.keep(pair));
    }

    /// Each value behind its length.
    fn written(self) -> Vec<u8> {
        let mut bytes = Vec::new();
        for value in [self.first, self.second].into_iter().flatten().flatten() {
            bytes.extend((value.len() as u64).to_be_bytes());
            bytes.extend_from_slice(&value);
        }
        bytes
    }

    fn size(&self) -> usize {
        [&self.first, &self.second].into_iter().flatten().flatten().map(|value| value.len()).sum()
    }

    fn reaches(written: &[u8], rows: &Pairs, row: usize, order: Order) -> bool {
        rows.at(row).is_some_and(|pair| reaches(written, pair, order.or_equal))
    }
}

/// The rows of [`Kept::written`].
fn read(mut bytes: &[u8]) -> impl Iterator<Item = [&[u8]; 2]> {
    let mut value = move || {
        let (length, rest) = bytes.split_first_chunk()?;
        let (value, rest) = rest.split_at_checked(usize::try_from(u64::from_be_bytes(*length)).ok()?)?;
        bytes = rest;
        Some(value)
    };
    std::iter::from_fn(move || Some([value()?, value()?]))
}

/// Whether a kept row is better than a given one, or as good where `or_equal`, and has another second value.
fn reaches(written: &[u8], [than, not]: [&[u8]; 2], or_equal: bool) -> bool {
    read(written).any(|[best, other]| other != not && (best < than || or_equal && best == than))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_rows_tell_what_all_would() {
        let mut state = 7u64;
        let mut number = |below: u64| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            [((state >> 33) % below) as u8]
        };
        for count in [0, 1, 2, 3, 9, 50].repeat(20) {
            let all: Vec<_> = (0..count).map(|_| [number(9), number(4)]).collect();
            let mut halves = [Two::default(), Two::default()];
            all.iter().enumerate().for_each(|(at, [best, other])| halves[at % 2].keep([best, other]));
            let mut merged = Two::default();
            halves.into_iter().for_each(|half| merged.merge(&half.written()));
            let kept = merged.written();
            for (than, not) in (0..10u8).flat_map(|than| (0..5u8).map(move |not| ([than], [not]))) {
                for or_equal in [false, true] {
                    let better = |best: [u8; 1]| best < than || or_equal && best == than;
                    let wanted = all.iter().any(|[best, other]| better(*best) && *other != not);
                    let reached = reaches(&kept, [&than, &not], or_equal);
                    assert_eq!(reached, wanted, "{all:?} {than:?} {not:?} {or_equal}");
                }
            }
        }
    }
}
