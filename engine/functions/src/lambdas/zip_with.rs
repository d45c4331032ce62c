//! `zip_with(list, list, (x, y) -> …)`: two lists item by item; the shorter one goes on with nulls.

use std::sync::Arc;

use arrow::array::{Array, ArrayRef, ListArray, UInt32Array};
use arrow::buffer::{NullBuffer, OffsetBuffer};
use arrow::compute::{cast, take, take_arrays};
use arrow::datatypes::{DataType, Field, FieldRef};
use datafusion::common::Result;
use datafusion::logical_expr::{HigherOrderUDF, LambdaArgument};

use super::higher::Higher;
use super::{as_list, item_of, lists_of};
use crate::simple::Doc;
use quarry_types::invalid;

pub(super) const DOC: Doc = Doc {
    signature: "zip_with(list, list, (x, y) -> value)",
    text: "The list of what the lambda makes of the items of two lists, place by place; the shorter list goes on with nulls.",
    example: "select zip_with([1, 2], [10, 20], (x, y) -> x + y)",
};

pub(super) fn function() -> HigherOrderUDF {
    let higher = Higher {
        name: "zip_with",
        arguments: "two lists and a lambda such as (x, y) -> x + y",
        values: |types| types.iter().map(as_list).collect(),
        count: 2,
        parameters: |values| values.iter().map(item_of).collect(),
        returns: |_, lambda| {
            let item = Field::new_list_field(lambda.data_type().clone(), true);
            Ok(Arc::new(Field::new("zipped", DataType::List(Arc::new(item)), true)))
        },
        invoke: zip_with,
    };
    higher.function()
}

fn zip_with(values: &[ArrayRef], lambda: &LambdaArgument, to: &FieldRef) -> Result<ArrayRef> {
    let DataType::List(item) = to.data_type() else { return Err(invalid("zip_with answers a list.")) };
    let (left, right) = (lists_of(&values[0])?, lists_of(&values[1])?);
    let mut lengths = Vec::with_capacity(left.len());
    let (mut rows, mut first, mut second) = (Vec::new(), Vec::new(), Vec::new());
    let valid: Vec<bool> = (0..left.len()).map(|row| left.is_valid(row) && right.is_valid(row)).collect();
    for (row, valid) in valid.iter().enumerate() {
        let length = if *valid { left.value_length(row).max(right.value_length(row)) } else { 0 };
        lengths.push(usize::try_from(length).unwrap_or_default());
        for place in 0..length {
            rows.push(row as u32);
            first.push(place_in(left, row, place));
            second.push(place_in(right, row, place));
        }
    }
    let rows = UInt32Array::from(rows);
    let (first, second) = (UInt32Array::from(first), UInt32Array::from(second));
    let x = || Ok(take(left.values(), &first, None)?);
    let y = || Ok(take(right.values(), &second, None)?);
    let made = lambda.evaluate(&[&x, &y], |captured| Ok(take_arrays(captured, &rows, None)?))?;
    let made = cast(&made.into_array(rows.len())?, item.data_type())?;
    let nulls = Some(NullBuffer::from(valid));
    Ok(Arc::new(ListArray::try_new(item.clone(), OffsetBuffer::from_lengths(lengths), made, nulls)?))
}

/// Where an item stands among those of all lists; `None` behind the end.
fn place_in(lists: &ListArray, row: usize, place: i32) -> Option<u32> {
    (place < lists.value_length(row)).then(|| (lists.value_offsets()[row] + place) as u32)
}
