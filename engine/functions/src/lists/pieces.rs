//! Lists of parts of a list: `combinations` and `ngrams`; `trim_array`, which is one part; and `contains_sequence`, which
//! looks for one.

use std::sync::Arc;

use arrow::array::{Array, ArrayRef, AsArray, BooleanArray, Int64Array, ListArray, UInt32Array};
use arrow::buffer::{NullBuffer, OffsetBuffer};
use arrow::compute::{CastOptions, cast_with_options, take};
use arrow::datatypes::{DataType, Field, FieldRef, Int64Type};
use datafusion::common::utils::normalize_float_zero_scalar;
use datafusion::common::{Result, ScalarValue};
use datafusion::logical_expr::{ReturnFieldArgs, ScalarUDF};

use crate::simple::{Doc, Simple};
use quarry_types::{ErrorCode, invalid, refuse};

/// The longest combinations, and the most of one list, as in Trino.
const LONGEST: i64 = 5;
const MOST: usize = 100_000;
/// Most items that one call makes of one batch of rows.
const ITEMS: usize = 16 << 20;

const COMBINATIONS_DOC: Doc = Doc {
    signature: "combinations(list, length)",
    text: "All parts of a list with so many items (at most 5), each in the order of the list.",
    example: "select combinations(['a', 'b', 'c'], 2)",
};
const NGRAMS_DOC: Doc = Doc {
    signature: "ngrams(list, length)",
    text: "All runs of so many items that follow each other in a list; the list itself when it is shorter.",
    example: "select ngrams(['approve', 'swap', 'transfer'], 2)",
};
const TRIM_DOC: Doc = Doc {
    signature: "trim_array(list, count)",
    text: "A list without so many items at its end.",
    example: "select trim_array([1, 2, 3], 1)",
};

const SEQUENCE_DOC: Doc = Doc {
    signature: "contains_sequence(list, sequence)",
    text: "Whether all items of a second list stand in the first one, in the same order and right behind each other.",
    example: "select contains_sequence([1, 2, 3, 4], [2, 3])",
};

pub(super) fn udfs() -> Vec<ScalarUDF> {
    vec![
        Simple::udf("contains_sequence", 2..=2, Some(SEQUENCE_DOC), two_lists, |args, _| contains_sequence(args)),
        Simple::udf("combinations", 2..=2, Some(COMBINATIONS_DOC), lists_of_lists, |args, to| {
            pieces(args, to, combinations)
        }),
        Simple::udf("ngrams", 2..=2, Some(NGRAMS_DOC), lists_of_lists, |args, to| pieces(args, to, ngrams)),
        Simple::udf("trim_array", 2..=2, Some(TRIM_DOC), |args| Ok(list(args)?.clone()), |args, _| trimmed(args)),
    ]
}

/// The list of a call, which has a whole number behind it.
fn list<'a>(args: &'a ReturnFieldArgs) -> Result<&'a FieldRef> {
    let (list, number) = (&args.arg_fields[0], args.arg_fields[1].data_type());
    match (list.data_type(), number.is_integer() || number.is_null()) {
        (DataType::List(_) | DataType::Null, true) => Ok(list),
        _ => Err(invalid("A list and a whole number are needed here.")),
    }
}

fn two_lists(args: &ReturnFieldArgs) -> Result<FieldRef> {
    let known = |field: &FieldRef| matches!(field.data_type(), DataType::List(_) | DataType::Null);
    match args.arg_fields.iter().all(known) {
        true => Ok(Arc::new(Field::new("contains", DataType::Boolean, true))),
        false => Err(invalid("Two lists are needed here.")),
    }
}

fn contains_sequence(args: &[ArrayRef]) -> Result<ArrayRef> {
    let (Some(lists), Some(parts)) = (args[0].as_list_opt::<i32>(), args[1].as_list_opt::<i32>()) else {
        return Ok(arrow::array::new_null_array(&DataType::Boolean, args[0].len()));
    };
    let items = |lists: &ListArray, row: usize| {
        let items = lists.value(row);
        let item = |index| ScalarValue::try_from_array(&items, index).map(normalize_float_zero_scalar);
        (0..items.len()).map(item).collect::<Result<Vec<ScalarValue>>>()
    };
    let within = |row: usize| {
        if lists.is_null(row) || parts.is_null(row) {
            return Ok(None);
        }
        let (items, wanted) = (items(lists, row)?, items(parts, row)?);
        let to = lists.value_type();
        let wanted = wanted.into_iter().map(|item| item.cast_to(&to)).collect::<Result<Vec<ScalarValue>>>()?;
        Ok(Some(wanted.is_empty() || items.windows(wanted.len()).any(|part| part == wanted)))
    };
    Ok(Arc::new((0..lists.len()).map(within).collect::<Result<BooleanArray>>()?))
}

fn lists_of_lists(args: &ReturnFieldArgs) -> Result<FieldRef> {
    let list = list(args)?.data_type();
    let inner = if list.is_null() { DataType::new_list(DataType::Null, true) } else { list.clone() };
    Ok(Arc::new(Field::new("pieces", DataType::new_list(inner, true), true)))
}

fn numbers(array: &ArrayRef) -> Result<Int64Array> {
    let options = CastOptions { safe: false, ..CastOptions::default() };
    Ok(cast_with_options(array, &DataType::Int64, &options)?.as_primitive::<Int64Type>().clone())
}

/// Lists of parts; a part is the places of its items.
fn pieces(args: &[ArrayRef], to: &FieldRef, of: fn(usize, i64) -> Result<Vec<Vec<usize>>>) -> Result<ArrayRef> {
    let DataType::List(inner) = to.data_type() else { return Err(invalid("A list is needed here.")) };
    let (Some(lists), DataType::List(item)) = (args[0].as_list_opt::<i32>(), inner.data_type()) else {
        return Ok(arrow::array::new_null_array(to.data_type(), args[0].len()));
    };
    let lengths = numbers(&args[1])?;
    let (mut places, mut inner_lengths, mut outer_lengths) = (Vec::new(), Vec::new(), Vec::new());
    let mut valid = Vec::with_capacity(lists.len());
    for row in 0..lists.len() {
        let known = lists.is_valid(row) && lengths.is_valid(row);
        valid.push(known);
        let parts = match known {
            true => of(usize::try_from(lists.value_length(row)).unwrap_or_default(), lengths.value(row))?,
            false => Vec::new(),
        };
        outer_lengths.push(parts.len());
        for part in parts {
            inner_lengths.push(part.len());
            places.extend(part.into_iter().map(|place| lists.value_offsets()[row] as u32 + place as u32));
            if places.len() > ITEMS {
                return Err(refuse(ErrorCode::TooComplex, format!("More than {ITEMS} items would be made at once.")));
            }
        }
    }
    let items = take(lists.values(), &UInt32Array::from(places), None)?;
    let parts = ListArray::try_new(item.clone(), OffsetBuffer::from_lengths(inner_lengths), items, None)?;
    let nulls = Some(NullBuffer::from(valid));
    Ok(Arc::new(ListArray::try_new(inner.clone(), OffsetBuffer::from_lengths(outer_lengths), Arc::new(parts), nulls)?))
}

fn combinations(count: usize, length: i64) -> Result<Vec<Vec<usize>>> {
    let length = match length {
        0..=LONGEST => length as usize,
        _ => return Err(invalid(format!("Combinations have 0 to {LONGEST} items."))),
    };
    let mut all = Vec::new();
    let mut places: Vec<usize> = (0..length).collect();
    if length > count {
        return Ok(all);
    }
    loop {
        if all.len() == MOST {
            return Err(refuse(ErrorCode::TooComplex, format!("A list has more than {MOST} combinations.")));
        }
        all.push(places.clone());
        // The last place that can move on, and those behind it right after.
        let Some(moved) = (0..length).rev().find(|index| places[*index] < count - length + index) else {
            return Ok(all);
        };
        let first = places[moved] + 1;
        places.truncate(moved);
        places.extend(first..first + length - moved);
    }
}

fn ngrams(count: usize, length: i64) -> Result<Vec<Vec<usize>>> {
    let length = usize::try_from(length).ok().filter(|length| *length > 0);
    let length = length.ok_or_else(|| invalid("The length of ngrams is above zero."))?.min(count);
    // Refused while it is small: the parts of one list repeat its items.
    if (count - length + 1).saturating_mul(length) > ITEMS {
        return Err(refuse(ErrorCode::TooComplex, format!("More than {ITEMS} items would be made at once.")));
    }
    Ok((0..=count - length).map(|first| (first..first + length).collect()).collect())
}

fn trimmed(args: &[ArrayRef]) -> Result<ArrayRef> {
    let Some(lists) = args[0].as_list_opt::<i32>() else { return Ok(args[0].clone()) };
    let counts = numbers(&args[1])?;
    let (mut places, mut lengths, mut valid) = (Vec::new(), Vec::new(), Vec::new());
    for row in 0..lists.len() {
        let known = lists.is_valid(row) && counts.is_valid(row);
        valid.push(known);
        let length = i64::from(lists.value_length(row));
        let left = match known.then(|| counts.value(row)) {
            None => 0,
            Some(count) if (0..=length).contains(&count) => length - count,
            Some(count) => {
                return Err(invalid(format!("A list of {length} items can't be trimmed by {count}.")));
            }
        };
        let first = lists.value_offsets()[row] as u32;
        places.extend((0..left as u32).map(|place| first + place));
        lengths.push(left as usize);
    }
    let items = take(lists.values(), &UInt32Array::from(places), None)?;
    let DataType::List(item) = lists.data_type() else { return Err(invalid("A list is needed here.")) };
    let nulls = Some(NullBuffer::from(valid));
    Ok(Arc::new(ListArray::try_new(item.clone(), OffsetBuffer::from_lengths(lengths), items, nulls)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_of_lists() {
        assert_eq!(combinations(3, 2).unwrap(), [vec![0, 1], vec![0, 2], vec![1, 2]]);
        assert_eq!(combinations(4, 4).unwrap(), [vec![0, 1, 2, 3]]);
        assert_eq!(combinations(2, 0).unwrap(), [Vec::<usize>::new()]);
        assert_eq!(combinations(9, 5).unwrap().len(), 126);
        assert!(combinations(1, 2).unwrap().is_empty());
        assert!(combinations(9, 6).is_err() && combinations(9, -1).is_err() && combinations(200, 5).is_err());
        assert_eq!(ngrams(3, 2).unwrap(), [vec![0, 1], vec![1, 2]]);
        assert_eq!(ngrams(2, 9).unwrap(), [vec![0, 1]]);
        assert_eq!(ngrams(0, 1).unwrap(), [Vec::<usize>::new()]);
        assert!(ngrams(3, 0).is_err() && ngrams(100_000, 50_000).is_err());
    }
}
