//! `collect_list` and `collect_set`: the values of a group as an array without nulls, in the order in which they come or in the
//! order of a key.

use std::collections::hash_map::Entry;
use std::collections::{HashMap, HashSet, VecDeque};
use std::sync::LazyLock;

use arrow::compute::SortOptions;
use arrow::row::{RowConverter, SortField};
use datafusion::logical_expr::function::{AccumulatorArgs, StateFieldsArgs};
use datafusion::logical_expr::{Accumulator, AggregateUDF, AggregateUDFImpl, SortExpr, lit};

use crate::aggregates::methods::name_and_signature;
use crate::aggregates::sliding::{SlidingAccumulator, SlidingAggregate};
use crate::lists::build::list_field;
use crate::prelude::*;

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

/// The same functions with a key as their second argument, which orders the values.
pub(crate) fn functions_by_key() -> &'static [Arc<AggregateUDF>] {
    static BY_KEY: LazyLock<[Arc<AggregateUDF>; 2]> = LazyLock::new(|| NAMES.map(|each| Arc::new(function(each, 2))));
    BY_KEY.as_slice()
}

/// The function of a name that takes a key; `None` for other functions.
pub fn by_key(name: &str) -> Option<Arc<AggregateUDF>> {
    functions_by_key().iter().find(|function| function.name().eq_ignore_ascii_case(name)).cloned()
}

/// A key whose bytes compare as rows do in an order.
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

/// Whether values of a type can be part of a key.
pub fn can_be_key(data_type: &DataType) -> bool {
    RowConverter::supports_fields(&[SortField::new(data_type.clone())])
}

fn key_udf() -> Arc<ScalarUDF> {
    shared!(scalar_udf(
        "hive_order_key",
        2..=MANY,
        |_| Ok(Arc::new(Field::new("key", DataType::Binary, false))),
        |arrays, _| keys(arrays),
    ))
}

fn keys(arrays: &[ArrayRef]) -> Result<ArrayRef> {
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
}

impl AggregateUDFImpl for Collect {
    name_and_signature!();

    fn return_type(&self, types: &[DataType]) -> Result<DataType> {
        Ok(DataType::new_list(types[0].clone(), true))
    }

    fn state_fields(&self, args: StateFieldsArgs) -> Result<Vec<FieldRef>> {
        let values = Arc::new(Field::new(format!("{}_values", args.name), args.return_type().clone(), true));
        let keys = list_field(&format!("{}_keys", args.name), DataType::Binary);
        Ok([values, keys].into_iter().take(args.input_fields.len()).collect())
    }

    fn accumulator(&self, args: AccumulatorArgs) -> Result<Box<dyn Accumulator>> {
        let item = args.expr_fields[0].data_type().clone();
        let seen = (self.distinct || args.is_distinct).then(HashMap::new);
        let keys = (args.expr_fields.len() > 1).then(Vec::new);
        Ok(Box::new(Values { item, values: Vec::new(), keys, seen, bytes: 0 }))
    }

    fn create_sliding_accumulator(&self, args: AccumulatorArgs) -> Result<Box<dyn Accumulator>> {
        let item = args.expr_fields[0].data_type().clone();
        let distinct = self.distinct || args.is_distinct;
        Ok(Box::new(SlidingAccumulator(FrameValues { item, values: VecDeque::new(), distinct })))
    }
}

/// The values of a column that are not null.
fn values(array: &ArrayRef) -> impl Iterator<Item = Result<ScalarValue>> + '_ {
    rows(array).map(|row| ScalarValue::try_from_array(array, row))
}

/// The rows of a column that are not null.
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
    /// Their keys, if there is an order.
    keys: Option<Vec<Vec<u8>>>,
    /// The position of each value, if they are distinct.
    seen: Option<HashMap<ScalarValue, usize>>,
    bytes: usize,
}

impl Values {
    fn add(&mut self, array: &ArrayRef, keys: Option<&ArrayRef>) -> Result<()> {
        let keys = keys.map(|keys| keys.as_binary::<i32>());
        for row in rows(array) {
            // A copy: a slice would keep the whole column in memory.
            let mut value = ScalarValue::try_from_array(array, row)?;
            value.compact();
            let key = keys.map(|keys| keys.value(row));
            if let Some(seen) = &mut self.seen {
                match seen.entry(value.clone()) {
                    Entry::Vacant(place) => {
                        place.insert(self.values.len());
                    }
                    Entry::Occupied(place) => {
                        // It keeps its least key.
                        if let (Some(key), Some(keys)) = (key, &mut self.keys)
                            && let Some(known) = keys.get_mut(*place.get())
                            && key < known.as_slice()
                        {
                            *known = key.to_vec();
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

/// The values of a sliding frame; the first ones that entered leave first.
#[derive(Debug)]
struct FrameValues {
    item: DataType,
    values: VecDeque<ScalarValue>,
    distinct: bool,
}

impl SlidingAggregate for FrameValues {
    fn enter(&mut self, arrays: &[ArrayRef]) -> Result<()> {
        values(&arrays[0]).try_for_each(|value| {
            self.values.push_back(value?);
            Ok(())
        })
    }

    fn leave(&mut self, arrays: &[ArrayRef]) -> Result<()> {
        self.values.drain(..rows(&arrays[0]).count().min(self.values.len()));
        Ok(())
    }

    fn answer(&mut self) -> Result<ScalarValue> {
        let mut seen = HashSet::new();
        let values = self.values.iter().filter(|value| !self.distinct || seen.insert(*value));
        Ok(list(&values.cloned().collect::<Vec<_>>(), &self.item))
    }

    fn size(&self) -> usize {
        ScalarValue::size_of_vec_deque(&self.values)
    }
}
