//! Aggregates over sliding frames that never subtract a value from a sum: a value that left the frame, however large, infinite or
//! NaN, changes no later answer.
//!
//! The values are kept as a queue of two stacks: of the older ones, which leave first, the sum from each to the last of
//! them; of the newer ones their values and the sum of them all. When the older ones have left, the newer ones take their
//! place. Each value is added twice, however wide the frame is. Whatever merges like sums ([`Merge`]: variances, say)
//! slides in the same way.

pub(super) mod moments;
pub(crate) mod recomputed;

use datafusion::common::internal_err;
use datafusion::logical_expr::Accumulator;

use crate::prelude::*;

/// A summary of some values that merges with one of other values.
pub(crate) trait Merge: Copy + Default {
    /// The summary of these values and those that follow them.
    fn merge(self, later: Self) -> Self;
}

impl Merge for f64 {
    fn merge(self, later: f64) -> f64 {
        self + later
    }
}

/// The values of a frame, the older and the newer ones.
#[derive(Debug, Default)]
pub(crate) struct SlidingFrame<T> {
    /// Summaries from each of the older values to the last of them; the last one is that of all of them.
    older: Vec<T>,
    newer: Vec<T>,
    newer_summary: T,
}

impl<T: Merge> SlidingFrame<T> {
    pub fn enter(&mut self, value: T) {
        self.newer.push(value);
        self.newer_summary = self.newer_summary.merge(value);
    }

    /// Removes the oldest value.
    pub fn leave(&mut self) {
        if self.older.is_empty() {
            let summaries = self.newer.drain(..).rev().scan(T::default(), |summary, value| {
                *summary = value.merge(*summary);
                Some(*summary)
            });
            self.older.extend(summaries);
            self.newer_summary = T::default();
        }
        self.older.pop();
    }

    pub fn len(&self) -> usize {
        self.older.len() + self.newer.len()
    }

    /// The summary of all values.
    pub fn summary(&self) -> T {
        self.older.last().copied().unwrap_or_default().merge(self.newer_summary)
    }

    /// Heap bytes.
    pub fn size(&self) -> usize {
        (self.older.capacity() + self.newer.capacity()) * size_of::<T>()
    }
}

/// An aggregate over a sliding frame.
pub(crate) trait SlidingAggregate: std::fmt::Debug + Send + Sync + 'static {
    fn enter(&mut self, values: &[ArrayRef]) -> Result<()>;

    /// Removes rows that entered before, the oldest first.
    fn leave(&mut self, values: &[ArrayRef]) -> Result<()>;

    fn answer(&mut self) -> Result<ScalarValue>;

    /// Heap bytes.
    fn size(&self) -> usize;
}

/// A sliding aggregate as an accumulator. Frames are never evaluated in parts, so it has no state to merge.
#[derive(Debug)]
pub(crate) struct SlidingAccumulator<T>(pub T);

impl<T: SlidingAggregate> Accumulator for SlidingAccumulator<T> {
    fn update_batch(&mut self, values: &[ArrayRef]) -> Result<()> {
        self.0.enter(values)
    }

    fn retract_batch(&mut self, values: &[ArrayRef]) -> Result<()> {
        self.0.leave(values)
    }

    fn supports_retract_batch(&self) -> bool {
        true
    }

    fn merge_batch(&mut self, _: &[ArrayRef]) -> Result<()> {
        internal_err!("a sliding frame has no state")
    }

    fn state(&mut self) -> Result<Vec<ScalarValue>> {
        internal_err!("a sliding frame has no state")
    }

    fn evaluate(&mut self) -> Result<ScalarValue> {
        self.0.answer()
    }

    fn size(&self) -> usize {
        size_of_val(self) + self.0.size()
    }
}

/// The sum or the mean of doubles.
#[derive(Debug, Default)]
pub(crate) struct SlidingNumbers {
    mean: bool,
    frame: SlidingFrame<f64>,
}

impl SlidingNumbers {
    pub fn sum() -> SlidingNumbers {
        SlidingNumbers::default()
    }

    pub fn mean() -> SlidingNumbers {
        SlidingNumbers { mean: true, ..SlidingNumbers::default() }
    }
}

impl SlidingAggregate for SlidingNumbers {
    fn enter(&mut self, values: &[ArrayRef]) -> Result<()> {
        values[0].as_primitive::<Float64Type>().iter().flatten().for_each(|value| self.frame.enter(value));
        Ok(())
    }

    fn leave(&mut self, values: &[ArrayRef]) -> Result<()> {
        (values[0].null_count()..values[0].len()).for_each(|_| self.frame.leave());
        Ok(())
    }

    fn answer(&mut self) -> Result<ScalarValue> {
        let count = self.frame.len();
        let by = if self.mean { count as f64 } else { 1.0 };
        Ok(ScalarValue::Float64((count > 0).then_some(self.frame.summary() / by)))
    }

    fn size(&self) -> usize {
        self.frame.size()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_that_left_change_no_later_answer() {
        let values =
            [Some(1.0), Some(f64::INFINITY), None, Some(f64::NAN), Some(2.0), Some(1e300), Some(3.0), Some(4.0)];
        let rows: Vec<ArrayRef> =
            values.iter().map(|value| Arc::new(Float64Array::from(vec![*value])) as ArrayRef).collect();
        let (mut sum, mut mean) =
            (SlidingAccumulator(SlidingNumbers::sum()), SlidingAccumulator(SlidingNumbers::mean()));
        let mut answers = Vec::new();
        for (index, row) in rows.iter().enumerate() {
            for sliding in [&mut sum, &mut mean] {
                sliding.update_batch(std::slice::from_ref(row)).unwrap();
                if index >= 2 {
                    sliding.retract_batch(&rows[index - 2..=index - 2]).unwrap();
                }
            }
            answers.push([sum.evaluate().unwrap(), mean.evaluate().unwrap()]);
        }
        let (infinite, unknown) = ([f64::INFINITY; 2], [f64::NAN; 2]);
        let expected = [[1.0; 2], infinite, infinite, unknown, unknown, [1e300, 5e299], [1e300, 5e299], [7.0, 3.5]];
        // Scalars are equal where both are NaN.
        assert_eq!(answers, expected.map(|both| both.map(|value| ScalarValue::Float64(Some(value)))));
    }
}
