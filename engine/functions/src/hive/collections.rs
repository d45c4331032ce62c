//! Items of arrays and maps, and functions whose answer has the type of an argument.

use arrow::array::{Int32Array, make_comparator};
use arrow::compute::kernels::{cmp, numeric, zip};
use arrow::compute::{SortOptions, take};

use super::intervals::is_interval;
use super::{cast, types};
use crate::lists::build::list_array;
use crate::maps::map_entry;
use crate::prelude::*;

pub(super) fn functions() -> Vec<ScalarUDF> {
    vec![
        index_udf().as_ref().clone(),
        scalar_udf("hive_concat_lists", 2..=64, returns(DataType::Utf8), |arrays, _| concat_ws(arrays)),
        scalar_udf("hive_abs", 1..=1, number_field, |arrays, field| signed(arrays, field, true)),
        scalar_udf("hive_negative", 1..=1, number_field, |arrays, field| signed(arrays, field, false)),
        scalar_udf("hive_hex", 1..=1, returns(DataType::Utf8), |arrays, _| hex(&arrays[0])),
        scalar_udf("typeof", 1..=1, returns(DataType::Utf8), |arrays, _| {
            let name = types::name(arrays[0].data_type());
            Ok(Arc::new(StringArray::from(vec![name; arrays[0].len()])))
        }),
    ]
}

/// `array[i]` and `map[k]`; null where there is no such item.
pub fn index(collection: Expr, key: Expr) -> Expr {
    index_udf().call(vec![collection, key])
}

fn index_udf() -> Arc<ScalarUDF> {
    shared!(scalar_udf("hive_index", 2..=2, item_field, |arrays, _| items(arrays)))
}

fn item_field(args: &ReturnFieldArgs) -> Result<FieldRef> {
    match args.arg_fields[0].data_type() {
        DataType::List(item) => Ok(Arc::new(item.as_ref().clone().with_nullable(true))),
        map => match map_entry(map) {
            Some((_, value)) => Ok(Arc::new(value.as_ref().clone().with_nullable(true))),
            None => Err(invalid("[…] expects an array or a map.")),
        },
    }
}

fn items(arrays: &[ArrayRef]) -> Result<ArrayRef> {
    let rows = arrays[0].len();
    let (values, places): (&ArrayRef, Vec<Option<i32>>) = match arrays[0].data_type() {
        DataType::Map(..) => {
            let maps = arrays[0].as_map();
            let key = cast::to_type(&arrays[1], maps.keys().data_type())?;
            let compare = make_comparator(maps.keys(), &key, SortOptions::default())?;
            let offsets = maps.offsets();
            let find = |row: usize| {
                let mut places = offsets[row]..offsets[row + 1];
                let is_valid = maps.is_valid(row) && key.is_valid(row);
                if is_valid { places.find(|at| compare(*at as usize, row).is_eq()) } else { None }
            };
            (maps.values(), (0..rows).map(find).collect())
        }
        _ => {
            let lists = arrays[0].as_list::<i32>();
            let index = cast::to_type(&arrays[1], &DataType::Int64)?;
            let index = index.as_primitive::<Int64Type>();
            let offsets = lists.offsets();
            let find = |row: usize| {
                let is_valid = lists.is_valid(row) && index.is_valid(row);
                let at = if is_valid { i32::try_from(index.value(row)).ok()? } else { return None };
                let place = offsets[row].checked_add(at)?;
                (at >= 0 && place < offsets[row + 1]).then_some(place)
            };
            (lists.values(), (0..rows).map(find).collect())
        }
    };
    Ok(take(values, &Int32Array::from(places), None)?)
}

/// `concat_ws(separator, text or array, …)`.
fn concat_ws(arrays: &[ArrayRef]) -> Result<ArrayRef> {
    let between = cast::to_type(&arrays[0], &DataType::Utf8)?;
    let texts = arrays[1..].iter().map(|array| match array.as_list_opt::<i32>() {
        Some(lists) => {
            let texts = cast::to_type(lists.values(), &DataType::Utf8)?;
            let to = DataType::new_list(DataType::Utf8, true);
            list_array(&to, lists.offsets().clone(), texts, lists.nulls().cloned())
        }
        None => cast::to_type(array, &DataType::Utf8),
    });
    let parts = texts.collect::<Result<Vec<ArrayRef>>>()?;
    let between = between.as_string::<i32>();
    let joined = |row: usize| {
        let mut texts: Vec<String> = Vec::new();
        for part in parts.iter().filter(|part| part.is_valid(row)) {
            match part.data_type() {
                DataType::List(_) => {
                    let list = part.as_list::<i32>().value(row);
                    texts.extend(list.as_string::<i32>().iter().flatten().map(str::to_string));
                }
                _ => texts.push(part.as_string::<i32>().value(row).to_string()),
            }
        }
        between.is_valid(row).then(|| texts.join(between.value(row)))
    };
    Ok(Arc::new((0..between.len()).map(joined).collect::<StringArray>()))
}

/// Numbers keep their type, texts become doubles.
fn number_field(args: &ReturnFieldArgs) -> Result<FieldRef> {
    let data_type = args.arg_fields[0].data_type();
    let data_type = match data_type {
        DataType::Int8 | DataType::Int16 => DataType::Int32,
        number if number.is_numeric() || is_interval(number) => number.clone(),
        _ => DataType::Float64,
    };
    Ok(Arc::new(Field::new("value", data_type, true)))
}

fn signed(arrays: &[ArrayRef], field: &FieldRef, absolute: bool) -> Result<ArrayRef> {
    let numbers = cast::to_type(&arrays[0], field.data_type())?;
    let negative = numeric::neg_wrapping(&numbers)?;
    if !absolute {
        return Ok(negative);
    }
    let zeros: ArrayRef = Arc::new(Int32Array::from(vec![0; numbers.len()]));
    let zeros = cast::to_type(&zeros, field.data_type())?;
    let below = cmp::lt(&numbers, &zeros)?;
    Ok(zip::zip(&below, &negative, &numbers)?)
}

/// Numbers in base 16, texts and bytes byte by byte.
fn hex(array: &ArrayRef) -> Result<ArrayRef> {
    if array.data_type().is_integer() {
        let longs = cast::to_type(array, &DataType::Int64)?;
        let texts = longs.as_primitive::<Int64Type>().iter().map(|value| value.map(|value| format!("{value:X}")));
        return Ok(Arc::new(texts.collect::<StringArray>()));
    }
    let bytes = match is_bytes(array.data_type()) {
        true => cast(array, &DataType::Binary)?,
        false => cast(&cast::to_type(array, &DataType::Utf8)?, &DataType::Binary)?,
    };
    let texts = bytes.as_binary::<i32>().iter().map(|bytes| bytes.map(::hex::encode_upper));
    Ok(Arc::new(texts.collect::<StringArray>()))
}
