//! `zip_with`, and `transform` and `filter` of HiveQL, whose lambdas get the index of an item too. With the item alone these two
//! are built-in functions.

use std::ops::Range;

use arrow::array::{Int32Array, ListArray, UInt32Array};
use arrow::buffer::{NullBuffer, OffsetBuffer};
use datafusion::logical_expr::{HigherOrderUDF, LambdaArgument};

use super::function::{LambdaFunction, check_condition, evaluate};
use super::list_types::{as_list, item_field, lists_of};
use crate::lists::build::{ListRows, item_range, list_array, list_field, list_item};
use crate::prelude::*;

/// `transform` with a lambda of two parameters.
pub const TRANSFORM_PLACED: &str = "transform_placed";
/// `filter` with a lambda of two parameters.
pub const FILTER_PLACED: &str = "filter_placed";

pub(super) const ZIP_WITH_DOC: Doc = Doc {
    signature: "zip_with(list, list, (x, y) -> value)",
    text: "The results of the lambda for the elements at the same position of two lists, as a list; the shorter list is padded with nulls.",
    example: "select zip_with([1, 2], [10, 20], (x, y) -> x + y)",
};

pub(super) fn functions() -> Vec<HigherOrderUDF> {
    let zip_with = LambdaFunction {
        name: "zip_with",
        arguments: "two lists and a lambda such as (x, y) -> x + y",
        values: 2,
        value_types: list_types,
        parameters: |values| values.iter().map(item_field).collect(),
        returns: |_, lambda| Ok(list_field("zipped", lambda.data_type().clone())),
        invoke: zip_lists,
    };
    let transform = LambdaFunction {
        name: TRANSFORM_PLACED,
        arguments: "a list and a lambda such as (item, place) -> item",
        values: 1,
        value_types: list_types,
        parameters: |values| Ok(vec![item_field(&values[0])?, Arc::new(Field::new("place", DataType::Int32, false))]),
        returns: |_, lambda| Ok(list_field("transformed", lambda.data_type().clone())),
        invoke: transform_items,
    };
    let filter = LambdaFunction {
        name: FILTER_PLACED,
        returns: |values, lambda| {
            check_condition(lambda)?;
            Ok(Arc::new(Field::new("filtered", as_list(values[0].data_type())?, true)))
        },
        invoke: |values, lambda, _| filter_items(lists_of(&values[0])?, lambda),
        ..transform
    };
    vec![zip_with.udf(), transform.udf(), filter.udf()]
}

fn list_types(types: &[DataType]) -> Result<Vec<DataType>> {
    types.iter().map(as_list).collect()
}

/// The shorter list is padded with nulls.
fn zip_lists(values: &[ArrayRef], lambda: &LambdaArgument, to: &FieldRef) -> Result<ArrayRef> {
    let (left, right) = (lists_of(&values[0])?, lists_of(&values[1])?);
    let valid: Vec<bool> = (0..left.len()).map(|row| left.is_valid(row) && right.is_valid(row)).collect();
    let (mut rows, mut first, mut second) = (Vec::new(), Vec::new(), Vec::new());
    let mut lengths = Vec::with_capacity(left.len());
    for (row, valid) in valid.iter().enumerate() {
        let (x, y) = (item_range(left, row), item_range(right, row));
        let length = if *valid { x.len().max(y.len()) } else { 0 };
        lengths.push(length);
        rows.extend(std::iter::repeat_n(row as u32, length));
        let padded = |items: Range<u32>| items.map(Some).chain(std::iter::repeat(None)).take(length);
        first.extend(padded(x));
        second.extend(padded(y));
    }
    let (rows, first, second) = (UInt32Array::from(rows), UInt32Array::from(first), UInt32Array::from(second));
    let answers = evaluate(lambda, &[(left.values(), &first), (right.values(), &second)], &rows)?;
    let items = cast(&answers, list_item(to.data_type())?.data_type())?;
    list_array(to.data_type(), OffsetBuffer::from_lengths(lengths), items, Some(NullBuffer::from(valid)))
}

/// The answers of a lambda for the items and their indices in their lists; null lists have no items.
struct Answers {
    answers: ArrayRef,
    /// Where each item is among those of all lists.
    items: UInt32Array,
    /// How many items each list has.
    lengths: Vec<usize>,
}

impl Answers {
    fn new(lists: &ListArray, lambda: &LambdaArgument) -> Result<Answers> {
        let ranges: Vec<_> = (0..lists.len()).map(|row| item_range(lists, row)).collect();
        let rows = ranges.iter().enumerate().flat_map(|(row, items)| std::iter::repeat_n(row as u32, items.len()));
        let rows = UInt32Array::from_iter_values(rows);
        let indices = Int32Array::from_iter_values(ranges.iter().flat_map(|items| 0..items.len() as i32));
        let lengths = ranges.iter().map(ExactSizeIterator::len).collect();
        let items = UInt32Array::from_iter_values(ranges.into_iter().flatten());
        let each = UInt32Array::from_iter_values(0..items.len() as u32);
        let answers = evaluate(lambda, &[(lists.values(), &items), (&indices, &each)], &rows)?;
        Ok(Answers { answers, items, lengths })
    }
}

fn transform_items(values: &[ArrayRef], lambda: &LambdaArgument, to: &FieldRef) -> Result<ArrayRef> {
    let lists = lists_of(&values[0])?;
    let Answers { answers, lengths, .. } = Answers::new(lists, lambda)?;
    let items = cast(&answers, list_item(to.data_type())?.data_type())?;
    list_array(to.data_type(), OffsetBuffer::from_lengths(lengths), items, lists.nulls().cloned())
}

fn filter_items(lists: &ListArray, lambda: &LambdaArgument) -> Result<ArrayRef> {
    let Answers { answers, items, lengths } = Answers::new(lists, lambda)?;
    let conditions = cast(&answers, &DataType::Boolean)?;
    let mut conditions = conditions.as_boolean().iter().zip(items.values());
    let mut filtered = ListRows::default();
    for (row, length) in lengths.into_iter().enumerate() {
        let passing = conditions.by_ref().take(length).filter(|(condition, _)| *condition == Some(true));
        match lists.is_valid(row) {
            true => filtered.push(passing.map(|(_, item)| *item)),
            false => filtered.push_null(),
        }
    }
    filtered.finish(lists.data_type(), lists.values())
}
