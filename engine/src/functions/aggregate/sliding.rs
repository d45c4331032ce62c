//! Sums and means of doubles in a frame that slides. Nothing is taken out of a sum: what left the frame, however large,
//! infinite or no number, is in no later answer.
//!
//! The values are kept in two parts, as a queue is made of two stacks: of the older ones, which leave first, the sum from
//! each to the last of them; of the newer ones their values and the sum of them all. When the older ones have left, the
//! newer ones take their place. Each value is added twice, however wide the frame is.

use arrow::array::{Array, ArrayRef, AsArray};
use arrow::datatypes::Float64Type;
use datafusion::common::{DataFusionError, Result, ScalarValue};
use datafusion::logical_expr::Accumulator;

#[derive(Debug, Default)]
pub(in crate::functions) struct Sliding {
    /// Whether the mean is asked for, and not the sum.
    mean: bool,
    /// Sums of the older values; the last one is that of all of them.
    older: Vec<f64>,
    newer: Vec<f64>,
    sum_of_newer: f64,
}

impl Sliding {
    pub fn new(mean: bool) -> Sliding {
        Sliding { mean, ..Sliding::default() }
    }

    fn leave(&mut self) {
        if self.older.is_empty() {
            let sums = self.newer.drain(..).rev().scan(0.0, |sum, value| {
                *sum += value;
                Some(*sum)
            });
            self.older.extend(sums);
            self.sum_of_newer = 0.0;
        }
        self.older.pop();
    }
}

/// There is one part of a frame only.
fn whole() -> DataFusionError {
    DataFusionError::Internal("a frame that slides is never put together".to_string())
}

impl Accumulator for Sliding {
    fn update_batch(&mut self, values: &[ArrayRef]) -> Result<()> {
        for value in values[0].as_primitive::<Float64Type>().iter().flatten() {
            self.newer.push(value);
            self.sum_of_newer += value;
        }
        Ok(())
    }

    fn retract_batch(&mut self, values: &[ArrayRef]) -> Result<()> {
        (values[0].null_count()..values[0].len()).for_each(|_| self.leave());
        Ok(())
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
        let count = self.older.len() + self.newer.len();
        let sum = self.older.last().unwrap_or(&0.0) + self.sum_of_newer;
        let by = if self.mean { count as f64 } else { 1.0 };
        Ok(ScalarValue::Float64((count > 0).then_some(sum / by)))
    }

    fn size(&self) -> usize {
        size_of_val(self) + (self.older.capacity() + self.newer.capacity()) * size_of::<f64>()
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
        let (mut sum, mut mean) = (Sliding::new(false), Sliding::new(true));
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
