//! The exact sum of the distinct values of one group.

use std::collections::HashSet;

use arrow::array::{Array, ArrayRef, AsArray};
use arrow::datatypes::DataType;
use datafusion::common::{Result, ScalarValue};
use datafusion::logical_expr::Accumulator;

use super::number::{Kind, too_large};

#[derive(Debug)]
pub(crate) struct DistinctSum<K: Kind> {
    kind: K,
    to: DataType,
    values: HashSet<K::Sum>,
}

impl<K: Kind> DistinctSum<K> {
    pub fn new(kind: K, to: DataType) -> DistinctSum<K> {
        DistinctSum { kind, to, values: HashSet::new() }
    }

    /// The sum, and how many values it is of.
    pub fn sum(&self) -> Result<(K::Sum, i64)> {
        let add = |sum: Option<K::Sum>, value: &K::Sum| sum.and_then(|sum| self.kind.add(sum, *value));
        let sum = self.values.iter().fold(Some(K::Sum::default()), add).ok_or_else(too_large)?;
        Ok((sum, self.values.len() as i64))
    }

    fn add(&mut self, array: &ArrayRef, state: bool) {
        let value = self.kind.read(array, state);
        self.values.extend((0..array.len()).filter(|&row| array.is_valid(row)).map(value));
    }
}

impl<K: Kind> Accumulator for DistinctSum<K> {
    fn update_batch(&mut self, values: &[ArrayRef]) -> Result<()> {
        self.add(&values[0], false);
        Ok(())
    }

    fn merge_batch(&mut self, states: &[ArrayRef]) -> Result<()> {
        for list in states[0].as_list::<i32>().iter().flatten() {
            self.add(&list, true);
        }
        Ok(())
    }

    fn evaluate(&mut self) -> Result<ScalarValue> {
        let (sum, count) = self.sum()?;
        let array = self.kind.write(vec![sum], vec![count > 0], &self.to)?;
        ScalarValue::try_from_array(&array, 0)
    }

    fn state(&mut self) -> Result<Vec<ScalarValue>> {
        let values: Vec<K::Sum> = self.values.drain().collect();
        let valid = vec![true; values.len()];
        let to = self.kind.state(&self.to);
        let array = self.kind.write(values, valid, &to)?;
        let scalars: Result<Vec<ScalarValue>> =
            (0..array.len()).map(|row| ScalarValue::try_from_array(&array, row)).collect();
        Ok(vec![ScalarValue::List(ScalarValue::new_list_nullable(&scalars?, &to))])
    }

    fn size(&self) -> usize {
        size_of_val(self) + self.values.capacity() * (size_of::<K::Sum>() + 8)
    }
}
