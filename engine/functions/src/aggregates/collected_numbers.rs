//! Aggregates of doubles that need all values of a group at once.

use std::collections::VecDeque;
use std::fmt::{Debug, Formatter};

use datafusion::common::utils::SingleRowListArrayBuilder;
use datafusion::logical_expr::Accumulator;

use crate::prelude::*;

/// Keeps the values that are not null, in the order in which they come.
pub(crate) struct CollectedNumbers<F> {
    numbers: VecDeque<f64>,
    /// Computes the answer; it may reorder the numbers.
    answer: F,
}

impl<F: Fn(&mut [f64]) -> Result<ScalarValue> + Send + Sync + 'static> CollectedNumbers<F> {
    pub fn boxed(answer: F) -> Box<dyn Accumulator> {
        Box::new(CollectedNumbers { numbers: VecDeque::new(), answer })
    }
}

impl<F> Debug for CollectedNumbers<F> {
    fn fmt(&self, f: &mut Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("CollectedNumbers").field("numbers", &self.numbers).finish_non_exhaustive()
    }
}

impl<F: Fn(&mut [f64]) -> Result<ScalarValue> + Send + Sync + 'static> Accumulator for CollectedNumbers<F> {
    fn update_batch(&mut self, arrays: &[ArrayRef]) -> Result<()> {
        self.numbers.extend(arrays[0].as_primitive::<Float64Type>().iter().flatten());
        Ok(())
    }

    /// The rows that leave a frame are those that came first.
    fn retract_batch(&mut self, arrays: &[ArrayRef]) -> Result<()> {
        let left = arrays[0].len() - arrays[0].null_count();
        self.numbers.drain(..left.min(self.numbers.len()));
        Ok(())
    }

    fn supports_retract_batch(&self) -> bool {
        true
    }

    fn merge_batch(&mut self, states: &[ArrayRef]) -> Result<()> {
        states[0].as_list::<i32>().iter().flatten().try_for_each(|numbers| self.update_batch(&[numbers]))
    }

    fn state(&mut self) -> Result<Vec<ScalarValue>> {
        let numbers = Float64Array::from_iter_values(self.numbers.iter().copied());
        Ok(vec![SingleRowListArrayBuilder::new(Arc::new(numbers)).build_list_scalar()])
    }

    fn evaluate(&mut self) -> Result<ScalarValue> {
        let mut numbers: Vec<f64> = self.numbers.iter().copied().collect();
        (self.answer)(&mut numbers)
    }

    fn size(&self) -> usize {
        size_of_val(self) + self.numbers.capacity() * size_of::<f64>()
    }
}
