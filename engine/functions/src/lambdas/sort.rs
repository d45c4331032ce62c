//! `array_sort(list, (a, b) -> …)`: a list in the order that a lambda says.
//!
//! The lists are merged from runs of one item, all runs of all lists at once: the lambda sees a batch of pairs each time.

use std::sync::Arc;

use arrow::array::{Array, ArrayRef, AsArray, Int64Array, ListArray, UInt32Array};
use arrow::buffer::OffsetBuffer;
use arrow::compute::{CastOptions, cast_with_options, take, take_arrays};
use arrow::datatypes::{DataType, Field, Int64Type};
use datafusion::common::Result;
use datafusion::logical_expr::{HigherOrderUDF, LambdaArgument};

use super::higher::Higher;
use super::{as_list, item_of, lists_of};
use crate::simple::Doc;
use quarry_types::{ErrorCode, invalid, refuse};

/// The longest list, since nothing stops a function at its work.
const MOST: usize = 100_000;

pub const NAME: &str = "array_sort_by";

pub(super) const DOC: Doc = Doc {
    signature: "array_sort_by(list, (a, b) -> number)",
    text: "The list in the order that the lambda says: below zero where a comes first, above where b does; array_sort with a lambda is the same.",
    example: "select array_sort_by([3, 1, 2], (a, b) -> b - a)",
};

pub(super) fn function() -> HigherOrderUDF {
    let higher = Higher {
        name: NAME,
        arguments: "a list and a lambda such as (a, b) -> b - a",
        values: |types| types.iter().map(as_list).collect(),
        count: 1,
        parameters: |values| Ok(vec![item_of(&values[0])?, item_of(&values[0])?]),
        returns: |values, lambda| match lambda.data_type() {
            said if said.is_numeric() => Ok(Arc::new(Field::new("sorted", as_list(values[0].data_type())?, true))),
            _ => Err(refused()),
        },
        invoke: |values, lambda, _| sorted(lists_of(&values[0])?, lambda),
    };
    higher.function()
}

fn refused() -> datafusion::common::DataFusionError {
    invalid("The lambda of array_sort answers a number: -1, 0 or 1.")
}

/// Two runs that become one; the places are those of their items among all.
struct Merge {
    left: std::ops::Range<usize>,
    right: std::ops::Range<usize>,
}

fn sorted(lists: &ListArray, lambda: &LambdaArgument) -> Result<ArrayRef> {
    let (mut items, mut rows, mut ranges, mut lengths) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    for row in 0..lists.len() {
        let length = if lists.is_valid(row) { lists.value_length(row) as usize } else { 0 };
        if length > MOST {
            return Err(refuse(ErrorCode::TooComplex, format!("array_sort takes lists of at most {MOST} items.")));
        }
        let first = lists.value_offsets()[row] as u32;
        ranges.push(items.len()..items.len() + length);
        items.extend((0..length as u32).map(|place| first + place));
        rows.extend(std::iter::repeat_n(row as u32, length));
        lengths.push(length);
    }
    let longest = lengths.iter().copied().max().unwrap_or_default();
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
    let DataType::List(item) = lists.data_type() else { return Err(refused()) };
    let items = take(lists.values(), &UInt32Array::from(items), None)?;
    let offsets = OffsetBuffer::from_lengths(lengths);
    Ok(Arc::new(ListArray::try_new(item.clone(), offsets, items, lists.nulls().cloned())?))
}

/// Merges pairs of runs side by side: the lambda is asked for the heads of all of them at once.
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
        let of: UInt32Array = merges.iter().map(|(merge, _)| rows[merge.left.start]).collect();
        let answers = order(&a, &b, &of, values, lambda)?;
        for ((merge, to), answer) in merges.iter_mut().zip(answers.values()) {
            let next = if *answer <= 0 { merge.left.next() } else { merge.right.next() };
            items[*to] = next.map_or(items[*to], |next| before[next]);
            *to += 1;
        }
        merges.retain(|(merge, to)| {
            let going_on = !merge.left.is_empty() && !merge.right.is_empty();
            if !going_on {
                let rest = merge.left.clone().chain(merge.right.clone());
                rest.enumerate().for_each(|(index, place)| items[to + index] = before[place]);
            }
            going_on
        });
    }
    Ok(())
}

/// What the lambda says of pairs of items.
fn order(
    a: &UInt32Array,
    b: &UInt32Array,
    rows: &UInt32Array,
    values: &ArrayRef,
    lambda: &LambdaArgument,
) -> Result<Int64Array> {
    let (x, y) = (|| Ok(take(values, a, None)?), || Ok(take(values, b, None)?));
    let said = lambda.evaluate(&[&x, &y], |captured| Ok(take_arrays(captured, rows, None)?))?;
    let said = said.into_array(rows.len())?;
    // The sign is what counts: a half is above zero.
    let doubles = cast_with_options(&said, &DataType::Float64, &CastOptions { safe: false, ..CastOptions::default() })?;
    if doubles.null_count() > 0 {
        return Err(refused());
    }
    let signs = doubles.as_primitive::<arrow::datatypes::Float64Type>();
    Ok(signs.unary::<_, Int64Type>(|said| {
        if said > 0.0 {
            1
        } else if said < 0.0 {
            -1
        } else {
            0
        }
    }))
}
