//! Rounding, cutting and remainders: the answer has the type of the number.

use std::sync::Arc;

use arrow::array::{Array, ArrayRef, AsArray, Decimal128Array, Float32Array, Float64Array, Int64Array};
use arrow::compute::{is_null, nullif};
use arrow::datatypes::{DataType, Decimal128Type, Field, FieldRef, Float32Type, Float64Type, Int64Type};
use datafusion::common::{Result, ScalarValue};
use datafusion::logical_expr::{ReturnFieldArgs, ScalarUDF};

use super::numerals::{self, Amount};
use super::{calendar, cast, math};
use crate::simple::Simple;
use quarry_types::byte_columns::is_text;
use quarry_types::invalid;
use quarry_types::type_names::type_name;

/// What happens to the digits that go.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Way {
    HalfUp,
    HalfEven,
    Floor,
    Ceil,
    Cut,
}

pub(super) fn functions() -> Vec<ScalarUDF> {
    vec![
        Simple::udf("round", 1..=2, None, rounded, |arrays, field| shorten(arrays, field, Way::HalfUp)),
        Simple::udf("bround", 1..=2, None, rounded, |arrays, field| shorten(arrays, field, Way::HalfEven)),
        Simple::udf("floor", 1..=1, None, whole, |arrays, field| shorten(arrays, field, Way::Floor)),
        Simple::udf("ceil", 1..=1, None, whole, |arrays, field| shorten(arrays, field, Way::Ceil)),
        Simple::udf("ceiling", 1..=1, None, whole, |arrays, field| shorten(arrays, field, Way::Ceil)),
        Simple::udf("trunc", 1..=2, None, cut, truncate),
        Simple::udf("format_number", 2..=2, None, |_| Ok(value_of(DataType::Utf8)), written),
        Simple::udf("sign", 1..=1, None, sign_of, sign),
        Simple::udf("shiftleft", 2..=2, None, shifted, |arrays, field| {
            shift(arrays, field, |value, by| value.wrapping_shl(by), |value, by| value.wrapping_shl(by))
        }),
        Simple::udf("shiftright", 2..=2, None, shifted, |arrays, field| {
            shift(arrays, field, |value, by| value.wrapping_shr(by), |value, by| value.wrapping_shr(by))
        }),
        Simple::udf("shiftrightunsigned", 2..=2, None, shifted, |arrays, field| {
            let long = |value: i64, by| (value as u64).wrapping_shr(by) as i64;
            shift(arrays, field, |value, by| (value as u32).wrapping_shr(by) as i32, long)
        }),
        Simple::udf("hive_mod", 2..=2, None, common, |arrays, field| remainder(arrays, field, false)),
        Simple::udf("pmod", 2..=2, None, common, |arrays, field| remainder(arrays, field, true)),
        Simple::udf("hive_try_add", 2..=2, None, common, |arrays, field| checked(arrays, field, i64::checked_add)),
        Simple::udf("hive_try_subtract", 2..=2, None, common, |arrays, field| checked(arrays, field, i64::checked_sub)),
        Simple::udf("hive_try_multiply", 2..=2, None, common, |arrays, field| checked(arrays, field, i64::checked_mul)),
    ]
}

fn value_of(data_type: DataType) -> FieldRef {
    Arc::new(Field::new("value", data_type, true))
}

fn digits_of(args: &ReturnFieldArgs) -> i64 {
    match args.scalar_arguments.get(1).copied().flatten().map(|digits| digits.cast_to(&DataType::Int64)) {
        Some(Ok(ScalarValue::Int64(Some(digits)))) => digits,
        _ => 0,
    }
}

/// A decimal of this many digits after the point; the digits before it may become one more.
fn shorter(precision: u8, scale: i8, digits: i64) -> DataType {
    let kept = digits.clamp(0, scale.max(0).into()) as i8;
    let before = i16::from(precision) - i16::from(scale) + 1;
    DataType::Decimal128((before + i16::from(kept)).clamp(1, 38) as u8, kept)
}

fn rounded(args: &ReturnFieldArgs) -> Result<FieldRef> {
    if let Some(digits) = args.arg_fields.get(1).map(|field| field.data_type())
        && !digits.is_integer()
        && !digits.is_null()
    {
        return Err(invalid(format!("The digits to round to are a whole number, not {}.", type_name(digits, false))));
    }
    let data_type = match args.arg_fields[0].data_type() {
        DataType::Decimal128(precision, scale) => shorter(*precision, *scale, digits_of(args)),
        number if number.is_integer() => number.clone(),
        _ => DataType::Float64,
    };
    Ok(value_of(data_type))
}

fn whole(args: &ReturnFieldArgs) -> Result<FieldRef> {
    let data_type = match args.arg_fields[0].data_type() {
        DataType::Decimal128(precision, scale) => shorter(*precision, *scale, 0),
        _ => DataType::Int64,
    };
    Ok(value_of(data_type))
}

/// `trunc(day, 'MM')` is a text, `trunc(number, digits)` a number.
fn cut(args: &ReturnFieldArgs) -> Result<FieldRef> {
    let first = args.arg_fields[0].data_type();
    let unit = args.arg_fields.get(1).is_some_and(|field| is_text(field.data_type()));
    Ok(value_of(match first {
        _ if unit => DataType::Utf8,
        DataType::Decimal128(..) => first.clone(),
        number if number.is_integer() => number.clone(),
        _ => DataType::Float64,
    }))
}

fn truncate(arrays: &[ArrayRef], field: &FieldRef) -> Result<ArrayRef> {
    if field.data_type() != &DataType::Utf8 {
        return shorten(arrays, field, Way::Cut);
    }
    let days = cast::to_type(&arrays[0], &DataType::Date32)?;
    let units = cast::to_type(&arrays[1], &DataType::Utf8)?;
    let pairs = days.as_primitive::<arrow::datatypes::Date32Type>().iter().zip(units.as_string::<i32>());
    let texts = pairs.map(|(day, unit)| Some(calendar::show_date(calendar::truncate(day?, unit?)?)));
    Ok(Arc::new(texts.collect::<arrow::array::StringArray>()))
}

fn shorten(arrays: &[ArrayRef], field: &FieldRef, way: Way) -> Result<ArrayRef> {
    let rows = arrays[0].len();
    let digits = match arrays.get(1) {
        Some(digits) => cast::to_type(digits, &DataType::Int64)?,
        None => Arc::new(Int64Array::from(vec![0; rows])),
    };
    let digits = digits.as_primitive::<Int64Type>();
    if let (DataType::Decimal128(_, from), DataType::Decimal128(precision, scale)) =
        (arrays[0].data_type(), field.data_type())
    {
        let values = arrays[0].as_primitive::<Decimal128Type>().iter().zip(digits);
        let shortened: Decimal128Array =
            values.map(|(value, digits)| decimal(value?, i64::from(*from), digits?, i64::from(*scale), way)).collect();
        return Ok(Arc::new(shortened.with_precision_and_scale(*precision, *scale)?));
    }
    if arrays[0].data_type().is_integer() && digits.iter().flatten().all(|digits| digits >= 0) {
        return Ok(nullif(&cast::to_type(&arrays[0], field.data_type())?, &is_null(digits)?)?);
    }
    let doubles = cast::to_type(&arrays[0], &DataType::Float64)?;
    let values = doubles.as_primitive::<Float64Type>().iter().zip(digits);
    let shortened = values.map(|(value, digits)| {
        let (value, digits) = (value?, digits?);
        Some(match way {
            Way::HalfUp => math::round(value, digits, false),
            Way::HalfEven => math::round(value, digits, true),
            Way::Floor => value.floor(),
            Way::Ceil => value.ceil(),
            Way::Cut => math::cut(value, digits),
        })
    });
    cast::to_type(&(Arc::new(shortened.collect::<Float64Array>()) as ArrayRef), field.data_type())
}

/// A decimal without the digits after a place, in a scale of its own.
fn decimal(value: i128, from: i64, digits: i64, scale: i64, way: Way) -> Option<i128> {
    let gone = (from - digits).clamp(0, 38) as u32;
    let power = 10_i128.checked_pow(gone)?;
    let (whole, rest) = (value.div_euclid(power), value.rem_euclid(power));
    let up = match way {
        Way::Floor => false,
        Way::Ceil => rest > 0,
        Way::Cut => rest > 0 && value < 0,
        Way::HalfUp => rest * 2 > power || (rest * 2 == power && value > 0),
        Way::HalfEven => rest * 2 > power || (rest * 2 == power && whole % 2 != 0),
    };
    let kept = if up { whole + 1 } else { whole };
    // From the scale that is left to the scale of the answer.
    let shift = scale - (from - i64::from(gone));
    let factor = 10_i128.checked_pow(shift.unsigned_abs() as u32)?;
    if shift >= 0 { kept.checked_mul(factor) } else { Some(kept / factor) }
}

/// The wider of two kinds of numbers; anything else becomes a double.
fn common(args: &ReturnFieldArgs) -> Result<FieldRef> {
    let (a, b) = (args.arg_fields[0].data_type(), args.arg_fields[1].data_type());
    let rank = |data_type: &DataType| match data_type {
        DataType::Int8 => Some(1),
        DataType::Int16 => Some(2),
        DataType::Int32 => Some(3),
        other if other.is_integer() => Some(4),
        _ => None,
    };
    let digits = |data_type: &DataType| match data_type {
        DataType::Decimal128(precision, scale) => Some((i16::from(*precision), i16::from(*scale))),
        other => rank(other).map(|rank| ([3, 5, 10, 19][rank - 1], 0)),
    };
    let data_type = match (rank(a), rank(b)) {
        (Some(left), Some(right)) => {
            if left >= right {
                a.clone()
            } else {
                b.clone()
            }
        }
        _ => match (digits(a), digits(b)) {
            (Some((p1, s1)), Some((p2, s2))) => {
                let scale = s1.max(s2);
                DataType::Decimal128(((p1 - s1).max(p2 - s2) + scale).min(38) as u8, scale as i8)
            }
            // A float stays one beside everything but a double.
            _ => match [a, b].into_iter().any(|one| *one == DataType::Float64 || !one.is_numeric()) {
                true => DataType::Float64,
                false => DataType::Float32,
            },
        },
    };
    Ok(value_of(data_type))
}

/// Whole numbers added, subtracted or multiplied; null where the type does not hold what comes out.
fn checked(arrays: &[ArrayRef], field: &FieldRef, of: fn(i64, i64) -> Option<i64>) -> Result<ArrayRef> {
    let (a, b) = (cast::to_type(&arrays[0], &DataType::Int64)?, cast::to_type(&arrays[1], &DataType::Int64)?);
    let pairs = a.as_primitive::<Int64Type>().iter().zip(b.as_primitive::<Int64Type>());
    let values: Int64Array = pairs.map(|(a, b)| of(a?, b?)).collect();
    cast::stored_as(&(Arc::new(values) as ArrayRef), field)
}

/// `a % b`, null when b is 0; `pmod` never answers a negative number.
fn remainder(arrays: &[ArrayRef], field: &FieldRef, positive: bool) -> Result<ArrayRef> {
    let (a, b) = (cast::to_type(&arrays[0], field.data_type())?, cast::to_type(&arrays[1], field.data_type())?);
    match field.data_type() {
        DataType::Decimal128(precision, scale) => {
            let pairs = a.as_primitive::<Decimal128Type>().iter().zip(b.as_primitive::<Decimal128Type>());
            let rests: Decimal128Array = pairs
                .map(|(a, b)| {
                    let (a, b) = (a?, b.filter(|b| *b != 0)?);
                    Some(if positive { (a % b + b) % b } else { a % b })
                })
                .collect();
            Ok(Arc::new(rests.with_precision_and_scale(*precision, *scale)?))
        }
        DataType::Float32 => {
            let pairs = a.as_primitive::<Float32Type>().iter().zip(b.as_primitive::<Float32Type>());
            let rests = pairs.map(|(a, b)| {
                let (a, b) = (a?, b.filter(|b| *b != 0.0)?);
                Some(if positive { (a % b + b) % b } else { a % b })
            });
            Ok(Arc::new(rests.collect::<Float32Array>()))
        }
        DataType::Float64 => {
            let pairs = a.as_primitive::<Float64Type>().iter().zip(b.as_primitive::<Float64Type>());
            let rests = pairs.map(|(a, b)| {
                let (a, b) = (a?, b.filter(|b| *b != 0.0)?);
                Some(if positive { (a % b + b) % b } else { a % b })
            });
            Ok(Arc::new(rests.collect::<Float64Array>()))
        }
        other => {
            let (a, b) = (cast::to_type(&a, &DataType::Int64)?, cast::to_type(&b, &DataType::Int64)?);
            let pairs = a.as_primitive::<Int64Type>().iter().zip(b.as_primitive::<Int64Type>());
            let rests = pairs.map(|(a, b)| {
                let (a, b) = (a?, b.filter(|b| *b != 0)?);
                Some(if positive { a.wrapping_rem(b).wrapping_add(b).wrapping_rem(b) } else { a.wrapping_rem(b) })
            });
            cast::to_type(&(Arc::new(rests.collect::<Int64Array>()) as ArrayRef), other)
        }
    }
}

/// `format_number(number, decimals or pattern)`.
fn written(arrays: &[ArrayRef], _: &FieldRef) -> Result<ArrayRef> {
    let numbers = &arrays[0];
    let forms = cast::to_type(&arrays[1], &DataType::Utf8)?;
    let forms = forms.as_string::<i32>().iter();
    let amounts: Vec<Option<Amount>> = match numbers.data_type() {
        DataType::Decimal128(_, scale) => {
            let scale = scale.unsigned_abs().into();
            let values = numbers.as_primitive::<Decimal128Type>().iter();
            values.map(|value| Some(Amount::Exact(value?, scale))).collect()
        }
        whole if whole.is_integer() => {
            let longs = cast::to_type(numbers, &DataType::Int64)?;
            longs.as_primitive::<Int64Type>().iter().map(|value| Some(Amount::Exact(value?.into(), 0))).collect()
        }
        _ => {
            let doubles = cast::to_type(numbers, &DataType::Float64)?;
            doubles.as_primitive::<Float64Type>().iter().map(|value| Some(Amount::Double(value?))).collect()
        }
    };
    let texts = amounts.into_iter().zip(forms).map(|(number, form)| {
        let (number, form) = (number?, form?);
        match form.parse::<i64>() {
            Ok(decimals) => numerals::with_decimals(number, decimals),
            Err(_) => numerals::by_pattern(number, form),
        }
    });
    Ok(Arc::new(texts.collect::<arrow::array::StringArray>()))
}

/// The sign of a decimal is whole, that of anything else a double.
fn sign_of(args: &ReturnFieldArgs) -> Result<FieldRef> {
    Ok(value_of(if args.arg_fields[0].data_type().is_decimal() { DataType::Int32 } else { DataType::Float64 }))
}

fn sign(arrays: &[ArrayRef], field: &FieldRef) -> Result<ArrayRef> {
    let doubles = cast::to_type(&arrays[0], &DataType::Float64)?;
    let signs = doubles
        .as_primitive::<Float64Type>()
        .unary::<_, Float64Type>(|value| if value == 0.0 || value.is_nan() { value.abs() } else { value.signum() });
    cast::to_type(&(Arc::new(signs) as ArrayRef), field.data_type())
}

/// Numbers of 64 bits are shifted as such, all others as numbers of 32.
fn shifted(args: &ReturnFieldArgs) -> Result<FieldRef> {
    let long = *args.arg_fields[0].data_type() == DataType::Int64;
    Ok(value_of(if long { DataType::Int64 } else { DataType::Int32 }))
}

fn shift(
    arrays: &[ArrayRef],
    field: &FieldRef,
    int: fn(i32, u32) -> i32,
    long: fn(i64, u32) -> i64,
) -> Result<ArrayRef> {
    let (values, by) = (cast::to_type(&arrays[0], &DataType::Int64)?, cast::to_type(&arrays[1], &DataType::Int64)?);
    let pairs = values.as_primitive::<Int64Type>().iter().zip(by.as_primitive::<Int64Type>());
    let is_long = *field.data_type() == DataType::Int64;
    let shifted = pairs.map(|(value, by)| {
        let (value, by) = (value?, by? as u32);
        Some(if is_long { long(value, by) } else { int(value as i32, by).into() })
    });
    cast::to_type(&(Arc::new(shifted.collect::<Int64Array>()) as ArrayRef), field.data_type())
}
