//! Exact sums and means over moving frames, of a whole column at once. A window calls its accumulators row by row, with a slice of
//! the column each time; here a row costs one addition and one subtraction.

use std::collections::VecDeque;

use super::answer::Answer;
use super::exact_sum::{ExactSum, too_large};
use crate::prelude::*;

/// The rows of a frame: from `from` rows before the current row, or from the start of the partition, to `to` rows before the
/// current row, as in `rows between 99 preceding and current row`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Frame {
    pub from: Option<usize>,
    pub to: usize,
}

/// An aggregate over a moving frame.
pub trait Moving: Send {
    /// The aggregate at each row of the next column of a partition.
    fn next(&mut self, column: &ArrayRef) -> Result<ArrayRef>;

    /// Starts with another partition.
    fn restart(&mut self);
}

struct MovingAnswers<K: ExactSum, A> {
    kind: K,
    answer: A,
    frame: Frame,
    /// The rows that will enter or leave the frame; `None` for nulls.
    rows: VecDeque<Option<K::Sum>>,
    sum: K::Sum,
    /// How many rows of the frame have a value.
    count: i64,
}

/// The answer for each frame.
pub(crate) fn moving<K: ExactSum, A: Answer<K>>(kind: K, answer: A, frame: Frame) -> Box<dyn Moving> {
    Box::new(MovingAnswers { kind, answer, frame, rows: VecDeque::new(), sum: K::Sum::default(), count: 0 })
}

impl<K: ExactSum, A: Answer<K>> Moving for MovingAnswers<K, A> {
    fn next(&mut self, column: &ArrayRef) -> Result<ArrayRef> {
        let value = self.kind.read(column);
        let (mut sums, mut counts) = (Vec::with_capacity(column.len()), Vec::with_capacity(column.len()));
        for row in 0..column.len() {
            self.rows.push_back(column.is_valid(row).then(|| value(row)));
            let entered = self.rows.len().checked_sub(self.frame.to + 1);
            if let Some(entered) = entered.and_then(|at| self.rows[at]) {
                self.sum = self.kind.add(self.sum, entered).ok_or_else(too_large)?;
                self.count += 1;
            }
            // A row that has entered and never leaves is not needed.
            let needed = self.frame.from.map_or(self.frame.to, |from| from + 1);
            let first = if self.rows.len() > needed { self.rows.pop_front().flatten() } else { None };
            if let Some(left) = first.filter(|_| self.frame.from.is_some()) {
                self.sum = self.kind.subtract(self.sum, left).ok_or_else(too_large)?;
                self.count -= 1;
            }
            sums.push(self.sum);
            counts.push(self.count);
        }
        self.answer.all(self.kind, sums, &counts)
    }

    fn restart(&mut self) {
        self.rows.clear();
        self.sum = K::Sum::default();
        self.count = 0;
    }
}

#[cfg(test)]
mod tests {
    use arrow::datatypes::Decimal128Type;

    use super::super::answer::{MeanAs, SumAs};
    use super::super::exact_sum::Int64Values;
    use super::*;

    fn column(values: &[Option<i64>]) -> ArrayRef {
        Arc::new(Int64Array::from(values.to_vec()))
    }

    #[test]
    fn frames_continue_across_columns_and_restart_with_a_partition() {
        let to = SumAs(DataType::Decimal128(38, 0));
        let mut sums = moving(Int64Values, to, Frame { from: Some(2), to: 1 });
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
        let to = MeanAs { to: DataType::Float64, more_digits: 0, state: DataType::Decimal128(38, 0) };
        let mut means = moving(Int64Values, to, Frame { from: Some(1), to: 0 });
        let means = means.next(&column(&[Some(i64::MAX), Some(i64::MAX), None, Some(3), Some(4)])).unwrap();
        let max = i64::MAX as f64;
        assert_eq!(means.as_primitive::<Float64Type>().values(), &[max, max, max, 3.0, 3.5]);
    }
}
