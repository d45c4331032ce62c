//! Functions that take bytes as well as texts, and count and cut bytes as bytes: `length`, `substr`, `concat`, `reverse`. The last two
//! take lists too.

use arrow::array::{Int32Array, ListArray};
use arrow::buffer::{NullBuffer, OffsetBuffer};
use arrow::compute::interleave;

use super::cast;
use super::common_type::common_type;
use super::row_functions::MAX_TEXT;
use crate::lists::build::{ListRows, item_range, list_array};
use crate::prelude::*;

pub(super) fn functions() -> Vec<ScalarUDF> {
    let length = |name: &'static str, length: fn(&str) -> usize| {
        scalar_udf(name, 1..=1, returns(DataType::Int32), move |arrays, _| lengths(&arrays[0], length))
    };
    vec![
        length("length", |text| text.chars().count()),
        length("octet_length", str::len),
        scalar_udf("substr", 2..=3, bytes_or_text, substring),
        scalar_udf("substring", 2..=3, bytes_or_text, substring),
        scalar_udf("concat", 1..=MANY, concat_field, concat),
        scalar_udf("reverse", 1..=1, reverse_field, reverse),
    ]
}

fn is_binary(data_type: &DataType) -> bool {
    matches!(data_type, DataType::Binary | DataType::LargeBinary | DataType::BinaryView)
}

fn field(data_type: DataType) -> FieldRef {
    Arc::new(Field::new("value", data_type, true))
}

/// Bytes stay bytes, everything else is text.
fn bytes_or_text(args: &ReturnFieldArgs) -> Result<FieldRef> {
    Ok(field(if is_binary(args.arg_fields[0].data_type()) { DataType::Binary } else { DataType::Utf8 }))
}

/// Bytes when all are, else text.
fn concat_field(args: &ReturnFieldArgs) -> Result<FieldRef> {
    if args.arg_fields.is_empty() {
        return Err(invalid("concat expects at least 1 arguments."));
    }
    if args.arg_fields.iter().any(|field| is_list(field.data_type())) {
        return concat_lists_field(args);
    }
    let bytes = args.arg_fields.iter().all(|field| is_binary(field.data_type()));
    Ok(field(if bytes { DataType::Binary } else { DataType::Utf8 }))
}

/// Lists can be joined with lists only; the items get a common type.
fn concat_lists_field(args: &ReturnFieldArgs) -> Result<FieldRef> {
    let known = args.arg_fields.iter().map(|field| field.data_type()).filter(|data_type| !data_type.is_null());
    match common_type(known.clone()) {
        Some(list @ DataType::List(_)) if known.clone().all(is_list) => Ok(field(list)),
        _ => Err(invalid("concat can join lists only with lists of the same item type.")),
    }
}

fn reverse_field(args: &ReturnFieldArgs) -> Result<FieldRef> {
    let from = args.arg_fields[0].data_type();
    Ok(field(if is_list(from) { from.clone() } else { DataType::Utf8 }))
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
    let mut reversed = ListRows::default();
    for row in 0..lists.len() {
        match lists.is_valid(row) {
            true => reversed.push(item_range(lists, row).rev()),
            false => reversed.push_null(),
        }
    }
    reversed.finish(field.data_type(), lists.values())
}

/// The items of all lists of a row; null if any list is null.
fn concat_lists(columns: &[ArrayRef], to: &DataType) -> Result<ArrayRef> {
    let lists: Vec<&ListArray> = columns.iter().map(|column| column.as_list::<i32>()).collect();
    let (mut items, mut lengths, mut valid) = (Vec::new(), Vec::new(), Vec::new());
    for row in 0..columns[0].len() {
        let before = items.len();
        valid.push(lists.iter().all(|list| list.is_valid(row)));
        for (column, list) in lists.iter().enumerate().filter(|_| valid[row]) {
            items.extend(item_range(list, row).map(|item| (column, item as usize)));
        }
        lengths.push(items.len() - before);
    }
    let columns: Vec<&dyn Array> = lists.iter().map(|list| list.values().as_ref()).collect();
    let items = interleave(&columns, &items)?;
    list_array(to, OffsetBuffer::from_lengths(lengths), items, Some(NullBuffer::from(valid)))
}

fn lengths(array: &ArrayRef, length: fn(&str) -> usize) -> Result<ArrayRef> {
    let lengths: Int32Array = if is_bytes(array.data_type()) && !is_number(array.data_type()) {
        bytes_of(array)?.into_iter().map(|bytes| Some(bytes?.len() as i32)).collect()
    } else {
        let texts = cast::to_type(array, &DataType::Utf8)?;
        texts.as_string::<i32>().iter().map(|text| Some(length(text?) as i32)).collect()
    };
    Ok(Arc::new(lengths))
}

/// The offset and the length of a part of a text, from a position that is counted from 1, or from the end below zero.
fn range(all: usize, start: i64, length: i64) -> (usize, usize) {
    let all = all as i64;
    let from = match start {
        0 => 0,
        start if start > 0 => start - 1,
        start => all.saturating_add(start),
    };
    if from < 0 || from >= all || length <= 0 {
        return (0, 0);
    }
    (from as usize, length.min(all - from) as usize)
}

fn substring(arrays: &[ArrayRef], field: &FieldRef) -> Result<ArrayRef> {
    let long = |at: usize| arrays.get(at).map(|array| cast::to_type(array, &DataType::Int64)).transpose();
    let (starts, counts) = (long(1)?, long(2)?);
    let arguments = |row: usize| {
        let value = |array: &ArrayRef| array.is_valid(row).then(|| array.as_primitive::<Int64Type>().value(row));
        Some((value(starts.as_ref()?)?, counts.as_ref().map_or(Some(i64::MAX), value)?))
    };
    let values = cast::to_type(&arrays[0], field.data_type())?;
    if *field.data_type() == DataType::Binary {
        let bytes = values.as_binary::<i32>().iter().enumerate().map(|(row, bytes)| {
            let (bytes, (start, count)) = (bytes?, arguments(row)?);
            let (from, take) = range(bytes.len(), start, count);
            Some(&bytes[from..from + take])
        });
        return Ok(Arc::new(bytes.collect::<BinaryArray>()));
    }
    let texts = values.as_string::<i32>().iter().enumerate().map(|(row, text)| {
        let (text, (start, count)) = (text?, arguments(row)?);
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

/// Null if any value is null.
fn concat(arrays: &[ArrayRef], field: &FieldRef) -> Result<ArrayRef> {
    let columns = arrays.iter().map(|array| cast::to_type(array, field.data_type())).collect::<Result<Vec<_>>>()?;
    if is_list(field.data_type()) {
        return concat_lists(&columns, field.data_type());
    }
    let rows = columns[0].len();
    if *field.data_type() == DataType::Binary {
        let bytes = |row: usize| {
            let parts = columns.iter().map(|column| column.is_valid(row).then(|| column.as_binary::<i32>().value(row)));
            check_length(parts.collect::<Option<Vec<_>>>().map(|parts| parts.concat()), Vec::len)
        };
        return Ok(Arc::new((0..rows).map(bytes).collect::<Result<BinaryArray>>()?));
    }
    let texts = |row: usize| {
        let parts = columns.iter().map(|column| column.is_valid(row).then(|| column.as_string::<i32>().value(row)));
        check_length(parts.collect::<Option<String>>(), String::len)
    };
    Ok(Arc::new((0..rows).map(texts).collect::<Result<StringArray>>()?))
}

/// An error for a value that is too long.
fn check_length<T>(value: Option<T>, length: fn(&T) -> usize) -> Result<Option<T>> {
    match value.as_ref().map(length) {
        Some(length) if length > MAX_TEXT => {
            let message = format!("A string would be larger than {} MB.", MAX_TEXT >> 20);
            Err(refuse(ErrorCode::InvalidQuery, message))
        }
        _ => Ok(value),
    }
}

#[cfg(test)]
mod tests {
    use super::range;

    #[test]
    fn positions_are_counted_from_one_or_from_the_end() {
        assert_eq!([range(5, 2, 3), range(5, -2, 9), range(5, 0, 2), range(5, 6, 1)], [(1, 3), (3, 2), (0, 2), (0, 0)]);
        assert_eq!([range(5, -6, 1), range(5, 1, 0), range(5, i64::MIN, i64::MAX)], [(0, 0); 3]);
    }
}
