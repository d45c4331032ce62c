//! `collect_list` and `collect_set`: the values of a group as an array without null, in the order in which they come or in
//! that of a key beside them.

use std::collections::hash_map::Entry;
use std::collections::{HashMap, HashSet, VecDeque};
use std::sync::Arc;

use arrow::array::{Array, ArrayRef, AsArray};
use arrow::compute::SortOptions;
use arrow::datatypes::{DataType, Field, FieldRef};
use arrow::row::{RowConverter, SortField};
use datafusion::common::{Result, ScalarValue};
use datafusion::logical_expr::function::{AccumulatorArgs, StateFieldsArgs};
use datafusion::logical_expr::{
    Accumulator, AggregateUDF, AggregateUDFImpl, Expr, ScalarUDF, Signature, SortExpr, Volatility, lit,
};

use crate::simple::{MANY, Simple};

const NAMES: [(&str, bool); 2] = [("collect_list", false), ("collect_set", true)];

#[derive(Debug, PartialEq, Eq, Hash)]
struct Collect {
    name: &'static str,
    distinct: bool,
    signature: Signature,
}

fn function((name, distinct): (&'static str, bool), arguments: usize) -> AggregateUDF {
    let signature = Signature::any(arguments, Volatility::Immutable);
    AggregateUDF::new_from_impl(Collect { name, distinct, signature })
}

pub(super) fn functions() -> [AggregateUDF; 2] {
    NAMES.map(|each| function(each, 1))
}

/// The same function with a key as its second argument, by which the values come in order; `None` for other functions.
pub fn by_key(name: &str) -> Option<Arc<AggregateUDF>> {
    let known = NAMES.into_iter().find(|(known, _)| known.eq_ignore_ascii_case(name))?;
    Some(Arc::new(function(known, 2)))
}

/// Bytes that compare as rows do in an order.
pub fn key(order: &[SortExpr]) -> Expr {
    let letter = |part: &SortExpr| match (part.asc, part.nulls_first) {
        (true, true) => 'A',
        (true, false) => 'a',
        (false, true) => 'D',
        (false, false) => 'd',
    };
    let letters: String = order.iter().map(letter).collect();
    let args = std::iter::once(lit(letters)).chain(order.iter().map(|part| part.expr.clone()));
    key_udf().call(args.collect())
}

/// Whether values of a type have such bytes.
pub fn can_be_key(data_type: &DataType) -> bool {
    RowConverter::supports_fields(&[SortField::new(data_type.clone())])
}

fn key_udf() -> ScalarUDF {
    Simple::udf(
        "hive_order_key",
        2..=MANY,
        None,
        |_| Ok(Arc::new(Field::new("key", DataType::Binary, false))),
        |arrays, _| {
            let letters = arrays[0].as_string::<i32>();
            let letters = if letters.is_empty() { "" } else { letters.value(0) };
            let options = letters.chars().chain(std::iter::repeat('A')).map(|letter| SortOptions {
                descending: letter.eq_ignore_ascii_case(&'d'),
                nulls_first: letter.is_ascii_uppercase(),
            });
            let fields = arrays[1..].iter().zip(options);
            let fields = fields.map(|(array, options)| SortField::new_with_options(array.data_type().clone(), options));
            let rows = RowConverter::new(fields.collect())?.convert_columns(&arrays[1..])?;
            Ok(Arc::new(rows.try_into_binary()?))
        },
    )
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
        let mut fields = vec![Arc::new(Field::new(format!("{}_values", args.name), args.return_type().clone(), true))];
        if args.input_fields.len() > 1 {
            fields.push(Arc::new(Field::new(format!("{}_keys", args.name), list_of(&DataType::Binary), true)));
        }
        Ok(fields)
    }

    fn accumulator(&self, args: AccumulatorArgs) -> Result<Box<dyn Accumulator>> {
        let item = args.expr_fields[0].data_type().clone();
        let seen = (self.distinct || args.is_distinct).then(HashMap::new);
        let keys = (args.expr_fields.len() > 1).then(Vec::new);
        Ok(Box::new(Values { item, values: Vec::new(), keys, seen, bytes: 0 }))
    }

    fn create_sliding_accumulator(&self, args: AccumulatorArgs) -> Result<Box<dyn Accumulator>> {
        let item = args.expr_fields[0].data_type().clone();
        Ok(Box::new(Window { item, values: VecDeque::new(), distinct: self.distinct || args.is_distinct }))
    }
}

/// The values of a column that are not null.
fn values(array: &ArrayRef) -> impl Iterator<Item = Result<ScalarValue>> + '_ {
    rows(array).map(|row| ScalarValue::try_from_array(array, row))
}

/// Where they are.
fn rows(array: &ArrayRef) -> impl Iterator<Item = usize> + '_ {
    (0..array.len()).filter(|row| !array.is_null(*row))
}

fn list(values: &[ScalarValue], item: &DataType) -> ScalarValue {
    ScalarValue::List(ScalarValue::new_list_nullable(values, item))
}

/// The values of a group.
#[derive(Debug)]
struct Values {
    item: DataType,
    values: Vec<ScalarValue>,
    /// What each of them comes in order by, if there is such an order.
    keys: Option<Vec<Vec<u8>>>,
    /// Where each value is already, when it comes once.
    seen: Option<HashMap<ScalarValue, usize>>,
    bytes: usize,
}

impl Values {
    fn add(&mut self, array: &ArrayRef, keys: Option<&ArrayRef>) -> Result<()> {
        let keys = keys.map(|keys| keys.as_binary::<i32>());
        for row in rows(array) {
            // Of its own: a value as a slice would keep the whole column in memory.
            let mut value = ScalarValue::try_from_array(array, row)?;
            value.compact();
            let key = keys.map(|keys| keys.value(row));
            if let Some(seen) = &mut self.seen {
                match seen.entry(value.clone()) {
                    Entry::Vacant(place) => {
                        place.insert(self.values.len());
                    }
                    Entry::Occupied(place) => {
                        // It stands where it comes first.
                        if let (Some(key), Some(keys)) = (key, &mut self.keys)
                            && let Some(held) = keys.get_mut(*place.get())
                            && key < held.as_slice()
                        {
                            *held = key.to_vec();
                        }
                        continue;
                    }
                }
            }
            self.bytes += value.size() + key.map_or(0, |key| key.len() + size_of::<Vec<u8>>());
            self.values.push(value);
            if let (Some(key), Some(keys)) = (key, &mut self.keys) {
                keys.push(key.to_vec());
            }
        }
        Ok(())
    }
}

impl Accumulator for Values {
    fn update_batch(&mut self, arrays: &[ArrayRef]) -> Result<()> {
        self.add(&arrays[0], arrays.get(1))
    }

    fn merge_batch(&mut self, states: &[ArrayRef]) -> Result<()> {
        let lists = states[0].as_list::<i32>();
        let keys = states.get(1).map(|keys| keys.as_list::<i32>());
        for row in (0..lists.len()).filter(|row| !lists.is_null(*row)) {
            self.add(&lists.value(row), keys.map(|keys| keys.value(row)).as_ref())?;
        }
        Ok(())
    }

    fn state(&mut self) -> Result<Vec<ScalarValue>> {
        let mut state = vec![list(&self.values, &self.item)];
        if let Some(keys) = &self.keys {
            let keys: Vec<ScalarValue> = keys.iter().map(|key| ScalarValue::Binary(Some(key.clone()))).collect();
            state.push(list(&keys, &DataType::Binary));
        }
        Ok(state)
    }

    fn evaluate(&mut self) -> Result<ScalarValue> {
        let Some(keys) = &self.keys else { return Ok(list(&self.values, &self.item)) };
        let mut places: Vec<usize> = (0..self.values.len()).collect();
        places.sort_by(|a, b| keys[*a].cmp(&keys[*b]));
        let ordered: Vec<ScalarValue> = places.into_iter().map(|place| self.values[place].clone()).collect();
        Ok(list(&ordered, &self.item))
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
