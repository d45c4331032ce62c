//! Functions that combine values of several columns: arrays, maps, the greatest of several; and arrays of structs by their fields.

use std::cmp::Ordering;

use arrow::array::{Int32Array, UInt64Array, make_comparator, new_empty_array};
use arrow::buffer::OffsetBuffer;
use arrow::compute::{SortOptions, interleave, take};
use arrow::datatypes::Fields;

use super::cast;
use super::common_type::common_type;
use crate::lists::build::{list_array, list_field, list_item, struct_fields};
use crate::maps::{map_array, map_entry, map_field};
use crate::prelude::*;

pub(super) fn functions() -> Vec<ScalarUDF> {
    let extreme = |name: &'static str, order| {
        scalar_udf(name, 2..=MANY, extreme_field, move |arrays, to| extreme(arrays, to, order))
    };
    vec![
        scalar_udf("hive_array", 0..=MANY, array_field, make_array),
        scalar_udf("hive_map", 0..=MANY, make_map_field, make_map),
        extreme("hive_greatest", Ordering::Greater),
        extreme("hive_least", Ordering::Less),
        scalar_udf("sort_array_by", 2..=64, sort_field, sort_by),
        scalar_udf("hive_list_field", 2..=2, pluck_field, pluck),
    ]
}

/// The common type of arguments; an error for 256-bit numbers beside other values.
pub(super) fn common_type_of<'a>(fields: impl Iterator<Item = &'a FieldRef> + Clone) -> Result<Option<DataType>> {
    let known = fields.map(|field| field.data_type()).filter(|data_type| !data_type.is_null());
    if known.clone().any(is_number) && !known.clone().all(is_number) {
        return Err(invalid("A uint256 can be combined only with other uint256 values; cast it or the others."));
    }
    Ok(common_type(known))
}

fn extreme_field(args: &ReturnFieldArgs) -> Result<FieldRef> {
    if args.arg_fields.len() < 2 {
        return Err(invalid("greatest and least take at least two values."));
    }
    Ok(Arc::new(Field::new("value", common_type_of(args.arg_fields.iter())?.unwrap_or(DataType::Null), true)))
}

fn array_field(args: &ReturnFieldArgs) -> Result<FieldRef> {
    let item = common_type_of(args.arg_fields.iter())?.unwrap_or(DataType::Utf8);
    Ok(list_field("array", item))
}

/// The values of the columns, row by row.
fn interleave_rows(arrays: &[ArrayRef], item: &DataType) -> Result<(ArrayRef, usize)> {
    let rows = arrays.first().map_or(1, |array| array.len());
    let columns = arrays.iter().map(|array| cast::to_type(array, item)).collect::<Result<Vec<_>>>()?;
    if columns.is_empty() || rows == 0 {
        return Ok((new_empty_array(item), rows));
    }
    let places: Vec<(usize, usize)> =
        (0..rows).flat_map(|row| (0..columns.len()).map(move |column| (column, row))).collect();
    let columns: Vec<&dyn Array> = columns.iter().map(AsRef::as_ref).collect();
    Ok((interleave(&columns, &places)?, rows))
}

fn make_array(arrays: &[ArrayRef], to: &FieldRef) -> Result<ArrayRef> {
    let (items, rows) = interleave_rows(arrays, list_item(to.data_type())?.data_type())?;
    list_array(to.data_type(), OffsetBuffer::from_repeated_length(arrays.len(), rows), items, None)
}

fn make_map_field(args: &ReturnFieldArgs) -> Result<FieldRef> {
    let fields = args.arg_fields;
    if !fields.len().is_multiple_of(2) {
        return Err(invalid("map expects pairs of a key and a value."));
    }
    let every = |from: usize| common_type_of(fields.iter().skip(from).step_by(2));
    let key = every(0)?.unwrap_or(DataType::Utf8);
    let value = every(1)?.unwrap_or(DataType::Utf8);
    Ok(map_field(&key, &value))
}

/// Of equal keys the last value counts; null keys are dropped.
fn make_map(arrays: &[ArrayRef], to: &FieldRef) -> Result<ArrayRef> {
    let (key, value) = map_entry(to.data_type()).ok_or_else(|| invalid("A map must have entries."))?;
    let every = |from: usize| arrays.iter().skip(from).step_by(2).cloned().collect::<Vec<_>>();
    let (keys, rows) = interleave_rows(&every(0), key.data_type())?;
    let (values, _) = interleave_rows(&every(1), value.data_type())?;
    let same = make_comparator(&keys, &keys, SortOptions::default())?;
    let width = arrays.len() / 2;
    let (mut key_places, mut value_places, mut lengths) = (Vec::new(), Vec::new(), Vec::with_capacity(rows));
    for row in 0..rows {
        let start = key_places.len();
        for place in (row * width..(row + 1) * width).filter(|place| keys.is_valid(*place)) {
            match key_places[start..].iter().position(|known: &u64| same(*known as usize, place).is_eq()) {
                Some(known) => value_places[start + known] = place as u64,
                None => {
                    key_places.push(place as u64);
                    value_places.push(place as u64);
                }
            }
        }
        lengths.push(key_places.len() - start);
    }
    let keys = take(&keys, &UInt64Array::from(key_places), None)?;
    let values = take(&values, &UInt64Array::from(value_places), None)?;
    map_array(to.data_type(), OffsetBuffer::from_lengths(lengths), keys, values, None)
}

/// The greatest or least value of each row; null when one is null.
fn extreme(arrays: &[ArrayRef], field: &FieldRef, order: Ordering) -> Result<ArrayRef> {
    let columns = arrays.iter().map(|array| cast::to_type(array, field.data_type())).collect::<Result<Vec<_>>>()?;
    if field.data_type().is_null() {
        return Ok(Arc::clone(&columns[0]));
    }
    let rows = columns[0].len();
    let mut best: Vec<usize> = vec![0; rows];
    for candidate in 1..columns.len() {
        let compare: Vec<_> = (0..candidate)
            .map(|column| make_comparator(&columns[candidate], &columns[column], SortOptions::default()))
            .collect::<Result<_, _>>()?;
        for (row, column) in best.iter_mut().enumerate() {
            if columns[candidate].is_valid(row) && columns[*column].is_valid(row) && compare[*column](row, row) == order
            {
                *column = candidate;
            }
        }
    }
    // A row with a null points at that null.
    for (row, column) in best.iter_mut().enumerate() {
        *column = columns.iter().position(|column| column.is_null(row)).unwrap_or(*column);
    }
    let places: Vec<(usize, usize)> = best.into_iter().enumerate().map(|(row, column)| (column, row)).collect();
    let columns: Vec<&dyn Array> = columns.iter().map(AsRef::as_ref).collect();
    Ok(interleave(&columns, &places)?)
}

fn sort_field(args: &ReturnFieldArgs) -> Result<FieldRef> {
    structs_of(&args.arg_fields[0])?;
    Ok(Arc::clone(&args.arg_fields[0]))
}

/// The fields of an array of structs.
fn structs_of(field: &Field) -> Result<&Fields> {
    let fields = list_item(field.data_type()).ok().and_then(|item| struct_fields(item.data_type()));
    fields.ok_or_else(|| invalid("Expected an array of structs here."))
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
        return Err(invalid("sort_array_by expects the names of the fields to sort by."));
    }
    let mut places: Vec<i32> = (0..items.len() as i32).collect();
    for (start, end) in lists.offsets().iter().zip(lists.offsets().iter().skip(1)) {
        places[*start as usize..*end as usize].sort_by(|a, b| {
            let orders = keys.iter().map(|compare| compare(*a as usize, *b as usize));
            orders.fold(Ordering::Equal, Ordering::then)
        });
    }
    let sorted = take(lists.values(), &Int32Array::from(places), None)?;
    list_array(field.data_type(), lists.offsets().clone(), sorted, lists.nulls().cloned())
}

/// `array.field`: the field of every struct of the array.
fn pluck_field(args: &ReturnFieldArgs) -> Result<FieldRef> {
    let fields = structs_of(&args.arg_fields[0])?;
    let Some(Some(ScalarValue::Utf8(Some(name)))) = args.scalar_arguments.get(1) else {
        return Err(invalid("A field of a struct must be given by its name."));
    };
    let field = fields.iter().find(|field| field.name().eq_ignore_ascii_case(name));
    let field = field.ok_or_else(|| invalid(format!("The structs have no field {name}.")))?;
    Ok(list_field(field.name(), field.data_type().clone()))
}

fn pluck(arrays: &[ArrayRef], field: &FieldRef) -> Result<ArrayRef> {
    let lists = arrays[0].as_list::<i32>();
    let items = lists.values().as_struct();
    let column = items.column_by_name(field.name()).ok_or_else(|| invalid("The structs have no such field."))?;
    list_array(field.data_type(), lists.offsets().clone(), Arc::clone(column), lists.nulls().cloned())
}
