//! DISTINCT for aggregates that do not support it: each value is passed on once.

use std::collections::HashSet;

use datafusion::logical_expr::Accumulator;

use crate::prelude::*;

/// The values so far, and the aggregate that gets them at the end.
#[derive(Debug)]
struct DistinctValues {
    item: DataType,
    values: HashSet<ScalarValue>,
    aggregate: Box<dyn Accumulator>,
}

/// An aggregate of one argument over its distinct values.
pub(crate) fn distinct(item: DataType, aggregate: Box<dyn Accumulator>) -> Box<dyn Accumulator> {
    Box::new(DistinctValues { item, values: HashSet::new(), aggregate })
}

/// The state of such an aggregate.
pub(crate) fn state_field(name: &str, item: &DataType) -> FieldRef {
    Arc::new(Field::new_list(format!("{name}_distinct"), Field::new_list_field(item.clone(), true), true))
}

impl Accumulator for DistinctValues {
    fn update_batch(&mut self, arrays: &[ArrayRef]) -> Result<()> {
        for row in (0..arrays[0].len()).filter(|row| arrays[0].is_valid(*row)) {
            self.values.insert(ScalarValue::try_from_array(&arrays[0], row)?);
        }
        Ok(())
    }

    fn merge_batch(&mut self, states: &[ArrayRef]) -> Result<()> {
        states[0].as_list::<i32>().iter().flatten().try_for_each(|list| self.update_batch(&[list]))
    }

    fn state(&mut self) -> Result<Vec<ScalarValue>> {
        let values: Vec<ScalarValue> = self.values.drain().collect();
        Ok(vec![ScalarValue::List(ScalarValue::new_list_nullable(&values, &self.item))])
    }

    fn evaluate(&mut self) -> Result<ScalarValue> {
        // Sorted, so that a sum of doubles is the same in every run.
        let mut values: Vec<ScalarValue> = self.values.drain().collect();
        values.sort_by(|a, b| a.partial_cmp(b).unwrap_or(std::cmp::Ordering::Equal));
        if !values.is_empty() {
            self.aggregate.update_batch(&[ScalarValue::iter_to_array(values)?])?;
        }
        self.aggregate.evaluate()
    }

    fn size(&self) -> usize {
        size_of_val(self) + self.aggregate.size() + self.values.capacity() * size_of::<ScalarValue>()
    }
}
