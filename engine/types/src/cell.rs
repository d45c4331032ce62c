//! One cell of a column as exact JSON, for pages of results and text formats.

use alloy_primitives::U256;
use arrow::array::{Array, ArrayRef, AsArray};
use arrow::datatypes::{
    DataType, Date32Type, Date64Type, Decimal32Type, Decimal64Type, Decimal128Type, Decimal256Type, DecimalType, Field,
    Float16Type, Float32Type, Float64Type, Int8Type, Int16Type, Int32Type, Int64Type, TimeUnit,
    TimestampMicrosecondType, TimestampMillisecondType, TimestampNanosecondType, TimestampSecondType, UInt8Type,
    UInt16Type, UInt32Type, UInt64Type,
};
use arrow::record_batch::RecordBatch;
use arrow::temporal_conversions as temporal;
use arrow::util::display::{ArrayFormatter, FormatOptions};
use serde_json::Value;

use crate::interval_text::length_text;
use crate::meaning::is_json;
use crate::uint256::{Number, is_number, is_uint256};

/// The cells of one row.
pub fn row_values(batch: &RecordBatch, row: usize) -> Vec<Value> {
    let schema = batch.schema_ref();
    let cell = |(column, field): (&ArrayRef, &std::sync::Arc<Field>)| {
        let cell = value(column, field, row);
        if is_json(field) { without_large_numbers(cell) } else { cell }
    };
    batch.columns().iter().zip(schema.fields()).map(cell).collect()
}

/// Whole numbers inside a JSON cell that a JavaScript number would round become text.
fn without_large_numbers(cell: Value) -> Value {
    const LARGEST: u64 = 1 << 53;
    match cell {
        Value::Number(number) if number.as_i64().is_some_and(|number| number.unsigned_abs() > LARGEST) => {
            Value::String(number.to_string())
        }
        Value::Array(items) => items.into_iter().map(without_large_numbers).collect(),
        Value::Object(members) => {
            members.into_iter().map(|(name, member)| (name, without_large_numbers(member))).collect()
        }
        other => other,
    }
}

/// Key in a field's metadata for decimals that are shown with all digits of their type.
pub const ALL_DIGITS: &str = "quarry.all_digits";

/// One cell. 64-bit integers, decimals and uint256 are strings so that no reader rounds them.
pub fn value(array: &dyn Array, field: &Field, row: usize) -> Value {
    if array.is_null(row) {
        return Value::Null;
    }
    match array.data_type() {
        DataType::Null => Value::Null,
        DataType::Boolean => Value::Bool(array.as_boolean().value(row)),
        DataType::Int8 => array.as_primitive::<Int8Type>().value(row).into(),
        DataType::Int16 => array.as_primitive::<Int16Type>().value(row).into(),
        DataType::Int32 => array.as_primitive::<Int32Type>().value(row).into(),
        DataType::UInt8 => array.as_primitive::<UInt8Type>().value(row).into(),
        DataType::UInt16 => array.as_primitive::<UInt16Type>().value(row).into(),
        DataType::Int64 => array.as_primitive::<Int64Type>().value(row).to_string().into(),
        DataType::UInt32 => array.as_primitive::<UInt32Type>().value(row).to_string().into(),
        DataType::UInt64 => array.as_primitive::<UInt64Type>().value(row).to_string().into(),
        DataType::Float16 => float(array.as_primitive::<Float16Type>().value(row).to_f64()),
        DataType::Float32 => float(shortest(array.as_primitive::<Float32Type>().value(row))),
        DataType::Float64 => float(array.as_primitive::<Float64Type>().value(row)),
        DataType::Decimal32(p, s) => decimal::<Decimal32Type>(array, field, row, (*p, *s)),
        DataType::Decimal64(p, s) => decimal::<Decimal64Type>(array, field, row, (*p, *s)),
        DataType::Decimal128(p, s) => decimal::<Decimal128Type>(array, field, row, (*p, *s)),
        DataType::Decimal256(p, s) => decimal::<Decimal256Type>(array, field, row, (*p, *s)),
        DataType::Utf8 if is_json(field) => {
            serde_json::from_str(array.as_string::<i32>().value(row)).unwrap_or(Value::Null)
        }
        DataType::Utf8 => array.as_string::<i32>().value(row).into(),
        DataType::LargeUtf8 => array.as_string::<i64>().value(row).into(),
        DataType::Utf8View => array.as_string_view().value(row).into(),
        number if is_number(number) => Number::decode(array.as_fixed_size_binary().value(row)).to_string().into(),
        DataType::FixedSizeBinary(_) if is_uint256(field) => {
            U256::from_be_slice(array.as_fixed_size_binary().value(row)).to_string().into()
        }
        DataType::FixedSizeBinary(_) => hex(array.as_fixed_size_binary().value(row)),
        DataType::Binary => hex(array.as_binary::<i32>().value(row)),
        DataType::LargeBinary => hex(array.as_binary::<i64>().value(row)),
        DataType::BinaryView => hex(array.as_binary_view().value(row)),
        DataType::Timestamp(unit, zone) => {
            time_text(array, *unit, zone.is_some(), row).map_or(Value::Null, Value::String)
        }
        DataType::Date32 => {
            day(temporal::as_datetime::<Date32Type>(array.as_primitive::<Date32Type>().value(row).into()))
        }
        DataType::Date64 => day(temporal::as_datetime::<Date64Type>(array.as_primitive::<Date64Type>().value(row))),
        DataType::List(item) => list(array.as_list::<i32>().value(row), item),
        DataType::LargeList(item) => list(array.as_list::<i64>().value(row), item),
        DataType::FixedSizeList(item, _) => list(array.as_fixed_size_list().value(row), item),
        DataType::Struct(fields) => {
            let columns = array.as_struct().columns().iter().zip(fields);
            columns.map(|(column, field)| (field.name().clone(), value(column, field, row))).collect::<Value>()
        }
        DataType::Map(entries, _) => list(std::sync::Arc::new(array.as_map().value(row)), entries),
        DataType::Dictionary(..) => match array.as_any_dictionary_opt() {
            Some(dictionary) => value(dictionary.values(), field, dictionary.normalized_keys()[row]),
            None => Value::Null,
        },
        _ => other(array, row),
    }
}

/// The digits of a decimal without trailing zeros after the point.
pub fn trim_decimal(text: &str) -> &str {
    if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.') } else { text }
}

fn decimal<T: DecimalType>(array: &dyn Array, field: &Field, row: usize, (precision, scale): (u8, i8)) -> Value {
    let text = T::format_decimal(array.as_primitive::<T>().value(row), precision, scale);
    if field.metadata().contains_key(ALL_DIGITS) { text.into() } else { trim_decimal(&text).into() }
}

/// A float as JSON; infinity and NaN become a word.
fn float(value: f64) -> Value {
    match serde_json::Number::from_f64(value) {
        Some(number) => Value::Number(number),
        None => float_word(value).into(),
    }
}

/// The word for a double without digits: infinity and NaN.
pub fn float_word(number: f64) -> Option<&'static str> {
    match number {
        number if number.is_finite() => None,
        number if number.is_nan() => Some("NaN"),
        number if number > 0.0 => Some("Infinity"),
        _ => Some("-Infinity"),
    }
}

/// A 32-bit float as the shortest number that reads back as the same: 0.1 and not 0.10000000149011612.
fn shortest(value: f32) -> f64 {
    value.to_string().parse().unwrap_or(f64::from(value))
}

fn hex(bytes: &[u8]) -> Value {
    Value::String(format!("0x{}", hex::encode(bytes)))
}

/// A time as `YYYY-MM-DD HH:mm:ss`, with the digits of its second where it has some; years beyond the calendar's range have
/// no text. Times of the chain all have a zone, and 6 digits; others show as many as they have.
pub fn time_text(array: &dyn Array, unit: TimeUnit, zoned: bool, row: usize) -> Option<String> {
    let time = match unit {
        TimeUnit::Second => temporal::timestamp_s_to_datetime(array.as_primitive::<TimestampSecondType>().value(row)),
        TimeUnit::Millisecond => {
            temporal::timestamp_ms_to_datetime(array.as_primitive::<TimestampMillisecondType>().value(row))
        }
        TimeUnit::Microsecond => {
            temporal::timestamp_us_to_datetime(array.as_primitive::<TimestampMicrosecondType>().value(row))
        }
        TimeUnit::Nanosecond => {
            temporal::timestamp_ns_to_datetime(array.as_primitive::<TimestampNanosecondType>().value(row))
        }
    };
    let time = time?;
    let nanos = time.and_utc().timestamp_subsec_nanos();
    let form = match nanos {
        0 => "%Y-%m-%d %H:%M:%S",
        _ if nanos % 1_000 == 0 => "%Y-%m-%d %H:%M:%S%.6f",
        _ => "%Y-%m-%d %H:%M:%S%.9f",
    };
    let text = time.format(form).to_string();
    Some(if zoned || nanos == 0 { text } else { text.trim_end_matches('0').to_string() })
}

fn day<T: std::fmt::Display>(time: Option<T>) -> Value {
    // A date and time prints as `YYYY-MM-DD HH:mm:ss`; the day is the part before the blank.
    time.and_then(|time| time.to_string().split(' ').next().map(Value::from)).unwrap_or(Value::Null)
}

fn list(items: ArrayRef, field: &Field) -> Value {
    (0..items.len()).map(|row| value(&items, field, row)).collect()
}

/// Lengths of time; rare types as Arrow shows them.
fn other(array: &dyn Array, row: usize) -> Value {
    if let Some(length) = length_text(array, row) {
        return length.into();
    }
    let options = FormatOptions::default();
    match ArrayFormatter::try_new(array, &options) {
        Ok(formatter) => formatter.value(row).to_string().into(),
        Err(_) => Value::Null,
    }
}
