//! Exact sums and means of one group: of all its values, also over sliding windows, or of the distinct ones.

use std::collections::HashSet;

use datafusion::common::utils::SingleRowListArrayBuilder;
use datafusion::logical_expr::Accumulator;

use super::answer::Answer;
use super::exact_sum::{ExactSum, too_large};
use crate::prelude::*;

/// The sum and the count of the values of one group.
#[derive(Debug)]
pub(crate) struct ExactAccumulator<K: ExactSum, A> {
    kind: K,
    answer: A,
    sum: K::Sum,
    count: i64,
}

impl<K: ExactSum, A: Answer<K>> ExactAccumulator<K, A> {
    pub fn new(kind: K, answer: A) -> ExactAccumulator<K, A> {
        ExactAccumulator { kind, answer, sum: K::Sum::default(), count: 0 }
    }

    /// Adds the sum of `count` values.
    fn add(&mut self, sum: K::Sum, count: i64) -> Result<()> {
        self.sum = self.kind.add(self.sum, sum).ok_or_else(too_large)?;
        self.count += count;
        Ok(())
    }
}

/// The rows of a column that are not null.
fn valid_rows(column: &ArrayRef) -> impl Iterator<Item = usize> {
    (0..column.len()).filter(|row| column.is_valid(*row))
}

impl<K: ExactSum, A: Answer<K>> Accumulator for ExactAccumulator<K, A> {
    fn update_batch(&mut self, values: &[ArrayRef]) -> Result<()> {
        // A window that moves by a row.
        if values[0].len() == 1 {
            return valid_rows(&values[0]).try_for_each(|row| self.add(self.kind.read_one(&values[0], row), 1));
        }
        let value = self.kind.read(&values[0]);
        valid_rows(&values[0]).try_for_each(|row| self.add(value(row), 1))
    }

    fn merge_batch(&mut self, states: &[ArrayRef]) -> Result<()> {
        let sum = self.kind.read(&states[0]);
        let counts = states.get(1).map(|counts| counts.as_primitive::<Int64Type>());
        valid_rows(&states[0]).try_for_each(|row| self.add(sum(row), counts.map_or(1, |counts| counts.value(row))))
    }

    fn retract_batch(&mut self, values: &[ArrayRef]) -> Result<()> {
        for row in valid_rows(&values[0]) {
            let value = self.kind.read_one(&values[0], row);
            self.sum = self.kind.subtract(self.sum, value).ok_or_else(too_large)?;
            self.count -= 1;
        }
        Ok(())
    }

    fn supports_retract_batch(&self) -> bool {
        true
    }

    fn evaluate(&mut self) -> Result<ScalarValue> {
        self.answer.one(self.kind, self.sum, self.count)
    }

    fn state(&mut self) -> Result<Vec<ScalarValue>> {
        let valid = vec![A::HAS_COUNT || self.count > 0];
        let sum = self.kind.write(vec![self.sum], valid, &self.answer.state_type(self.kind))?;
        let mut state = vec![ScalarValue::try_from_array(&sum, 0)?];
        state.extend(A::HAS_COUNT.then_some(ScalarValue::Int64(Some(self.count))));
        Ok(state)
    }

    fn size(&self) -> usize {
        size_of_val(self)
    }
}

/// The distinct values of one group.
#[derive(Debug)]
pub(crate) struct DistinctAccumulator<K: ExactSum, A> {
    kind: K,
    answer: A,
    values: HashSet<K::Sum>,
}

impl<K: ExactSum, A: Answer<K>> DistinctAccumulator<K, A> {
    pub fn new(kind: K, answer: A) -> DistinctAccumulator<K, A> {
        DistinctAccumulator { kind, answer, values: HashSet::new() }
    }
}

impl<K: ExactSum, A: Answer<K>> Accumulator for DistinctAccumulator<K, A> {
    fn update_batch(&mut self, values: &[ArrayRef]) -> Result<()> {
        self.values.extend(valid_rows(&values[0]).map(self.kind.read(&values[0])));
        Ok(())
    }

    fn merge_batch(&mut self, states: &[ArrayRef]) -> Result<()> {
        states[0].as_list::<i32>().iter().flatten().try_for_each(|values| self.update_batch(&[values]))
    }

    fn evaluate(&mut self) -> Result<ScalarValue> {
        let add = |sum: Option<K::Sum>, value: &K::Sum| self.kind.add(sum?, *value);
        let sum = self.values.iter().fold(Some(K::Sum::default()), add).ok_or_else(too_large)?;
        self.answer.one(self.kind, sum, self.values.len() as i64)
    }

    fn state(&mut self) -> Result<Vec<ScalarValue>> {
        let values: Vec<K::Sum> = self.values.drain().collect();
        let valid = vec![true; values.len()];
        let values = self.kind.write(values, valid, &self.answer.state_type(self.kind))?;
        Ok(vec![SingleRowListArrayBuilder::new(values).build_list_scalar()])
    }

    fn size(&self) -> usize {
        size_of_val(self) + self.values.capacity() * (size_of::<K::Sum>() + 8)
    }
}
