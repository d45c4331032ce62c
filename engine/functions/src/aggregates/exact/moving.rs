//! Exact sums and means in a frame that moves with its row, for a whole column at once. The accumulators that a window
//! slides over its rows are asked row by row, with a slice of the column each time; here a row costs an addition and a
//! subtraction.

use std::collections::VecDeque;

use arrow::array::{Array, ArrayRef};
use arrow::datatypes::DataType;
use datafusion::common::Result;

use super::mean::{Answer, Means};
use super::number::{Kind, too_large};

/// Which rows a frame holds: from the row that is `from` rows above its own, or the partition's first, to the one that is
/// `to` rows above it, as in `rows between 99 preceding and current row`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Frame {
    pub from: Option<usize>,
    pub to: usize,
}

/// An aggregate of the rows of a frame that moves.
pub trait Moving: Send {
    /// What it is at each row of a column that goes on where the last one ended.
    fn next(&mut self, column: &ArrayRef) -> Result<ArrayRef>;

    /// Forgets the rows: those of another partition come.
    fn restart(&mut self);
}

/// The sum of each frame of some rows, and how many of its rows have a value, as a column of answers.
type Finish<K> = Box<dyn Fn(Vec<<K as Kind>::Sum>, Vec<i64>) -> Result<ArrayRef> + Send>;

struct Sums<K: Kind> {
    kind: K,
    frame: Frame,
    finish: Finish<K>,
    /// The rows that leave the frame or come into it later, null or not.
    rows: VecDeque<Option<K::Sum>>,
    sum: K::Sum,
    /// How many rows of the frame have a value.
    count: i64,
}

/// The sum of each frame, null where no row has a value.
pub(crate) fn sums<K: Kind>(kind: K, to: DataType, frame: Frame) -> Box<dyn Moving> {
    moving(kind, frame, Box::new(move |sums, counts| kind.write(sums, counts.iter().map(|n| *n > 0).collect(), &to)))
}

/// The mean of each frame, null where no row has a value.
pub(crate) fn means<K: Means>(kind: K, answer: Answer, frame: Frame) -> Box<dyn Moving> {
    moving(kind, frame, Box::new(move |sums, counts| kind.means(&sums, &counts, &answer)))
}

fn moving<K: Kind>(kind: K, frame: Frame, finish: Finish<K>) -> Box<dyn Moving> {
    Box::new(Sums { kind, frame, finish, rows: VecDeque::new(), sum: K::Sum::default(), count: 0 })
}

impl<K: Kind> Moving for Sums<K> {
    fn next(&mut self, column: &ArrayRef) -> Result<ArrayRef> {
        let value = self.kind.read(column, false);
        let (mut sums, mut counts) = (Vec::with_capacity(column.len()), Vec::with_capacity(column.len()));
        for row in 0..column.len() {
            self.rows.push_back(column.is_valid(row).then(|| value(row)));
            let entered = self.rows.len().checked_sub(self.frame.to + 1);
            if let Some(entered) = entered.and_then(|at| self.rows[at]) {
                self.sum = self.kind.add(self.sum, entered).ok_or_else(too_large)?;
                self.count += 1;
            }
            // A row that came in and never leaves need not be kept.
            let kept = self.frame.from.map_or(self.frame.to, |from| from + 1);
            let first = if self.rows.len() > kept { self.rows.pop_front().flatten() } else { None };
            if let Some(left) = first.filter(|_| self.frame.from.is_some()) {
                self.sum = self.kind.subtract(self.sum, left).ok_or_else(too_large)?;
                self.count -= 1;
            }
            sums.push(self.sum);
            counts.push(self.count);
        }
        (self.finish)(sums, counts)
    }

    fn restart(&mut self) {
        self.rows.clear();
        self.sum = K::Sum::default();
        self.count = 0;
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use arrow::array::{AsArray, Int64Array};
    use arrow::datatypes::{Decimal128Type, Float64Type};

    use super::super::number::Whole;
    use super::*;

    fn column(values: &[Option<i64>]) -> ArrayRef {
        Arc::new(Int64Array::from(values.to_vec()))
    }

    #[test]
    fn frames_go_on_from_column_to_column_and_start_anew_with_a_partition() {
        let mut sums = sums(Whole, DataType::Decimal128(38, 0), Frame { from: Some(2), to: 1 });
        let mut next = |values: &[Option<i64>]| -> Vec<Option<i128>> {
            sums.next(&column(values)).unwrap().as_primitive::<Decimal128Type>().iter().collect()
        };
        assert_eq!(next(&[Some(1), None]), [None, Some(1)]);
        assert_eq!(next(&[None, Some(4), Some(8)]), [Some(1), None, Some(4)]);
        assert_eq!(next(&[]), []);
        assert_eq!(next(&[Some(16)]), [Some(12)]);
        sums.restart();
        assert_eq!(sums.next(&column(&[Some(1)])).unwrap().null_count(), 1);
    }

    #[test]
    fn means_are_of_the_values() {
        let mut means = means(Whole, Answer { to: DataType::Float64, digits: 0 }, Frame { from: Some(1), to: 0 });
        let means = means.next(&column(&[Some(i64::MAX), Some(i64::MAX), None, Some(3), Some(4)])).unwrap();
        let max = i64::MAX as f64;
        assert_eq!(means.as_primitive::<Float64Type>().values(), &[max, max, max, 3.0, 3.5]);
    }
}
