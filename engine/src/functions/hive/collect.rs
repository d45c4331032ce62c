//! `collect_list` and `collect_set`: the values of a group as an array, in the order in which they come, without null.

use std::collections::{HashSet, VecDeque};
use std::sync::Arc;

use arrow::array::{Array, ArrayRef, AsArray};
use arrow::datatypes::{DataType, Field, FieldRef};
use datafusion::common::{Result, ScalarValue};
use datafusion::logical_expr::function::{AccumulatorArgs, StateFieldsArgs};
use datafusion::logical_expr::{Accumulator, AggregateUDF, AggregateUDFImpl, Signature, Volatility};

#[derive(Debug, PartialEq, Eq, Hash)]
struct Collect {
    name: &'static str,
    distinct: bool,
    signature: Signature,
}

pub(super) fn functions() -> [AggregateUDF; 2] {
    [("collect_list", false), ("collect_set", true)].map(|(name, distinct)| {
        let signature = Signature::any(1, Volatility::Immutable);
        AggregateUDF::new_from_impl(Collect { name, distinct, signature })
    })
}

fn list_of(item: &DataType) -> DataType {
    DataType::List(Arc::new(Field::new_list_field(item.clone(), true)))
}

impl AggregateUDFImpl for Collect {
    fn name(&self) -> &str {
        self.name
    }

    fn signature(&self) -> &Signature {
        &self.signature
    }

    fn return_type(&self, types: &[DataType]) -> Result<DataType> {
        Ok(list_of(&types[0]))
    }

    fn state_fields(&self, args: StateFieldsArgs) -> Result<Vec<FieldRef>> {
        Ok(vec![Arc::new(Field::new(format!("{}_values", args.name), args.return_type().clone(), true))])
    }

    fn accumulator(&self, args: AccumulatorArgs) -> Result<Box<dyn Accumulator>> {
        let item = args.expr_fields[0].data_type().clone();
        let seen = (self.distinct || args.is_distinct).then(HashSet::new);
        Ok(Box::new(Values { item, values: Vec::new(), seen, bytes: 0 }))
    }

    fn create_sliding_accumulator(&self, args: AccumulatorArgs) -> Result<Box<dyn Accumulator>> {
        let item = args.expr_fields[0].data_type().clone();
        Ok(Box::new(Window { item, values: VecDeque::new(), distinct: self.distinct || args.is_distinct }))
    }
}

/// The values of a column that are not null.
fn values(array: &ArrayRef) -> impl Iterator<Item = Result<ScalarValue>> + '_ {
    (0..array.len()).filter(|row| !array.is_null(*row)).map(|row| ScalarValue::try_from_array(array, row))
}

fn list(values: &[ScalarValue], item: &DataType) -> ScalarValue {
    ScalarValue::List(ScalarValue::new_list_nullable(values, item))
}

/// The values of a group.
#[derive(Debug)]
struct Values {
    item: DataType,
    values: Vec<ScalarValue>,
    /// What is there already, when each value comes once.
    seen: Option<HashSet<ScalarValue>>,
    bytes: usize,
}

impl Values {
    fn add(&mut self, array: &ArrayRef) -> Result<()> {
        for value in values(array) {
            // Of its own: a value as a slice would keep the whole column in memory.
            let mut value = value?;
            value.compact();
            if self.seen.as_mut().is_none_or(|seen| seen.insert(value.clone())) {
                self.bytes += value.size();
                self.values.push(value);
            }
        }
        Ok(())
    }
}

impl Accumulator for Values {
    fn update_batch(&mut self, arrays: &[ArrayRef]) -> Result<()> {
        self.add(&arrays[0])
    }

    fn merge_batch(&mut self, states: &[ArrayRef]) -> Result<()> {
        states[0].as_list::<i32>().iter().flatten().try_for_each(|list| self.add(&list))
    }

    fn state(&mut self) -> Result<Vec<ScalarValue>> {
        Ok(vec![self.evaluate()?])
    }

    fn evaluate(&mut self) -> Result<ScalarValue> {
        Ok(list(&self.values, &self.item))
    }

    fn size(&self) -> usize {
        size_of::<Values>() + self.bytes * if self.seen.is_some() { 2 } else { 1 }
    }
}

/// The values of a window that moves: those that leave it are the first that came.
#[derive(Debug)]
struct Window {
    item: DataType,
    values: VecDeque<ScalarValue>,
    distinct: bool,
}

impl Accumulator for Window {
    fn update_batch(&mut self, arrays: &[ArrayRef]) -> Result<()> {
        values(&arrays[0]).try_for_each(|value| {
            self.values.push_back(value?);
            Ok(())
        })
    }

    fn retract_batch(&mut self, arrays: &[ArrayRef]) -> Result<()> {
        self.values.drain(..values(&arrays[0]).count().min(self.values.len()));
        Ok(())
    }

    fn supports_retract_batch(&self) -> bool {
        true
    }

    fn merge_batch(&mut self, states: &[ArrayRef]) -> Result<()> {
        states[0].as_list::<i32>().iter().flatten().try_for_each(|list| self.update_batch(&[list]))
    }

    fn state(&mut self) -> Result<Vec<ScalarValue>> {
        Ok(vec![self.evaluate()?])
    }

    fn evaluate(&mut self) -> Result<ScalarValue> {
        let mut seen = HashSet::new();
        let shown = self.values.iter().filter(|value| !self.distinct || seen.insert(*value));
        Ok(list(&shown.cloned().collect::<Vec<_>>(), &self.item))
    }

    fn size(&self) -> usize {
        size_of::<Window>() + ScalarValue::size_of_vec_deque(&self.values)
    }
}
