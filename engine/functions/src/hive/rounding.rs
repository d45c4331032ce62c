//! Rounding, shifts, remainders and checked arithmetic: the answer has the type of the number. And `format_number`.

use arrow::array::{Decimal128Array, PrimitiveArray};
use arrow::compute::{is_null, nullif};
use arrow::datatypes::{ArrowPrimitiveType, Date32Type, Decimal128Type, Float32Type};

use super::numerals::{self, Amount};
use super::{calendar, cast, math};
use crate::prelude::*;

/// How the digits after a place are dropped.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Rounding {
    HalfUp,
    HalfEven,
    Floor,
    Ceil,
    Truncate,
}

pub(super) fn functions() -> Vec<ScalarUDF> {
    let rounding =
        |name: &'static str, rounding| scalar_udf(name, 1..=2, round_field, move |args, to| round(args, to, rounding));
    let to_whole =
        |name: &'static str, rounding| scalar_udf(name, 1..=1, whole_field, move |args, to| round(args, to, rounding));
    let remainder = |name: &'static str, positive| {
        scalar_udf(name, 2..=2, wider_field, move |args, to| remainder(args, to, positive))
    };
    let checked = |name: &'static str, operator: fn(i64, i64) -> Option<i64>| {
        scalar_udf(name, 2..=2, wider_field, move |args, to| checked(args, to, operator))
    };
    let shift = |name: &'static str, int: fn(i32, u32) -> i32, long: fn(i64, u32) -> i64| {
        scalar_udf(name, 2..=2, shift_field, move |args, to| shift(args, to, int, long))
    };
    vec![
        rounding("round", Rounding::HalfUp),
        rounding("bround", Rounding::HalfEven),
        to_whole("floor", Rounding::Floor),
        to_whole("ceil", Rounding::Ceil),
        to_whole("ceiling", Rounding::Ceil),
        scalar_udf("trunc", 1..=2, truncate_field, truncate),
        scalar_udf("format_number", 2..=2, returns(DataType::Utf8), |args, _| format_numbers(args)),
        scalar_udf("sign", 1..=1, sign_field, sign),
        shift("shiftleft", i32::wrapping_shl, i64::wrapping_shl),
        shift("shiftright", i32::wrapping_shr, i64::wrapping_shr),
        shift(
            "shiftrightunsigned",
            |value, by| (value as u32).wrapping_shr(by) as i32,
            |value, by| (value as u64).wrapping_shr(by) as i64,
        ),
        remainder("hive_mod", false),
        remainder("pmod", true),
        checked("hive_try_add", i64::checked_add),
        checked("hive_try_subtract", i64::checked_sub),
        checked("hive_try_multiply", i64::checked_mul),
    ]
}

fn value_field(data_type: DataType) -> FieldRef {
    Arc::new(Field::new("value", data_type, true))
}

fn literal_digits(args: &ReturnFieldArgs) -> i64 {
    match args.scalar_arguments.get(1).copied().flatten().map(|digits| digits.cast_to(&DataType::Int64)) {
        Some(Ok(ScalarValue::Int64(Some(digits)))) => digits,
        _ => 0,
    }
}

/// The type of a decimal that is rounded to a number of fraction digits; rounding may add a digit before the point.
fn rounded_type(precision: u8, scale: i8, digits: i64) -> DataType {
    let rounded_scale = digits.clamp(0, scale.max(0).into()) as i8;
    let before = i16::from(precision) - i16::from(scale) + 1;
    DataType::Decimal128((before + i16::from(rounded_scale)).clamp(1, 38) as u8, rounded_scale)
}

fn round_field(args: &ReturnFieldArgs) -> Result<FieldRef> {
    if let Some(digits) = args.arg_fields.get(1).map(|field| field.data_type())
        && !digits.is_integer()
        && !digits.is_null()
    {
        return Err(invalid(format!(
            "The number of digits to round to must be an integer, not {}.",
            type_name(digits, false)
        )));
    }
    let data_type = match args.arg_fields[0].data_type() {
        DataType::Decimal128(precision, scale) => rounded_type(*precision, *scale, literal_digits(args)),
        number if number.is_integer() => number.clone(),
        _ => DataType::Float64,
    };
    Ok(value_field(data_type))
}

fn whole_field(args: &ReturnFieldArgs) -> Result<FieldRef> {
    let data_type = match args.arg_fields[0].data_type() {
        DataType::Decimal128(precision, scale) => rounded_type(*precision, *scale, 0),
        _ => DataType::Int64,
    };
    Ok(value_field(data_type))
}

/// `trunc(day, 'MM')` is a text, `trunc(number, digits)` a number.
fn truncate_field(args: &ReturnFieldArgs) -> Result<FieldRef> {
    let first = args.arg_fields[0].data_type();
    let unit = args.arg_fields.get(1).is_some_and(|field| is_text(field.data_type()));
    Ok(value_field(match first {
        _ if unit => DataType::Utf8,
        DataType::Decimal128(..) => first.clone(),
        number if number.is_integer() => number.clone(),
        _ => DataType::Float64,
    }))
}

fn truncate(arrays: &[ArrayRef], field: &FieldRef) -> Result<ArrayRef> {
    if field.data_type() != &DataType::Utf8 {
        return round(arrays, field, Rounding::Truncate);
    }
    let days = cast::to_type(&arrays[0], &DataType::Date32)?;
    let units = cast::to_type(&arrays[1], &DataType::Utf8)?;
    let pairs = days.as_primitive::<Date32Type>().iter().zip(units.as_string::<i32>());
    let texts = pairs.map(|(day, unit)| Some(calendar::format_date(calendar::truncate(day?, unit?)?)));
    Ok(Arc::new(texts.collect::<StringArray>()))
}

fn round(arrays: &[ArrayRef], field: &FieldRef, rounding: Rounding) -> Result<ArrayRef> {
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
        let rounded: Decimal128Array = values
            .map(|(value, digits)| round_decimal(value?, i64::from(*from), digits?, i64::from(*scale), rounding))
            .collect();
        return Ok(Arc::new(rounded.with_precision_and_scale(*precision, *scale)?));
    }
    if arrays[0].data_type().is_integer() && digits.iter().flatten().all(|digits| digits >= 0) {
        return Ok(nullif(&cast::to_type(&arrays[0], field.data_type())?, &is_null(digits)?)?);
    }
    let doubles = cast::to_type(&arrays[0], &DataType::Float64)?;
    let values = doubles.as_primitive::<Float64Type>().iter().zip(digits);
    let rounded = values.map(|(value, digits)| {
        let (value, digits) = (value?, digits?);
        Some(match rounding {
            Rounding::HalfUp => math::round(value, digits, false),
            Rounding::HalfEven => math::round(value, digits, true),
            Rounding::Floor => value.floor(),
            Rounding::Ceil => value.ceil(),
            Rounding::Truncate => math::truncate(value, digits),
        })
    });
    cast::to_type(&(Arc::new(rounded.collect::<Float64Array>()) as ArrayRef), field.data_type())
}

/// Rounds a decimal to a place, and rescales it.
fn round_decimal(value: i128, from: i64, digits: i64, scale: i64, rounding: Rounding) -> Option<i128> {
    let dropped = (from - digits).clamp(0, 38) as u32;
    let power = 10_i128.checked_pow(dropped)?;
    let (whole, rest) = (value.div_euclid(power), value.rem_euclid(power));
    let up = match rounding {
        Rounding::Floor => false,
        Rounding::Ceil => rest > 0,
        Rounding::Truncate => rest > 0 && value < 0,
        Rounding::HalfUp => rest * 2 > power || (rest * 2 == power && value > 0),
        Rounding::HalfEven => rest * 2 > power || (rest * 2 == power && whole % 2 != 0),
    };
    let rounded = if up { whole + 1 } else { whole };
    // To the scale of the answer.
    let shift = scale - (from - i64::from(dropped));
    let factor = 10_i128.checked_pow(shift.unsigned_abs() as u32)?;
    if shift >= 0 { rounded.checked_mul(factor) } else { Some(rounded / factor) }
}

/// The wider of two kinds of numbers; anything else becomes a double.
fn wider_field(args: &ReturnFieldArgs) -> Result<FieldRef> {
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
        (Some(left), Some(right)) => if left >= right { a } else { b }.clone(),
        _ => match (digits(a), digits(b)) {
            (Some((p1, s1)), Some((p2, s2))) => {
                let scale = s1.max(s2);
                DataType::Decimal128(((p1 - s1).max(p2 - s2) + scale).min(38) as u8, scale as i8)
            }
            // A float stays a float, unless the other number is a double.
            _ => match [a, b].into_iter().any(|one| *one == DataType::Float64 || !one.is_numeric()) {
                true => DataType::Float64,
                false => DataType::Float32,
            },
        },
    };
    Ok(value_field(data_type))
}

/// Whole numbers added, subtracted or multiplied; null beyond the range of the type.
fn checked(arrays: &[ArrayRef], field: &FieldRef, of: fn(i64, i64) -> Option<i64>) -> Result<ArrayRef> {
    let (a, b) = (cast::to_type(&arrays[0], &DataType::Int64)?, cast::to_type(&arrays[1], &DataType::Int64)?);
    let pairs = a.as_primitive::<Int64Type>().iter().zip(b.as_primitive::<Int64Type>());
    let values: Int64Array = pairs.map(|(a, b)| of(a?, b?)).collect();
    cast::stored_as(&(Arc::new(values) as ArrayRef), field)
}

/// The remainders of pairs; null by zero.
fn remainders<T: ArrowPrimitiveType<Native: Default>>(
    a: &ArrayRef,
    b: &ArrayRef,
    remainder: impl Fn(T::Native, T::Native) -> T::Native,
) -> PrimitiveArray<T> {
    let pairs = a.as_primitive::<T>().iter().zip(b.as_primitive::<T>());
    pairs.map(|(a, b)| Some(remainder(a?, b.filter(|b| *b != T::Native::default())?))).collect()
}

/// `a % b`, null when b is 0. The answer of `pmod` (`positive`) has the sign of b.
fn remainder(arrays: &[ArrayRef], to: &FieldRef, positive: bool) -> Result<ArrayRef> {
    let (a, b) = (cast::to_type(&arrays[0], to.data_type())?, cast::to_type(&arrays[1], to.data_type())?);
    Ok(match to.data_type() {
        DataType::Decimal128(precision, scale) => {
            // `(a % b + b) % b` may exceed 128 bits.
            let remainder = |a: i128, b: i128| match a % b {
                rest if positive && rest.signum() == -b.signum() => rest + b,
                rest => rest,
            };
            let remainders: Decimal128Array = remainders::<Decimal128Type>(&a, &b, remainder);
            Arc::new(remainders.with_precision_and_scale(*precision, *scale)?)
        }
        DataType::Float32 => {
            let remainder = |a: f32, b: f32| if positive { (a % b + b) % b } else { a % b };
            Arc::new(remainders::<Float32Type>(&a, &b, remainder))
        }
        DataType::Float64 => {
            let remainder = |a: f64, b: f64| if positive { (a % b + b) % b } else { a % b };
            Arc::new(remainders::<Float64Type>(&a, &b, remainder))
        }
        whole => {
            let (a, b) = (cast::to_type(&a, &DataType::Int64)?, cast::to_type(&b, &DataType::Int64)?);
            let remainder = |a: i64, b: i64| match positive {
                true => a.wrapping_rem(b).wrapping_add(b).wrapping_rem(b),
                false => a.wrapping_rem(b),
            };
            let remainders: ArrayRef = Arc::new(remainders::<Int64Type>(&a, &b, remainder));
            cast::to_type(&remainders, whole)?
        }
    })
}

/// `format_number(number, decimals or pattern)`.
fn format_numbers(arrays: &[ArrayRef]) -> Result<ArrayRef> {
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
    Ok(Arc::new(texts.collect::<StringArray>()))
}

/// The sign of a decimal is an integer, that of other numbers a double.
fn sign_field(args: &ReturnFieldArgs) -> Result<FieldRef> {
    Ok(value_field(if args.arg_fields[0].data_type().is_decimal() { DataType::Int32 } else { DataType::Float64 }))
}

fn sign(arrays: &[ArrayRef], field: &FieldRef) -> Result<ArrayRef> {
    let doubles = cast::to_type(&arrays[0], &DataType::Float64)?;
    let signs = doubles
        .as_primitive::<Float64Type>()
        .unary::<_, Float64Type>(|value| if value == 0.0 || value.is_nan() { value.abs() } else { value.signum() });
    cast::to_type(&(Arc::new(signs) as ArrayRef), field.data_type())
}

/// 64-bit numbers keep their width; all others are shifted as 32-bit numbers.
fn shift_field(args: &ReturnFieldArgs) -> Result<FieldRef> {
    let long = *args.arg_fields[0].data_type() == DataType::Int64;
    Ok(value_field(if long { DataType::Int64 } else { DataType::Int32 }))
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
