//! Functions that take bytes as well as texts: bytes are counted and cut as bytes.

use std::sync::Arc;

use arrow::array::{Array, ArrayRef, AsArray, BinaryArray, Int32Array, ListArray, StringArray, UInt64Array};
use arrow::buffer::{NullBuffer, OffsetBuffer};
use arrow::compute::{interleave, take};
use arrow::datatypes::{DataType, Field, FieldRef, Int64Type};
use datafusion::common::Result;
use datafusion::logical_expr::{ReturnFieldArgs, ScalarUDF};

use super::cast;
use super::common::common;
use super::rows::LONGEST;
use crate::simple::{MANY, Simple};
use quarry_types::ErrorCode;
use quarry_types::byte_columns::{bytes_of, is_bytes};
use quarry_types::uint256::is_number;
use quarry_types::{invalid, refuse};

pub(super) fn functions() -> Vec<ScalarUDF> {
    vec![
        Simple::udf("length", 1..=1, None, int, |arrays, _| lengths(&arrays[0], |text| text.chars().count())),
        Simple::udf("octet_length", 1..=1, None, int, |arrays, _| lengths(&arrays[0], str::len)),
        Simple::udf("substr", 2..=3, None, first, part),
        Simple::udf("substring", 2..=3, None, first, part),
        Simple::udf("concat", 1..=MANY, None, joined, join),
        Simple::udf("reverse", 1..=1, None, turned, reverse),
    ]
}

fn is_binary(data_type: &DataType) -> bool {
    matches!(data_type, DataType::Binary | DataType::LargeBinary | DataType::BinaryView)
}

fn field(data_type: DataType) -> FieldRef {
    Arc::new(Field::new("value", data_type, true))
}

fn int(_: &ReturnFieldArgs) -> Result<FieldRef> {
    Ok(field(DataType::Int32))
}

/// Bytes stay bytes, everything else is text.
fn first(args: &ReturnFieldArgs) -> Result<FieldRef> {
    Ok(field(if is_binary(args.arg_fields[0].data_type()) { DataType::Binary } else { DataType::Utf8 }))
}

/// Bytes when all are, else text.
fn joined(args: &ReturnFieldArgs) -> Result<FieldRef> {
    if args.arg_fields.is_empty() {
        return Err(invalid("concat takes at least 1 arguments."));
    }
    if args.arg_fields.iter().any(|field| is_list(field.data_type())) {
        return list_of(args);
    }
    let bytes = args.arg_fields.iter().all(|field| is_binary(field.data_type()));
    Ok(field(if bytes { DataType::Binary } else { DataType::Utf8 }))
}

/// Lists of lists only, with items that all of them can hold.
fn list_of(args: &ReturnFieldArgs) -> Result<FieldRef> {
    let known = args.arg_fields.iter().map(|field| field.data_type()).filter(|data_type| !data_type.is_null());
    match common(known.clone()) {
        Some(list @ DataType::List(_)) if known.clone().all(is_list) => Ok(field(list)),
        _ => Err(invalid("concat joins lists with lists of items of the same type.")),
    }
}

fn turned(args: &ReturnFieldArgs) -> Result<FieldRef> {
    let given = args.arg_fields[0].data_type();
    Ok(field(if is_list(given) { given.clone() } else { DataType::Utf8 }))
}

fn is_list(data_type: &DataType) -> bool {
    matches!(data_type, DataType::List(_))
}

/// The items of a list, or the letters of a text, from the last to the first.
fn reverse(arrays: &[ArrayRef], field: &FieldRef) -> Result<ArrayRef> {
    let values = cast::to_type(&arrays[0], field.data_type())?;
    if !is_list(field.data_type()) {
        let texts = values.as_string::<i32>().iter();
        return Ok(Arc::new(texts.map(|text| Some(text?.chars().rev().collect::<String>())).collect::<StringArray>()));
    }
    let lists = values.as_list::<i32>();
    let places = (0..lists.len()).flat_map(|row| {
        let (start, end) = (lists.value_offsets()[row], lists.value_offsets()[row + 1]);
        (start..end).rev().map(|at| at as u64)
    });
    let items = take(lists.values(), &places.collect::<UInt64Array>(), None)?;
    let lengths = OffsetBuffer::from_lengths(lists.offsets().lengths());
    let DataType::List(item) = field.data_type() else { return Err(invalid("A list is needed here.")) };
    Ok(Arc::new(ListArray::try_new(item.clone(), lengths, items, lists.nulls().cloned())?))
}

/// One list behind the other; null when one is null.
fn join_lists(columns: &[ArrayRef], field: &FieldRef) -> Result<ArrayRef> {
    let lists: Vec<&ListArray> = columns.iter().map(|column| column.as_list::<i32>()).collect();
    let rows = lists.first().map_or(0, |list| list.len());
    let (mut places, mut lengths, mut there) = (Vec::new(), Vec::with_capacity(rows), Vec::with_capacity(rows));
    for row in 0..rows {
        let before = places.len();
        let known = lists.iter().all(|list| list.is_valid(row));
        for (place, list) in lists.iter().enumerate().filter(|_| known) {
            let (start, end) = (list.value_offsets()[row] as usize, list.value_offsets()[row + 1] as usize);
            places.extend((start..end).map(|at| (place, at)));
        }
        lengths.push(places.len() - before);
        there.push(known);
    }
    let items: Vec<&dyn Array> = lists.iter().map(|list| list.values().as_ref()).collect();
    let items = interleave(&items, &places)?;
    let DataType::List(item) = field.data_type() else { return Err(invalid("A list is needed here.")) };
    let nulls = NullBuffer::from(there);
    Ok(Arc::new(ListArray::try_new(item.clone(), OffsetBuffer::from_lengths(lengths), items, Some(nulls))?))
}

fn lengths(array: &ArrayRef, of: fn(&str) -> usize) -> Result<ArrayRef> {
    let lengths: Int32Array = if is_bytes(array.data_type()) && !is_number(array.data_type()) {
        bytes_of(array)?.into_iter().map(|bytes| Some(bytes?.len() as i32)).collect()
    } else {
        let texts = cast::to_type(array, &DataType::Utf8)?;
        texts.as_string::<i32>().iter().map(|text| Some(of(text?) as i32)).collect()
    };
    Ok(Arc::new(lengths))
}

/// From a place that counts from 1, or from the end when it is negative: what stands there of so many parts.
fn range(parts: usize, start: i64, length: i64) -> (usize, usize) {
    let parts = parts as i64;
    let from = match start {
        0 => 0,
        start if start > 0 => start - 1,
        start => parts.saturating_add(start),
    };
    if from < 0 || from >= parts || length <= 0 {
        return (0, 0);
    }
    (from as usize, length.min(parts - from) as usize)
}

fn part(arrays: &[ArrayRef], field: &FieldRef) -> Result<ArrayRef> {
    let long = |at: usize| arrays.get(at).map(|array| cast::to_type(array, &DataType::Int64)).transpose();
    let (starts, counts) = (long(1)?, long(2)?);
    let of_row = |row: usize| {
        let value = |array: &ArrayRef| array.is_valid(row).then(|| array.as_primitive::<Int64Type>().value(row));
        Some((value(starts.as_ref()?)?, counts.as_ref().map_or(Some(i64::MAX), value)?))
    };
    let values = cast::to_type(&arrays[0], field.data_type())?;
    if *field.data_type() == DataType::Binary {
        let bytes = values.as_binary::<i32>().iter().enumerate().map(|(row, bytes)| {
            let (bytes, (start, count)) = (bytes?, of_row(row)?);
            let (from, take) = range(bytes.len(), start, count);
            Some(&bytes[from..from + take])
        });
        return Ok(Arc::new(bytes.collect::<BinaryArray>()));
    }
    let texts = values.as_string::<i32>().iter().enumerate().map(|(row, text)| {
        let (text, (start, count)) = (text?, of_row(row)?);
        if text.is_ascii() {
            let (from, take) = range(text.len(), start, count);
            return Some(&text[from..from + take]);
        }
        let (from, take) = range(text.chars().count(), start, count);
        let place = |letters: usize| text.char_indices().nth(letters).map_or(text.len(), |(at, _)| at);
        Some(&text[place(from)..place(from + take)])
    });
    Ok(Arc::new(texts.collect::<StringArray>()))
}

/// One after the other; null when one is null.
fn join(arrays: &[ArrayRef], field: &FieldRef) -> Result<ArrayRef> {
    let columns = arrays.iter().map(|array| cast::to_type(array, field.data_type())).collect::<Result<Vec<_>>>()?;
    if is_list(field.data_type()) {
        return join_lists(&columns, field);
    }
    let rows = columns.first().map_or(0, |column| column.len());
    if *field.data_type() == DataType::Binary {
        let bytes = |row: usize| {
            let parts = columns.iter().map(|column| column.is_valid(row).then(|| column.as_binary::<i32>().value(row)));
            short(parts.collect::<Option<Vec<_>>>().map(|parts| parts.concat()), Vec::len)
        };
        return Ok(Arc::new((0..rows).map(bytes).collect::<Result<Vec<_>>>()?.iter().collect::<BinaryArray>()));
    }
    let texts = |row: usize| {
        let parts = columns.iter().map(|column| column.is_valid(row).then(|| column.as_string::<i32>().value(row)));
        short(parts.collect::<Option<String>>(), String::len)
    };
    Ok(Arc::new((0..rows).map(texts).collect::<Result<StringArray>>()?))
}

/// A value that is not too long.
fn short<T>(made: Option<T>, length: fn(&T) -> usize) -> Result<Option<T>> {
    match made.as_ref().map(length) {
        Some(length) if length > LONGEST => {
            let message = format!("A text would have more than {} MB.", LONGEST >> 20);
            Err(refuse(ErrorCode::InvalidQuery, message))
        }
        _ => Ok(made),
    }
}

#[cfg(test)]
mod tests {
    use super::range;

    #[test]
    fn parts_count_from_one_or_from_the_end() {
        assert_eq!([range(5, 2, 3), range(5, -2, 9), range(5, 0, 2), range(5, 6, 1)], [(1, 3), (3, 2), (0, 2), (0, 0)]);
        assert_eq!([range(5, -6, 1), range(5, 1, 0), range(5, i64::MIN, i64::MAX)], [(0, 0); 3]);
    }
}
