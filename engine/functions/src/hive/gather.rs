//! Functions that put values of different types side by side: arrays, maps, the greatest of several.

use std::cmp::Ordering;
use std::sync::Arc;

use arrow::array::{
    Array, ArrayRef, AsArray, Int32Array, ListArray, MapArray, StructArray, UInt64Array, make_comparator,
};
use arrow::buffer::OffsetBuffer;
use arrow::compute::{SortOptions, interleave, take};
use arrow::datatypes::{DataType, Field, FieldRef, Fields};
use datafusion::common::{Result, ScalarValue};
use datafusion::logical_expr::{ReturnFieldArgs, ScalarUDF};

use super::cast;
use super::common::common;
use crate::simple::{MANY, Simple};
use quarry_types::invalid;
use quarry_types::uint256::is_number;

pub(super) fn functions() -> Vec<ScalarUDF> {
    vec![
        Simple::udf("hive_array", 0..=MANY, None, array_of, make_array),
        Simple::udf("hive_map", 0..=MANY, None, map_of, make_map),
        Simple::udf("hive_greatest", 2..=MANY, None, value_of, |arrays, field| {
            extreme(arrays, field, Ordering::Greater)
        }),
        Simple::udf("hive_least", 2..=MANY, None, value_of, |arrays, field| extreme(arrays, field, Ordering::Less)),
        Simple::udf("sort_array_by", 2..=64, None, same, sort_by),
        Simple::udf("hive_list_field", 2..=2, None, field_of_items, pick),
    ]
}

/// The type that values of a call have in common; an error for numbers of 256 bits beside something else.
pub(super) fn unified<'a>(fields: impl Iterator<Item = &'a FieldRef> + Clone) -> Result<Option<DataType>> {
    let known = fields.map(|field| field.data_type()).filter(|data_type| !data_type.is_null());
    if known.clone().any(is_number) && !known.clone().all(is_number) {
        return Err(invalid("A uint256 stands beside other uint256 only; cast it or the others."));
    }
    Ok(common(known))
}

fn value_of(args: &ReturnFieldArgs) -> Result<FieldRef> {
    if args.arg_fields.len() < 2 {
        return Err(invalid("greatest and least take at least two values."));
    }
    Ok(Arc::new(Field::new("value", unified(args.arg_fields.iter())?.unwrap_or(DataType::Null), true)))
}

fn array_of(args: &ReturnFieldArgs) -> Result<FieldRef> {
    let item = unified(args.arg_fields.iter())?.unwrap_or(DataType::Utf8);
    Ok(Arc::new(Field::new("array", DataType::List(Arc::new(Field::new_list_field(item, true))), true)))
}

/// The values of the columns row after row: those of the first row, then those of the second.
fn by_rows(arrays: &[ArrayRef], item: &DataType) -> Result<(ArrayRef, usize)> {
    let rows = arrays.first().map_or(1, |array| array.len());
    let columns = arrays.iter().map(|array| cast::to_type(array, item)).collect::<Result<Vec<_>>>()?;
    if columns.is_empty() || rows == 0 {
        return Ok((arrow::array::new_empty_array(item), rows));
    }
    let places: Vec<(usize, usize)> =
        (0..rows).flat_map(|row| (0..columns.len()).map(move |column| (column, row))).collect();
    let columns: Vec<&dyn Array> = columns.iter().map(AsRef::as_ref).collect();
    Ok((interleave(&columns, &places)?, rows))
}

fn make_array(arrays: &[ArrayRef], field: &FieldRef) -> Result<ArrayRef> {
    let DataType::List(item) = field.data_type() else { return Err(invalid("An array is a list.")) };
    let (values, rows) = by_rows(arrays, item.data_type())?;
    let offsets = OffsetBuffer::from_repeated_length(arrays.len(), rows);
    Ok(Arc::new(ListArray::try_new(Arc::clone(item), offsets, values, None)?))
}

fn map_of(args: &ReturnFieldArgs) -> Result<FieldRef> {
    let fields = args.arg_fields;
    if !fields.len().is_multiple_of(2) {
        return Err(invalid("map takes a key and a value, and so on."));
    }
    let every = |from: usize| unified(fields.iter().skip(from).step_by(2));
    let key = every(0)?.unwrap_or(DataType::Utf8);
    let value = every(1)?.unwrap_or(DataType::Utf8);
    let entry = [Field::new("key", key, false), Field::new("value", value, true)];
    let entries = Field::new("entries", DataType::Struct(Fields::from(entry.to_vec())), false);
    Ok(Arc::new(Field::new("map", DataType::Map(Arc::new(entries), false), true)))
}

/// A key that comes again gets the later value; one that is null is left out.
fn make_map(arrays: &[ArrayRef], field: &FieldRef) -> Result<ArrayRef> {
    let DataType::Map(entries, _) = field.data_type() else { return Err(invalid("A map is a map.")) };
    let DataType::Struct(entry) = entries.data_type() else { return Err(invalid("A map has entries.")) };
    let every = |from: usize| arrays.iter().skip(from).step_by(2).cloned().collect::<Vec<_>>();
    let (keys, rows) = by_rows(&every(0), entry[0].data_type())?;
    let (values, _) = by_rows(&every(1), entry[1].data_type())?;
    let same = make_comparator(&keys, &keys, SortOptions::default())?;
    let width = arrays.len() / 2;
    let (mut key_places, mut value_places, mut lengths) = (Vec::new(), Vec::new(), Vec::with_capacity(rows));
    for row in 0..rows {
        let start = key_places.len();
        for place in (row * width..(row + 1) * width).filter(|place| keys.is_valid(*place)) {
            match key_places[start..].iter().position(|held: &u64| same(*held as usize, place).is_eq()) {
                Some(held) => value_places[start + held] = place as u64,
                None => {
                    key_places.push(place as u64);
                    value_places.push(place as u64);
                }
            }
        }
        lengths.push(key_places.len() - start);
    }
    let columns = vec![
        take(&keys, &UInt64Array::from(key_places), None)?,
        take(&values, &UInt64Array::from(value_places), None)?,
    ];
    let structs = StructArray::try_new(entry.clone(), columns, None)?;
    Ok(Arc::new(MapArray::try_new(Arc::clone(entries), OffsetBuffer::from_lengths(lengths), structs, None, false)?))
}

/// The greatest or least value of each row; null when one is null.
fn extreme(arrays: &[ArrayRef], field: &FieldRef, wanted: Ordering) -> Result<ArrayRef> {
    let columns = arrays.iter().map(|array| cast::to_type(array, field.data_type())).collect::<Result<Vec<_>>>()?;
    if field.data_type().is_null() {
        return Ok(Arc::clone(&columns[0]));
    }
    let rows = columns[0].len();
    let mut best: Vec<usize> = vec![0; rows];
    for candidate in 1..columns.len() {
        let compare: Vec<_> = (0..candidate)
            .map(|held| make_comparator(&columns[candidate], &columns[held], SortOptions::default()))
            .collect::<Result<_, _>>()?;
        for (row, held) in best.iter_mut().enumerate() {
            if columns[candidate].is_valid(row) && columns[*held].is_valid(row) && compare[*held](row, row) == wanted {
                *held = candidate;
            }
        }
    }
    // A row with a null points at that null.
    for (row, held) in best.iter_mut().enumerate() {
        *held = columns.iter().position(|column| column.is_null(row)).unwrap_or(*held);
    }
    let places: Vec<(usize, usize)> = best.into_iter().enumerate().map(|(row, column)| (column, row)).collect();
    let columns: Vec<&dyn Array> = columns.iter().map(AsRef::as_ref).collect();
    Ok(interleave(&columns, &places)?)
}

fn same(args: &ReturnFieldArgs) -> Result<FieldRef> {
    structs_of(&args.arg_fields[0])?;
    Ok(Arc::clone(&args.arg_fields[0]))
}

/// The fields of an array of structs.
fn structs_of(field: &Field) -> Result<&Fields> {
    match field.data_type() {
        DataType::List(item) => match item.data_type() {
            DataType::Struct(fields) => Ok(fields),
            _ => Err(invalid("An array of structs is needed here.")),
        },
        _ => Err(invalid("An array of structs is needed here.")),
    }
}

/// `sort_array_by(array of structs, 'field', …, 'asc' or 'desc')`.
fn sort_by(arrays: &[ArrayRef], field: &FieldRef) -> Result<ArrayRef> {
    let fields = structs_of(field)?;
    let mut words: Vec<String> = Vec::new();
    for array in &arrays[1..] {
        let texts = cast::to_type(array, &DataType::Utf8)?;
        let texts = texts.as_string::<i32>();
        words.extend((!texts.is_empty() && texts.is_valid(0)).then(|| texts.value(0).to_lowercase()));
    }
    let order = words.pop_if(|word| ["asc", "desc"].contains(&word.as_str()));
    let options =
        SortOptions { descending: order.as_deref() == Some("desc"), nulls_first: order.as_deref() != Some("desc") };
    let lists = arrays[0].as_list::<i32>();
    let items = lists.values().as_struct();
    let mut keys = Vec::new();
    for word in &words {
        let at = fields.iter().position(|field| field.name().eq_ignore_ascii_case(word));
        let at = at.ok_or_else(|| invalid(format!("The structs have no field {word}.")))?;
        keys.push(make_comparator(items.column(at), items.column(at), options)?);
    }
    if keys.is_empty() {
        return Err(invalid("sort_array_by takes the names of the fields to sort by."));
    }
    let mut places: Vec<i32> = (0..items.len() as i32).collect();
    for (start, end) in lists.offsets().iter().zip(lists.offsets().iter().skip(1)) {
        places[*start as usize..*end as usize].sort_by(|a, b| {
            let orders = keys.iter().map(|compare| compare(*a as usize, *b as usize));
            orders.fold(Ordering::Equal, Ordering::then)
        });
    }
    let sorted = take(lists.values(), &Int32Array::from(places), None)?;
    let DataType::List(item) = field.data_type() else { return Err(invalid("An array is a list.")) };
    Ok(Arc::new(ListArray::try_new(Arc::clone(item), lists.offsets().clone(), sorted, lists.nulls().cloned())?))
}

/// `array.field`: the field of every struct of the array.
fn field_of_items(args: &ReturnFieldArgs) -> Result<FieldRef> {
    let fields = structs_of(&args.arg_fields[0])?;
    let Some(Some(ScalarValue::Utf8(Some(name)))) = args.scalar_arguments.get(1) else {
        return Err(invalid("A field of a struct is named by a word."));
    };
    let field = fields.iter().find(|field| field.name().eq_ignore_ascii_case(name));
    let field = field.ok_or_else(|| invalid(format!("The structs have no field {name}.")))?;
    let item = Field::new_list_field(field.data_type().clone(), true);
    Ok(Arc::new(Field::new(field.name(), DataType::List(Arc::new(item)), true)))
}

fn pick(arrays: &[ArrayRef], field: &FieldRef) -> Result<ArrayRef> {
    let lists = arrays[0].as_list::<i32>();
    let items = lists.values().as_struct();
    let column = items.column_by_name(field.name()).ok_or_else(|| invalid("The structs have no such field."))?;
    let DataType::List(item) = field.data_type() else { return Err(invalid("An array is a list.")) };
    let offsets = lists.offsets().clone();
    Ok(Arc::new(ListArray::try_new(Arc::clone(item), offsets, Arc::clone(column), lists.nulls().cloned())?))
}
