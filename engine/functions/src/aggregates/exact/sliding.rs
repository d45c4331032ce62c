//! Sums and means of doubles in a frame that slides. Nothing is taken out of a sum: what left the frame, however large,
//! infinite or no number, is in no later answer.
//!
//! The values are kept in two parts, as a queue is made of two stacks: of the older ones, which leave first, the sum
//! from each to the last of them; of the newer ones their values and the sum of them all. When the older ones have
//! left, the newer ones take their place. Each value is added twice, however wide the frame is. What else is put
//! together from parts ([`Part`]: variances, say) slides in the same way.

use arrow::array::{Array, ArrayRef, AsArray};
use arrow::datatypes::Float64Type;
use datafusion::common::{DataFusionError, Result, ScalarValue};
use datafusion::logical_expr::Accumulator;

/// What is known of some values. What is known of more of them is put together from it.
pub(crate) trait Part: Copy + Default {
    /// What is known of these values and, behind them, those.
    fn and(self, those: Self) -> Self;
}

impl Part for f64 {
    fn and(self, those: f64) -> f64 {
        self + those
    }
}

/// The values of a frame, the older and the newer ones.
#[derive(Debug, Default)]
pub(crate) struct Frame<T> {
    /// From each of the older values to the last of them; the last one is that of all of them.
    older: Vec<T>,
    newer: Vec<T>,
    of_newer: T,
}

impl<T: Part> Frame<T> {
    pub fn enter(&mut self, value: T) {
        self.newer.push(value);
        self.of_newer = self.of_newer.and(value);
    }

    /// The oldest value leaves.
    pub fn leave(&mut self) {
        if self.older.is_empty() {
            let sums = self.newer.drain(..).rev().scan(T::default(), |sum, value| {
                *sum = value.and(*sum);
                Some(*sum)
            });
            self.older.extend(sums);
            self.of_newer = T::default();
        }
        self.older.pop();
    }

    pub fn len(&self) -> usize {
        self.older.len() + self.newer.len()
    }

    /// What is known of all values.
    pub fn all(&self) -> T {
        self.older.last().copied().unwrap_or_default().and(self.of_newer)
    }

    /// Bytes it holds.
    pub fn size(&self) -> usize {
        (self.older.capacity() + self.newer.capacity()) * size_of::<T>()
    }
}

#[derive(Debug, Default)]
pub(crate) struct Sliding {
    /// Whether the mean is asked for, and not the sum.
    mean: bool,
    frame: Frame<f64>,
}

impl Sliding {
    pub fn new(mean: bool) -> Sliding {
        Sliding { mean, ..Sliding::default() }
    }
}

/// What rows enter and leave, for an aggregate in a frame that slides.
pub(crate) trait Slides: std::fmt::Debug + Send + Sync + 'static {
    fn enter(&mut self, values: &[ArrayRef]) -> Result<()>;

    /// Rows that entered before leave, the oldest first.
    fn leave(&mut self, values: &[ArrayRef]) -> Result<()>;

    fn answer(&mut self) -> Result<ScalarValue>;

    /// Bytes it holds beside itself.
    fn held(&self) -> usize;
}

/// What slides, as the query engine knows aggregates.
#[derive(Debug)]
pub(crate) struct InFrame<T>(pub T);

impl<T: Slides> Accumulator for InFrame<T> {
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
        Err(whole())
    }

    fn state(&mut self) -> Result<Vec<ScalarValue>> {
        Err(whole())
    }

    fn evaluate(&mut self) -> Result<ScalarValue> {
        self.0.answer()
    }

    fn size(&self) -> usize {
        size_of_val(self) + self.0.held()
    }
}

/// There is one part of a frame only.
fn whole() -> DataFusionError {
    DataFusionError::Internal("a frame that slides is never put together".to_string())
}

impl Slides for Sliding {
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
        Ok(ScalarValue::Float64((count > 0).then_some(self.frame.all() / by)))
    }

    fn held(&self) -> usize {
        self.frame.size()
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use arrow::array::Float64Array;

    use super::*;

    #[test]
    fn what_left_is_in_no_later_answer() {
        let values =
            [Some(1.0), Some(f64::INFINITY), None, Some(f64::NAN), Some(2.0), Some(1e300), Some(3.0), Some(4.0)];
        let rows: Vec<ArrayRef> =
            values.iter().map(|value| Arc::new(Float64Array::from(vec![*value])) as ArrayRef).collect();
        let (mut sum, mut mean) = (InFrame(Sliding::new(false)), InFrame(Sliding::new(true)));
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
        let wanted = [[1.0; 2], infinite, infinite, unknown, unknown, [1e300, 5e299], [1e300, 5e299], [7.0, 3.5]];
        // Scalars are equal where both are NaN.
        assert_eq!(answers, wanted.map(|both| both.map(|value| ScalarValue::Float64(Some(value)))));
    }
}
