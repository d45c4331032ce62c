//! `transform(list, (item, place) -> …)` and `filter(list, (item, place) -> …)` of HiveQL: lambdas that see where an item
//! stands, from 0 on. The stock functions of these names hand over the item alone.

use std::sync::Arc;

use arrow::array::{Array, ArrayRef, AsArray, Int32Array, ListArray, UInt32Array};
use arrow::buffer::OffsetBuffer;
use arrow::compute::{cast, take, take_arrays};
use arrow::datatypes::{DataType, Field, FieldRef};
use datafusion::common::Result;
use datafusion::logical_expr::{HigherOrderUDF, LambdaArgument};

use super::higher::Higher;
use super::{as_list, item_of, lists_of};
use quarry_types::invalid;
use quarry_types::type_names::type_name;

/// What stands for `transform` with a lambda of two values.
pub const TRANSFORM_PLACED: &str = "transform_placed";
/// What stands for `filter` with a lambda of two values.
pub const FILTER_PLACED: &str = "filter_placed";

pub(super) fn functions() -> Vec<HigherOrderUDF> {
    vec![
        of_list(
            TRANSFORM_PLACED,
            |_, lambda| {
                let item = Field::new_list_field(lambda.data_type().clone(), true);
                Ok(Arc::new(Field::new("transformed", DataType::List(Arc::new(item)), true)))
            },
            transformed,
        ),
        of_list(
            FILTER_PLACED,
            |values, lambda| match lambda.data_type() {
                DataType::Boolean | DataType::Null => {
                    Ok(Arc::new(Field::new("filtered", as_list(values[0].data_type())?, true)))
                }
                other => Err(invalid(format!("A condition is needed here, not {}.", type_name(other, false)))),
            },
            |values, lambda, _| filtered(lists_of(&values[0])?, lambda),
        ),
    ]
}

fn of_list(
    name: &'static str,
    returns: fn(&[FieldRef], &FieldRef) -> Result<FieldRef>,
    invoke: fn(&[ArrayRef], &LambdaArgument, &FieldRef) -> Result<ArrayRef>,
) -> HigherOrderUDF {
    let higher = Higher {
        name,
        arguments: "a list and a lambda such as (item, place) -> item",
        values: |types| types.iter().map(as_list).collect(),
        count: 1,
        parameters: |values| Ok(vec![item_of(&values[0])?, Arc::new(Field::new("place", DataType::Int32, false))]),
        returns,
        invoke,
    };
    higher.function()
}

/// What the lambda says of each item, those of null lists left out, with the row of each and how many each row has.
struct Said {
    answers: ArrayRef,
    items: UInt32Array,
    rows: UInt32Array,
    lengths: Vec<usize>,
}

fn each(lists: &ListArray, lambda: &LambdaArgument) -> Result<Said> {
    let (mut items, mut rows, mut places, mut lengths) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    for row in 0..lists.len() {
        let length = if lists.is_valid(row) { lists.value_length(row) } else { 0 };
        let first = lists.value_offsets()[row];
        items.extend((0..length).map(|place| (first + place) as u32));
        rows.extend((0..length).map(|_| row as u32));
        places.extend(0..length);
        lengths.push(length as usize);
    }
    let (items, rows): (UInt32Array, UInt32Array) = (items.into(), rows.into());
    let places: ArrayRef = Arc::new(Int32Array::from(places));
    let (item, place) = (|| Ok(take(lists.values(), &items, None)?), || Ok(Arc::clone(&places)));
    let said = lambda.evaluate(&[&item, &place], |captured| Ok(take_arrays(captured, &rows, None)?))?;
    let answers = said.into_array(rows.len())?;
    Ok(Said { answers, items, rows, lengths })
}

fn transformed(values: &[ArrayRef], lambda: &LambdaArgument, to: &FieldRef) -> Result<ArrayRef> {
    let lists = lists_of(&values[0])?;
    let DataType::List(item) = to.data_type() else { return Err(invalid("A list is needed here.")) };
    let said = each(lists, lambda)?;
    let answers = cast(&said.answers, item.data_type())?;
    let offsets = OffsetBuffer::from_lengths(said.lengths);
    Ok(Arc::new(ListArray::try_new(Arc::clone(item), offsets, answers, lists.nulls().cloned())?))
}

fn filtered(lists: &ListArray, lambda: &LambdaArgument) -> Result<ArrayRef> {
    let DataType::List(item) = lists.data_type() else { return Err(invalid("A list is needed here.")) };
    let said = each(lists, lambda)?;
    let wanted = cast(&said.answers, &DataType::Boolean)?;
    let wanted = wanted.as_boolean();
    let mut lengths = vec![0; lists.len()];
    let mut kept = Vec::new();
    for (index, row) in said.rows.values().iter().enumerate() {
        if wanted.is_valid(index) && wanted.value(index) {
            kept.push(said.items.value(index));
            lengths[*row as usize] += 1;
        }
    }
    let items = take(lists.values(), &UInt32Array::from(kept), None)?;
    let offsets = OffsetBuffer::from_lengths(lengths);
    Ok(Arc::new(ListArray::try_new(Arc::clone(item), offsets, items, lists.nulls().cloned())?))
}
