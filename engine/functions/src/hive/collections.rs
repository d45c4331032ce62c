//! Parts of arrays and maps, and functions whose answer has the type of an argument.

use std::sync::Arc;

use arrow::array::{Array, ArrayRef, AsArray, Int32Array, StringArray, make_comparator};
use arrow::compute::{SortOptions, take};
use arrow::datatypes::{DataType, Field, FieldRef, Int64Type};
use datafusion::common::Result;
use datafusion::logical_expr::{Expr, ReturnFieldArgs, ScalarUDF};

use super::intervals::is_interval;
use super::{cast, types};
use crate::simple::Simple;
use quarry_types::invalid;

pub(super) fn functions() -> Vec<ScalarUDF> {
    vec![
        index_udf(),
        Simple::udf("hive_concat_lists", 2..=64, None, |_| Ok(field(DataType::Utf8)), concat_ws),
        Simple::udf("hive_abs", 1..=1, None, same_number, |arrays, field| signed(arrays, field, true)),
        Simple::udf("hive_negative", 1..=1, None, same_number, |arrays, field| signed(arrays, field, false)),
        Simple::udf("hive_hex", 1..=1, None, |_| Ok(field(DataType::Utf8)), |arrays, _| hex(&arrays[0])),
        Simple::udf(
            "typeof",
            1..=1,
            None,
            |_| Ok(field(DataType::Utf8)),
            |arrays, _| {
                let name = types::name(arrays[0].data_type());
                Ok(Arc::new(StringArray::from(vec![name; arrays[0].len()])))
            },
        ),
    ]
}

/// `array[i]` and `map[k]`: null where there is no such part.
pub fn index(collection: Expr, key: Expr) -> Expr {
    index_udf().call(vec![collection, key])
}

fn field(data_type: DataType) -> FieldRef {
    Arc::new(Field::new("value", data_type, true))
}

fn index_udf() -> ScalarUDF {
    let returns = |args: &ReturnFieldArgs| match args.arg_fields[0].data_type() {
        DataType::List(item) => Ok(Arc::new(item.as_ref().clone().with_nullable(true))),
        DataType::Map(entries, _) => match entries.data_type() {
            DataType::Struct(fields) if fields.len() == 2 => {
                Ok(Arc::new(fields[1].as_ref().clone().with_nullable(true)))
            }
            _ => Err(invalid("a map without keys and values")),
        },
        _ => Err(invalid("[…] takes a part of an array or of a map.")),
    };
    Simple::udf("hive_index", 2..=2, None, returns, |arrays, _| {
        let rows = arrays[0].len();
        let (values, places): (&ArrayRef, Vec<Option<i32>>) = match arrays[0].data_type() {
            DataType::Map(..) => {
                let maps = arrays[0].as_map();
                let wanted = cast::to_type(&arrays[1], maps.keys().data_type())?;
                let compare = make_comparator(maps.keys(), &wanted, SortOptions::default())?;
                let offsets = maps.offsets();
                let find = |row: usize| {
                    let mut places = offsets[row]..offsets[row + 1];
                    let there = maps.is_valid(row) && wanted.is_valid(row);
                    if there { places.find(|at| compare(*at as usize, row).is_eq()) } else { None }
                };
                (maps.values(), (0..rows).map(find).collect())
            }
            _ => {
                let lists = arrays[0].as_list::<i32>();
                let wanted = cast::to_type(&arrays[1], &DataType::Int64)?;
                let wanted = wanted.as_primitive::<Int64Type>();
                let offsets = lists.offsets();
                let find = |row: usize| {
                    let there = lists.is_valid(row) && wanted.is_valid(row);
                    let at = if there { i32::try_from(wanted.value(row)).ok()? } else { return None };
                    let place = offsets[row].checked_add(at)?;
                    (at >= 0 && place < offsets[row + 1]).then_some(place)
                };
                (lists.values(), (0..rows).map(find).collect())
            }
        };
        Ok(take(values, &Int32Array::from(places), None)?)
    })
}

/// `concat_ws(separator, text or array, …)`.
fn concat_ws(arrays: &[ArrayRef], _: &FieldRef) -> Result<ArrayRef> {
    let between = cast::to_type(&arrays[0], &DataType::Utf8)?;
    let mut parts: Vec<ArrayRef> = Vec::new();
    for array in &arrays[1..] {
        parts.push(match array.data_type() {
            DataType::List(item) => {
                let lists = array.as_list::<i32>();
                let texts = cast::to_type(lists.values(), &DataType::Utf8)?;
                let item = Arc::new(item.as_ref().clone().with_data_type(DataType::Utf8));
                Arc::new(arrow::array::ListArray::try_new(
                    item,
                    lists.offsets().clone(),
                    texts,
                    lists.nulls().cloned(),
                )?)
            }
            _ => cast::to_type(array, &DataType::Utf8)?,
        });
    }
    let between = between.as_string::<i32>();
    let row_of = |row: usize| {
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
    Ok(Arc::new((0..between.len()).map(row_of).collect::<StringArray>()))
}

/// Numbers keep their type, texts become doubles.
fn same_number(args: &ReturnFieldArgs) -> Result<FieldRef> {
    let data_type = args.arg_fields[0].data_type();
    Ok(field(match data_type {
        DataType::Int8 | DataType::Int16 => DataType::Int32,
        number if number.is_numeric() || is_interval(number) => number.clone(),
        _ => DataType::Float64,
    }))
}

fn signed(arrays: &[ArrayRef], field: &FieldRef, absolute: bool) -> Result<ArrayRef> {
    let numbers = cast::to_type(&arrays[0], field.data_type())?;
    let negative = arrow::compute::kernels::numeric::neg_wrapping(&numbers)?;
    if !absolute {
        return Ok(negative);
    }
    let zeros = cast::to_type(&(Arc::new(Int32Array::from(vec![0; numbers.len()])) as ArrayRef), field.data_type())?;
    let below = arrow::compute::kernels::cmp::lt(&numbers, &zeros)?;
    Ok(arrow::compute::kernels::zip::zip(&below, &negative, &numbers)?)
}

/// Numbers in base 16, texts and bytes byte by byte.
fn hex(array: &ArrayRef) -> Result<ArrayRef> {
    if array.data_type().is_integer() {
        let longs = cast::to_type(array, &DataType::Int64)?;
        let texts = longs.as_primitive::<Int64Type>().iter().map(|value| value.map(|value| format!("{value:X}")));
        return Ok(Arc::new(texts.collect::<StringArray>()));
    }
    let bytes = match array.data_type() {
        DataType::Binary | DataType::LargeBinary | DataType::BinaryView | DataType::FixedSizeBinary(_) => {
            arrow::compute::cast(array, &DataType::Binary)?
        }
        _ => arrow::compute::cast(&cast::to_type(array, &DataType::Utf8)?, &DataType::Binary)?,
    };
    let texts = bytes.as_binary::<i32>().iter().map(|bytes| bytes.map(::hex::encode_upper));
    Ok(Arc::new(texts.collect::<StringArray>()))
}
