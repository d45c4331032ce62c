//! DISTINCT for aggregates that know none: each value is handed on once.

use std::collections::HashSet;
use std::sync::Arc;

use arrow::array::{Array, ArrayRef, AsArray};
use arrow::datatypes::{DataType, Field, FieldRef};
use datafusion::common::{Result, ScalarValue};
use datafusion::logical_expr::Accumulator;

/// The values seen so far, and the aggregate that gets them at the end.
#[derive(Debug)]
struct Once {
    item: DataType,
    seen: HashSet<ScalarValue>,
    all: Box<dyn Accumulator>,
}

/// An aggregate of one argument over the distinct values of it.
pub(crate) fn once(item: DataType, all: Box<dyn Accumulator>) -> Box<dyn Accumulator> {
    Box::new(Once { item, seen: HashSet::new(), all })
}

/// What is kept between the steps of such an aggregate.
pub(crate) fn state_field(name: &str, item: &DataType) -> FieldRef {
    let list = DataType::List(Arc::new(Field::new_list_field(item.clone(), true)));
    Arc::new(Field::new(format!("{name}_distinct"), list, true))
}

impl Accumulator for Once {
    fn update_batch(&mut self, arrays: &[ArrayRef]) -> Result<()> {
        for row in (0..arrays[0].len()).filter(|row| arrays[0].is_valid(*row)) {
            self.seen.insert(ScalarValue::try_from_array(&arrays[0], row)?);
        }
        Ok(())
    }

    fn merge_batch(&mut self, states: &[ArrayRef]) -> Result<()> {
        states[0].as_list::<i32>().iter().flatten().try_for_each(|list| self.update_batch(&[list]))
    }

    fn state(&mut self) -> Result<Vec<ScalarValue>> {
        let values: Vec<ScalarValue> = self.seen.drain().collect();
        Ok(vec![ScalarValue::List(ScalarValue::new_list_nullable(&values, &self.item))])
    }

    fn evaluate(&mut self) -> Result<ScalarValue> {
        // In order, so that a sum of doubles is the same in every run.
        let mut values: Vec<ScalarValue> = self.seen.drain().collect();
        values.sort_by(|a, b| a.partial_cmp(b).unwrap_or(std::cmp::Ordering::Equal));
        if !values.is_empty() {
            self.all.update_batch(&[ScalarValue::iter_to_array(values)?])?;
        }
        self.all.evaluate()
    }

    fn size(&self) -> usize {
        size_of::<Once>() + self.all.size() + self.seen.capacity() * size_of::<ScalarValue>()
    }
}
