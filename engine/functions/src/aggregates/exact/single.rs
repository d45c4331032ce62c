//! The exact sum of one group, which a window may slide over.

use arrow::array::{Array, ArrayRef};
use arrow::datatypes::DataType;
use datafusion::common::{Result, ScalarValue};
use datafusion::logical_expr::Accumulator;

use super::number::{Kind, too_large};

#[derive(Debug)]
pub(crate) struct Sum<K: Kind> {
    kind: K,
    to: DataType,
    sum: K::Sum,
    /// Values in the sum; without any the sum is null.
    count: u64,
}

impl<K: Kind> Sum<K> {
    pub fn new(kind: K, to: DataType) -> Sum<K> {
        Sum { kind, to, sum: K::Sum::default(), count: 0 }
    }

    fn add(&mut self, array: &ArrayRef, state: bool) -> Result<()> {
        let value = self.kind.read(array, state);
        for row in (0..array.len()).filter(|&row| array.is_valid(row)) {
            self.sum = self.kind.add(self.sum, value(row)).ok_or_else(too_large)?;
            self.count += 1;
        }
        Ok(())
    }
}

impl<K: Kind> Accumulator for Sum<K> {
    fn update_batch(&mut self, values: &[ArrayRef]) -> Result<()> {
        if values[0].len() != 1 {
            return self.add(&values[0], false);
        }
        // A window that moves by a row.
        if values[0].is_valid(0) {
            self.sum = self.kind.add(self.sum, self.kind.at(&values[0], 0)).ok_or_else(too_large)?;
            self.count += 1;
        }
        Ok(())
    }

    fn merge_batch(&mut self, states: &[ArrayRef]) -> Result<()> {
        self.add(&states[0], true)
    }

    fn retract_batch(&mut self, values: &[ArrayRef]) -> Result<()> {
        for row in (0..values[0].len()).filter(|&row| values[0].is_valid(row)) {
            self.sum = self.kind.subtract(self.sum, self.kind.at(&values[0], row)).ok_or_else(too_large)?;
            self.count -= 1;
        }
        Ok(())
    }

    fn supports_retract_batch(&self) -> bool {
        true
    }

    fn evaluate(&mut self) -> Result<ScalarValue> {
        if self.count == 0 {
            return ScalarValue::try_from(&self.to);
        }
        self.kind.one(self.sum, &self.to)
    }

    fn state(&mut self) -> Result<Vec<ScalarValue>> {
        let array = self.kind.write(vec![self.sum], vec![self.count > 0], &self.kind.state(&self.to))?;
        Ok(vec![ScalarValue::try_from_array(&array, 0)?])
    }

    fn size(&self) -> usize {
        size_of_val(self)
    }
}
