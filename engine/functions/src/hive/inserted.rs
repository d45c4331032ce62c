//! `array_insert(array, place, item)`: the array with one item more, as Spark puts it there.

use std::sync::Arc;

use arrow::array::{Array, ArrayRef, AsArray, ListArray, UInt32Array};
use arrow::buffer::{NullBuffer, OffsetBuffer};
use arrow::compute::{concat, take};
use arrow::datatypes::{DataType, Field, FieldRef, Int64Type};
use datafusion::common::Result;
use datafusion::logical_expr::{ReturnFieldArgs, ScalarUDF};

use super::cast;
use super::gather::unified;
use crate::simple::Simple;
use quarry_types::{ErrorCode, invalid, refuse};

/// Most items that the arrays of one batch of rows have together: a place far behind the end is filled up with nulls.
const MOST: i64 = 16 << 20;

pub(super) fn udf() -> ScalarUDF {
    Simple::udf("array_insert", 3..=3, None, returns, insert)
}

fn returns(args: &ReturnFieldArgs) -> Result<FieldRef> {
    let item = match args.arg_fields[0].data_type() {
        DataType::List(item) => Arc::clone(item),
        DataType::Null => Arc::new(Field::new_list_field(DataType::Null, true)),
        _ => return Err(invalid("array_insert takes an array, a place in it and an item.")),
    };
    let place = args.arg_fields[1].data_type();
    if !place.is_integer() && !place.is_null() {
        return Err(invalid("A place in an array is a whole number."));
    }
    let common = unified([&item, &args.arg_fields[2]].into_iter())?.unwrap_or(DataType::Null);
    let item = Arc::new(Field::new_list_field(common, true));
    Ok(Arc::new(Field::new("array", DataType::List(item), true)))
}

fn insert(arrays: &[ArrayRef], to: &FieldRef) -> Result<ArrayRef> {
    let DataType::List(item) = to.data_type() else { return Err(invalid("An array is a list.")) };
    let rows = arrays[0].len();
    let places = cast::to_type(&arrays[1], &DataType::Int64)?;
    let places = places.as_primitive::<Int64Type>();
    let Some(lists) = arrays[0].as_list_opt::<i32>() else {
        return Ok(arrow::array::new_null_array(to.data_type(), rows));
    };
    let held = cast::to_type(lists.values(), item.data_type())?;
    let new = cast::to_type(&arrays[2], item.data_type())?;
    let all = concat(&[held.as_ref(), new.as_ref()])?;
    let (mut taken, mut lengths, mut known) = (Vec::new(), Vec::new(), Vec::new());
    let mut made = 0_i64;
    for row in 0..rows {
        let there = lists.is_valid(row) && places.is_valid(row);
        known.push(there);
        if !there {
            lengths.push(0);
            continue;
        }
        let (first, count) = (lists.value_offsets()[row] as u32, i64::from(lists.value_length(row)));
        let Place { at, before, behind } = Place::of(places.value(row), count)?;
        made = made.saturating_add(count + before + behind + 1);
        if made > MOST {
            return Err(refuse(ErrorCode::TooComplex, "array_insert makes arrays that are too long."));
        }
        let mut items: Vec<Option<u32>> = (0..count as u32).map(|place| Some(first + place)).collect();
        let own = Some((held.len() + row) as u32);
        let nulls = |count: i64| std::iter::repeat_n(None, count as usize);
        items.splice(at as usize..at as usize, nulls(before).chain([own]).chain(nulls(behind)));
        lengths.push(items.len());
        taken.extend(items);
    }
    let items = take(&all, &UInt32Array::from(taken), None)?;
    let offsets = OffsetBuffer::from_lengths(lengths);
    Ok(Arc::new(ListArray::try_new(Arc::clone(item), offsets, items, Some(NullBuffer::from(known)))?))
}

/// Where a new item goes: behind how many others, and how many nulls fill a gap before and behind it.
struct Place {
    at: i64,
    before: i64,
    behind: i64,
}

impl Place {
    /// Places are counted from 1, or below zero from the end, where -1 is behind the last item.
    fn of(place: i64, count: i64) -> Result<Place> {
        let there = |at| Place { at, before: 0, behind: 0 };
        Ok(match place {
            0 => return Err(invalid("Places in an array are counted from 1, or from -1 at its end.")),
            1.. if place - 1 <= count => there(place - 1),
            1.. => Place { at: count, before: (place - 1 - count).min(MOST), behind: 0 },
            below if below.saturating_neg() <= count + 1 => there(count + 1 + below),
            below => Place { at: 0, before: 0, behind: (below.saturating_neg() - count - 1).min(MOST) },
        })
    }
}
