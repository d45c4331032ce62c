//! Hive's casts: a value that can't be converted is null, never an error.

use arrow::array::{TimestampNanosecondArray, new_null_array};
use arrow::datatypes::{Decimal128Type, Float32Type, TimeUnit, TimestampNanosecondType};
use datafusion::logical_expr::lit;

use super::nested::arrow_cast;
use super::numerals::{self, double_text};
use super::{calendar, intervals, nested, types, zones};
use crate::numbers::float_decimals::decimals_of_floats;
use crate::prelude::*;

/// `hive_cast(value, 'type')`.
pub fn udf() -> Arc<ScalarUDF> {
    shared!(scalar_udf("hive_cast", 2..=2, returns, |arrays, field| {
        match is_number(arrays[0].data_type()) {
            // An explicit cast may lose digits, or be null; nothing else turns a uint256 into a double.
            true => to_field(&digits(&arrays[0]), field),
            false => to_field(&arrays[0], field),
        }
    }))
}

/// A value as a Hive type.
pub fn call(value: Expr, hive_type: &str) -> Expr {
    udf().call(vec![value, lit(hive_type)])
}

fn returns(args: &ReturnFieldArgs) -> Result<FieldRef> {
    let Some(Some(ScalarValue::Utf8(Some(name)))) = args.scalar_arguments.get(1) else {
        return Err(invalid("CAST needs the name of a type."));
    };
    let field = types::field("cast", name).ok_or_else(|| invalid(format!("There is no type {name}.")))?;
    let from = args.arg_fields[0].data_type();
    if !can_be_cast(from, field.data_type()) {
        return Err(invalid(format!("{} can't be cast to {}.", types::name(from), types::written(&field))));
    }
    Ok(Arc::new(field))
}

/// Whether Hive casts values of a type to another one.
fn can_be_cast(from: &DataType, to: &DataType) -> bool {
    let one_of_both = |is: fn(&DataType) -> bool| is(from) != is(to);
    match (from, to) {
        (from, to) if from.is_null() || is_text(to) => true,
        // Numbers, days and booleans can't be bytes.
        (from, DataType::Binary) => is_text(from) || is_bytes(from),
        _ if is_text(from) => true,
        _ => !(one_of_both(intervals::is_interval) || from.is_nested() && !to.is_nested()),
    }
}

/// A column as the type of a field, with the length of its `char` or `varchar`.
pub fn to_field(array: &ArrayRef, field: &Field) -> Result<ArrayRef> {
    let converted = match (array.data_type(), field.data_type()) {
        // A cast writes booleans in capitals; a conversion among other texts does not.
        (DataType::Boolean, DataType::Utf8) => {
            let texts = array.as_boolean().iter().map(|truth| truth.map(|truth| if truth { "TRUE" } else { "FALSE" }));
            Arc::new(texts.collect::<StringArray>())
        }
        _ => to_type(array, field.data_type())?,
    };
    let length = types::char_length(field).or(types::varchar_length(field));
    let Some(length) = length else { return Ok(converted) };
    // Blanks at the end of a `char` do not count; it is padded only where it is printed.
    let blanks = types::char_length(field).is_some();
    let cut = |text: &str| {
        let end = text.char_indices().nth(length).map_or(text.len(), |(at, _)| at);
        if blanks { text[..end].trim_end_matches(' ').to_string() } else { text[..end].to_string() }
    };
    Ok(Arc::new(converted.as_string::<i32>().iter().map(|text| text.map(cut)).collect::<StringArray>()))
}

/// A stored column of a table whose type was changed, as Hive reads it: a number that the type can't hold is null, where a cast
/// wraps around, and a float becomes the double with the same decimal digits.
pub fn stored_as(array: &ArrayRef, field: &Field) -> Result<ArrayRef> {
    let (from, to) = (array.data_type(), field.data_type());
    match (from, to) {
        (from, to) if from.is_integer() && to.is_integer() => arrow_cast(array, to),
        (DataType::Float32 | DataType::Float64, to) if to.is_integer() => {
            let doubles = arrow_cast(array, &DataType::Float64)?;
            // `i64::MAX as f64` is one more than the largest number.
            let holds = |value: &f64| *value >= i64::MIN as f64 && *value < i64::MAX as f64;
            let whole = doubles.as_primitive::<Float64Type>().iter().map(|value| value.filter(holds));
            arrow_cast(&whole.map(|value| value.map(|value| value as i64)).collect::<Int64Array>(), to)
        }
        (DataType::Timestamp(..), to) if to.is_integer() => arrow_cast(&to_type(array, &DataType::Int64)?, to),
        (DataType::Float32, DataType::Float64) => to_type(&to_text(array)?, to),
        (from, to) if from.is_nested() && to.is_nested() => {
            nested::to_type(array, to, |part, to| stored_as(part, &Field::new("part", to.clone(), true)))
        }
        _ => to_field(array, field),
    }
}

/// A column as another type.
pub fn to_type(array: &ArrayRef, to: &DataType) -> Result<ArrayRef> {
    let from = array.data_type();
    if from == to {
        return Ok(Arc::clone(array));
    }
    if matches!(from, DataType::Null) {
        return Ok(new_null_array(to, array.len()));
    }
    let array = match from {
        number if is_number(number) && is_text(to) => &digits(array),
        DataType::LargeUtf8 | DataType::Utf8View => &arrow_cast(array, &DataType::Utf8)?,
        _ => array,
    };
    match (array.data_type(), to) {
        (from, to) if from.is_nested() && to.is_nested() => nested::to_type(array, to, to_type),
        (DataType::Utf8, DataType::Utf8) => Ok(Arc::clone(array)),
        (DataType::Utf8, _) => from_text(array, to),
        (_, DataType::Utf8) => to_text(array),
        (DataType::Float32 | DataType::Float64, to) if to.is_integer() => {
            // Fractions are cut off; a number out of range becomes the nearest one, as in Java, then wraps.
            let doubles = arrow_cast(array, &DataType::Float64)?;
            let whole = doubles.as_primitive::<Float64Type>().unary::<_, Int64Type>(|value| value as i64);
            narrow(Arc::new(whole), to)
        }
        (DataType::Float32 | DataType::Float64, to) if to.is_decimal() => decimals_of_floats(array, to, true),
        (from, to) if from.is_integer() && to.is_integer() => narrow(arrow_cast(array, &DataType::Int64)?, to),
        (DataType::Decimal128(..) | DataType::Decimal256(..), to) if to.is_integer() => {
            // Exact for decimals of 38 digits.
            let whole = decimal_to_long(array).map_or_else(|| arrow_cast(array, &DataType::Float64), Ok)?;
            arrow_cast(&whole, to)
        }
        (DataType::Timestamp(..), to) if to.is_numeric() => {
            let nanos = arrow_cast(array, &DataType::Timestamp(TimeUnit::Nanosecond, None))?;
            let nanos = nanos.as_primitive::<TimestampNanosecondType>();
            if to.is_integer() {
                let seconds = nanos.unary::<_, Int64Type>(|nanos| nanos.div_euclid(1_000_000_000));
                return narrow(Arc::new(seconds), to);
            }
            if to.is_decimal() {
                let exact = nanos.unary::<_, Decimal128Type>(i128::from).with_precision_and_scale(19, 9)?;
                return arrow_cast(&exact, to);
            }
            arrow_cast(&nanos.unary::<_, Float64Type>(|nanos| nanos as f64 / 1e9), to)
        }
        // A day is neither true nor false.
        (DataType::Date32 | DataType::Date64, DataType::Boolean) => Ok(new_null_array(to, array.len())),
        (DataType::Timestamp(..), DataType::Boolean) => {
            let nanos = arrow_cast(array, &DataType::Timestamp(TimeUnit::Nanosecond, None))?;
            let some =
                nanos.as_primitive::<TimestampNanosecondType>().iter().map(|nanos| nanos.map(|nanos| nanos != 0));
            Ok(Arc::new(some.collect::<BooleanArray>()))
        }
        (DataType::Decimal128(..), DataType::Boolean) => {
            let some = array.as_primitive::<Decimal128Type>().iter().map(|value| value.map(|value| value != 0));
            Ok(Arc::new(some.collect::<BooleanArray>()))
        }
        // True is the first millisecond.
        (DataType::Boolean, DataType::Timestamp(..)) => to_type(&arrow_cast(array, &DataType::Int64)?, to),
        (from, DataType::Timestamp(..)) if from.is_numeric() => {
            // Whole numbers are milliseconds, fractions are seconds.
            let nanos: TimestampNanosecondArray = match from {
                from if from.is_integer() => {
                    let longs = arrow_cast(array, &DataType::Int64)?;
                    longs.as_primitive::<Int64Type>().iter().map(|value| value?.checked_mul(1_000_000)).collect()
                }
                DataType::Decimal128(_, scale) => {
                    let power = |digits: i8| 10i128.pow(u32::from(digits.unsigned_abs()));
                    let nanos = |value: i128| match 9 - scale {
                        more @ 0.. => value.checked_mul(power(more)),
                        less => Some(value / power(less)),
                    };
                    let values = array.as_primitive::<Decimal128Type>().iter();
                    values.map(|value| value.and_then(nanos).and_then(|nanos| i64::try_from(nanos).ok())).collect()
                }
                _ => {
                    let doubles = arrow_cast(array, &DataType::Float64)?;
                    let nanos = |value: f64| Some(value * 1e9).filter(|nanos| nanos.abs() < 9.2e18);
                    let doubles = doubles.as_primitive::<Float64Type>().iter();
                    doubles.map(|value| value.and_then(nanos).map(|nanos| nanos as i64)).collect()
                }
            };
            arrow_cast(&nanos, to)
        }
        (DataType::Boolean, to) if to.is_numeric() => arrow_cast(&arrow_cast(array, &DataType::Int8)?, to),
        (from, DataType::Boolean) if from.is_numeric() => arrow_cast(array, to),
        _ => arrow_cast(array, to),
    }
}

/// 256-bit numbers as texts.
fn digits(array: &ArrayRef) -> ArrayRef {
    let numbers = array.as_fixed_size_binary().iter();
    Arc::new(numbers.map(|bytes| bytes.map(|bytes| Number::decode(bytes).to_string())).collect::<StringArray>())
}

/// 64-bit numbers as a narrower type, which keeps the low bits as Java does.
fn narrow(longs: ArrayRef, to: &DataType) -> Result<ArrayRef> {
    let values = longs.as_primitive::<Int64Type>();
    let wrapped = match to {
        DataType::Int8 => values.unary::<_, Int64Type>(|value| i64::from(value as i8)),
        DataType::Int16 => values.unary::<_, Int64Type>(|value| i64::from(value as i16)),
        DataType::Int32 => values.unary::<_, Int64Type>(|value| i64::from(value as i32)),
        _ => return arrow_cast(&longs, to),
    };
    arrow_cast(&wrapped, to)
}

fn decimal_to_long(array: &ArrayRef) -> Option<ArrayRef> {
    let DataType::Decimal128(_, scale) = array.data_type() else { return None };
    let power = 10_i128.checked_pow(u32::try_from(*scale).ok()?)?;
    let values = array.as_primitive::<Decimal128Type>().iter();
    let whole = values.map(|value| value.and_then(|value| i64::try_from(value / power).ok()));
    Some(Arc::new(whole.collect::<Int64Array>()))
}

fn from_text(array: &ArrayRef, to: &DataType) -> Result<ArrayRef> {
    let texts = array.as_string::<i32>();
    match to {
        DataType::Float64 | DataType::Float32 => {
            let values: Float64Array = texts.iter().map(|text| text.and_then(parse_double)).collect();
            arrow_cast(&values, to)
        }
        to if to.is_integer() => {
            let values = texts.iter().map(|text| text.and_then(|text| parse_whole_number(text, to)));
            arrow_cast(&values.collect::<Int64Array>(), to)
        }
        DataType::Decimal128(precision, scale) => {
            let numbers = texts.iter().map(|text| text.and_then(|text| numerals::decimal(text, *precision, *scale)));
            let numbers = numbers.collect::<arrow::array::Decimal128Array>();
            Ok(Arc::new(numbers.with_precision_and_scale(*precision, *scale)?))
        }
        DataType::Boolean => {
            // Every text is true but the empty one and the words for false.
            let truth = |text: &str| !["", "false", "no", "off", "0"].contains(&text.to_lowercase().as_str());
            Ok(Arc::new(texts.iter().map(|text| text.map(truth)).collect::<BooleanArray>()))
        }
        DataType::Date32 => {
            let days = texts.iter().map(|text| text.and_then(calendar::parse_date));
            Ok(Arc::new(days.collect::<arrow::array::Date32Array>()))
        }
        local if types::is_local_time(local) => {
            let nanos: TimestampNanosecondArray = texts.iter().map(|text| text.and_then(zones::moment)).collect();
            arrow_cast(&nanos, to)
        }
        DataType::Timestamp(..) => {
            let nanos: Result<TimestampNanosecondArray> =
                texts.iter().map(|text| text.map_or(Ok(None), moment)).collect();
            arrow_cast(&nanos?, to)
        }
        months if *months == intervals::MONTHS => {
            let months = texts.iter().map(|text| text.and_then(intervals::parse_months));
            Ok(Arc::new(months.collect::<arrow::array::IntervalYearMonthArray>()))
        }
        DataType::Duration(_) => {
            let nanos = texts.iter().map(|text| text.and_then(intervals::parse_nanos));
            Ok(Arc::new(nanos.collect::<arrow::array::DurationNanosecondArray>()))
        }
        _ => arrow_cast(array, to),
    }
}

/// Parses a time. One out of the range of 64 bits of nanoseconds is an error: null would make comparisons wrong.
fn moment(text: &str) -> Result<Option<i64>> {
    let nanos = zones::clock(text);
    let day = calendar::parse_date(text);
    if nanos.is_none()
        && let Some(day) = day
        && i64::from(day).checked_mul(calendar::DAY).is_none()
    {
        let start: String = text.chars().take(40).collect();
        return Err(invalid(format!(
            "The timestamp {start} is out of range; it must be between the years 1678 and 2261."
        )));
    }
    Ok(nanos)
}

/// A double as Java reads it.
fn parse_double(text: &str) -> Option<f64> {
    let text = text.trim();
    let digits = text.strip_suffix(['d', 'D', 'f', 'F']).unwrap_or(text);
    let fine = digits.bytes().all(|byte| byte.is_ascii_digit() || b"+-.eE".contains(&byte))
        || ["NaN", "Infinity", "-Infinity"].contains(&digits);
    if fine { digits.parse().ok() } else { None }
}

/// A whole number, its fraction cut off; `None` if it does not fit.
fn parse_whole_number(text: &str, to: &DataType) -> Option<i64> {
    let text = text.trim();
    let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
    if !fraction.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let value: i64 = match whole {
        "" | "+" | "-" if !fraction.is_empty() => 0,
        whole => whole.parse().ok()?,
    };
    let fits = match to {
        DataType::Int8 => i8::try_from(value).is_ok(),
        DataType::Int16 => i16::try_from(value).is_ok(),
        DataType::Int32 => i32::try_from(value).is_ok(),
        _ => true,
    };
    fits.then_some(value)
}

/// A column as Hive prints it.
pub fn to_text(array: &ArrayRef) -> Result<ArrayRef> {
    let texts: StringArray = match array.data_type() {
        DataType::Float64 => array.as_primitive::<Float64Type>().iter().map(|value| value.map(double_text)).collect(),
        DataType::Float32 => {
            let shortest = |value: f32| double_text(value.to_string().parse().unwrap_or(f64::from(value)));
            array.as_primitive::<Float32Type>().iter().map(|value| value.map(shortest)).collect()
        }
        DataType::Boolean => array.as_boolean().iter().map(|value| value.map(|value| value.to_string())).collect(),
        DataType::Timestamp(..) => {
            let nanos = arrow_cast(array, &DataType::Timestamp(TimeUnit::Nanosecond, None))?;
            let local = types::is_local_time(array.data_type());
            let show = if local { zones::format } else { calendar::format_timestamp };
            nanos.as_primitive::<TimestampNanosecondType>().iter().map(|t| t.map(show)).collect()
        }
        DataType::Binary | DataType::LargeBinary | DataType::BinaryView => {
            let bytes = arrow_cast(array, &DataType::Binary)?;
            bytes
                .as_binary::<i32>()
                .iter()
                .map(|bytes| bytes.map(|bytes| String::from_utf8_lossy(bytes).into_owned()))
                .collect()
        }
        DataType::FixedSizeBinary(_) => {
            let bytes = array.as_fixed_size_binary();
            bytes.iter().map(|bytes| bytes.map(|bytes| format!("0x{}", ::hex::encode(bytes)))).collect()
        }
        _ => match intervals::format(array) {
            Some(texts) => texts,
            None => return arrow_cast(array, &DataType::Utf8),
        },
    };
    Ok(Arc::new(texts))
}
