//! An aggregate of bytes that answers for many groups, as one of all rows.

use std::fmt::Debug;

use arrow::array::{Array, ArrayRef};
use datafusion::common::{Result, ScalarValue};
use datafusion::logical_expr::{Accumulator, EmitTo, GroupsAccumulator};

#[derive(Debug)]
pub(in crate::functions) struct OfAll<G>(pub G);

impl<G: GroupsAccumulator + Debug + Sync> Accumulator for OfAll<G> {
    fn update_batch(&mut self, values: &[ArrayRef]) -> Result<()> {
        self.0.update_batch(values, &vec![0; values[0].len()], None, 1)
    }

    fn merge_batch(&mut self, states: &[ArrayRef]) -> Result<()> {
        self.0.merge_batch(states, &vec![0; states[0].len()], 1)
    }

    fn evaluate(&mut self) -> Result<ScalarValue> {
        let groups = self.0.evaluate(EmitTo::All)?;
        match groups.is_empty() {
            true => Ok(ScalarValue::BinaryView(Some(Vec::new()))),
            false => ScalarValue::try_from_array(&groups, 0),
        }
    }

    fn state(&mut self) -> Result<Vec<ScalarValue>> {
        Ok(vec![self.evaluate()?])
    }

    fn size(&self) -> usize {
        self.0.size()
    }
}
