//! `array_sort(list, (a, b) -> …)`: a list in the order of a lambda.
//!
//! The lists are merged from runs of one item, all runs of all lists at once: each call of the lambda compares many pairs.

use std::ops::Range;

use arrow::array::{ListArray, UInt32Array};
use arrow::buffer::OffsetBuffer;
use arrow::compute::{cast_with_options, take};
use datafusion::common::format::DEFAULT_CAST_OPTIONS;
use datafusion::logical_expr::{HigherOrderUDF, LambdaArgument};

use super::function::{LambdaFunction, evaluate};
use super::list_types::{as_list, item_field, lists_of};
use crate::lists::build::{item_range, list_array};
use crate::prelude::*;

/// The longest list.
const MAX_LENGTH: usize = 100_000;

pub const NAME: &str = "array_sort_by";

pub(super) const DOC: Doc = Doc {
    signature: "array_sort_by(list, (a, b) -> number)",
    text: "The list sorted by a comparator lambda, which returns a negative number if a comes first and a positive number if b does; the same as array_sort with a lambda.",
    example: "select array_sort_by([3, 1, 2], (a, b) -> b - a)",
};

pub(super) fn function() -> HigherOrderUDF {
    let sort = LambdaFunction {
        name: NAME,
        arguments: "a list and a lambda such as (a, b) -> b - a",
        values: 1,
        value_types: |types| types.iter().map(as_list).collect(),
        parameters: |values| Ok(vec![item_field(&values[0])?, item_field(&values[0])?]),
        returns: |values, lambda| match lambda.data_type().is_numeric() {
            true => Ok(Arc::new(Field::new("sorted", as_list(values[0].data_type())?, true))),
            false => Err(no_number()),
        },
        invoke: |values, lambda, _| sort_lists(lists_of(&values[0])?, lambda),
    };
    sort.udf()
}

fn no_number() -> DataFusionError {
    invalid("The lambda of array_sort must return a number: -1, 0 or 1.")
}

/// Two runs that become one, by the positions of their items among all.
struct Merge {
    left: Range<usize>,
    right: Range<usize>,
}

fn sort_lists(lists: &ListArray, lambda: &LambdaArgument) -> Result<ArrayRef> {
    let (mut items, mut rows, mut ranges) = (Vec::new(), Vec::new(), Vec::new());
    for row in 0..lists.len() {
        let list = item_range(lists, row);
        if list.len() > MAX_LENGTH {
            return Err(refuse(
                ErrorCode::TooComplex,
                format!("array_sort supports lists of at most {MAX_LENGTH} items."),
            ));
        }
        ranges.push(items.len()..items.len() + list.len());
        rows.extend(std::iter::repeat_n(row as u32, list.len()));
        items.extend(list);
    }
    let longest = ranges.iter().map(ExactSizeIterator::len).max().unwrap_or_default();
    let mut width = 1;
    while width < longest {
        let merges = ranges.iter().flat_map(|range| {
            range.clone().step_by(2 * width).filter(|first| first + width < range.end).map(|first| Merge {
                left: first..first + width,
                right: first + width..(first + 2 * width).min(range.end),
            })
        });
        merge(&mut items, &rows, merges.collect(), lists.values(), lambda)?;
        width *= 2;
    }
    let items = take(lists.values(), &UInt32Array::from(items), None)?;
    let offsets = OffsetBuffer::from_lengths(ranges.iter().map(ExactSizeIterator::len));
    list_array(lists.data_type(), offsets, items, lists.nulls().cloned())
}

/// Merges pairs of runs side by side: each call of the lambda compares the heads of all of them.
fn merge(
    items: &mut [u32],
    rows: &[u32],
    merges: Vec<Merge>,
    values: &ArrayRef,
    lambda: &LambdaArgument,
) -> Result<()> {
    let before = items.to_vec();
    let mut merges: Vec<(Merge, usize)> =
        merges.into_iter().map(|merge| (merge.left.start, merge)).map(|(to, merge)| (merge, to)).collect();
    while !merges.is_empty() {
        let heads =
            |head: fn(&Merge) -> usize| merges.iter().map(|(merge, _)| before[head(merge)]).collect::<UInt32Array>();
        let (a, b) = (heads(|merge| merge.left.start), heads(|merge| merge.right.start));
        let rows_of_heads: UInt32Array = merges.iter().map(|(merge, _)| rows[merge.left.start]).collect();
        let answers = order(&a, &b, &rows_of_heads, values, lambda)?;
        for ((merge, to), answer) in merges.iter_mut().zip(answers) {
            let next = if answer > 0.0 { merge.right.next() } else { merge.left.next() };
            items[*to] = next.map_or(items[*to], |next| before[next]);
            *to += 1;
        }
        merges.retain(|(merge, to)| {
            let goes_on = !merge.left.is_empty() && !merge.right.is_empty();
            if !goes_on {
                let rest = merge.left.clone().chain(merge.right.clone());
                rest.enumerate().for_each(|(index, place)| items[to + index] = before[place]);
            }
            goes_on
        });
    }
    Ok(())
}

/// The answers of the lambda for pairs of items.
fn order(
    a: &UInt32Array,
    b: &UInt32Array,
    rows: &UInt32Array,
    values: &ArrayRef,
    lambda: &LambdaArgument,
) -> Result<Vec<f64>> {
    let answers = evaluate(lambda, &[(values, a), (values, b)], rows)?;
    let answers = cast_with_options(&answers, &DataType::Float64, &DEFAULT_CAST_OPTIONS)?;
    match answers.null_count() {
        0 => Ok(answers.as_primitive::<Float64Type>().values().to_vec()),
        _ => Err(no_number()),
    }
}
