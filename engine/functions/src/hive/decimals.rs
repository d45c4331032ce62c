//! Arithmetic of decimals with Hive's precision: what needs more than 38 digits gives up digits behind the point, but keeps
//! six of them; what does not fit then is null.

use std::sync::Arc;

use arrow::array::{Array, ArrayRef, AsArray, Decimal128Array};
use arrow::datatypes::{DataType, Decimal128Type, Field, FieldRef, i256};
use datafusion::common::Result;
use datafusion::logical_expr::{ReturnFieldArgs, ScalarUDF};

use crate::simple::Simple;
use quarry_types::invalid;

/// Digits that a decimal has at most, and those behind the point that it keeps.
const MOST: i32 = 38;
const KEPT: i32 = 6;

/// Precision and scale.
type Digits = (i32, i32);

pub(super) fn functions() -> Vec<ScalarUDF> {
    vec![
        Simple::udf("hive_decimal_divide", 2..=2, None, |args| typed(args, quotient), divide),
        Simple::udf("hive_decimal_div", 2..=2, None, |args| typed(args, |_, _| (MOST, 0)), whole),
        Simple::udf(
            "hive_decimal_multiply",
            2..=2,
            None,
            |args| typed(args, product),
            |arrays, field| combine(arrays, field, |(a, _), (b, _)| a.checked_mul(b), |s1, s2| s1 + s2),
        ),
        Simple::udf(
            "hive_decimal_add",
            2..=2,
            None,
            |args| typed(args, sum),
            |arrays, field| combine(arrays, field, |a, b| level(a, b.1)?.checked_add(level(b, a.1)?), i32::max),
        ),
        Simple::udf(
            "hive_decimal_subtract",
            2..=2,
            None,
            |args| typed(args, sum),
            |arrays, field| combine(arrays, field, |a, b| level(a, b.1)?.checked_sub(level(b, a.1)?), i32::max),
        ),
    ]
}

/// Whether `+`, `-` or `*` of decimals needs more digits than there are.
pub fn too_long(multiplied: bool, a: &DataType, b: &DataType) -> bool {
    let (Some(a), Some(b)) = (digits(a), digits(b)) else { return false };
    (if multiplied { product(a, b) } else { sum(a, b) }).0 > MOST
}

fn digits(data_type: &DataType) -> Option<Digits> {
    match data_type {
        DataType::Decimal128(precision, scale) => Some((i32::from(*precision), i32::from(*scale))),
        _ => None,
    }
}

/// At least six digits after the point.
fn quotient((p1, s1): Digits, (p2, s2): Digits) -> Digits {
    let scale = (s1 + p2 + 1).max(KEPT);
    (p1 - s1 + s2 + scale, scale)
}

fn product((p1, s1): Digits, (p2, s2): Digits) -> Digits {
    (p1 + p2 + 1, s1 + s2)
}

fn sum((p1, s1): Digits, (p2, s2): Digits) -> Digits {
    let scale = s1.max(s2);
    ((p1 - s1).max(p2 - s2) + scale + 1, scale)
}

fn typed(args: &ReturnFieldArgs, of: fn(Digits, Digits) -> Digits) -> Result<FieldRef> {
    let (Some(a), Some(b)) = (digits(args.arg_fields[0].data_type()), digits(args.arg_fields[1].data_type())) else {
        return Err(invalid("Decimals are reckoned with decimals."));
    };
    let (precision, scale) = of(a, b);
    let (precision, scale) = match precision > MOST {
        true => (MOST, (MOST - (precision - scale)).max(scale.min(KEPT))),
        false => (precision, scale),
    };
    Ok(Arc::new(Field::new("value", DataType::Decimal128(precision as u8, scale as i8), true)))
}

/// A number without its point, and its scale.
type Scaled = (i256, i32);

/// A number in the scale of another one when that is larger.
fn level((value, scale): Scaled, other: i32) -> Option<i256> {
    value.checked_mul(i256::from_i128(10).checked_pow((other - scale).max(0) as u32)?)
}

fn combine(
    arrays: &[ArrayRef],
    field: &FieldRef,
    of: fn(Scaled, Scaled) -> Option<i256>,
    scale_of: fn(i32, i32) -> i32,
) -> Result<ArrayRef> {
    let (s1, s2) = (scale(&arrays[0])?, scale(&arrays[1])?);
    let (precision, scale) = field_digits(field)?;
    let power = i256::from_i128(10).checked_pow((scale_of(s1, s2) - i32::from(scale)).max(0) as u32);
    let power = power.ok_or_else(|| invalid("The decimals have too many digits."))?;
    let one = |(a, b): (Option<i128>, Option<i128>)| {
        let whole = of((i256::from_i128(a?), s1), (i256::from_i128(b?), s2))?;
        fitting(rounded(whole, power)?, precision)
    };
    gathered(arrays, field, one)
}

fn divide(arrays: &[ArrayRef], field: &FieldRef) -> Result<ArrayRef> {
    let (s1, s2) = (scale(&arrays[0])?, scale(&arrays[1])?);
    let (precision, scale) = field_digits(field)?;
    let power = i256::from_i128(10).checked_pow((i32::from(scale) + s2 - s1).max(0) as u32);
    let power = power.ok_or_else(|| invalid("The decimals have too many digits to be divided."))?;
    let one = |(value, by): (Option<i128>, Option<i128>)| {
        let (value, by) = (i256::from_i128(value?), i256::from_i128(by.filter(|by| *by != 0)?));
        fitting(rounded(value.checked_mul(power)?, by)?, precision)
    };
    gathered(arrays, field, one)
}

/// A quotient without its digits behind the point.
fn whole(arrays: &[ArrayRef], field: &FieldRef) -> Result<ArrayRef> {
    let (s1, s2) = (scale(&arrays[0])?, scale(&arrays[1])?);
    let (precision, _) = field_digits(field)?;
    let one = |(value, by): (Option<i128>, Option<i128>)| {
        let (value, by) = ((i256::from_i128(value?), s1), (i256::from_i128(by?), s2));
        fitting(level(value, s2)?.checked_div(level(by, s1)?)?, precision)
    };
    gathered(arrays, field, one)
}

/// A quotient; halves go away from zero.
fn rounded(value: i256, by: i256) -> Option<i256> {
    let (whole, rest) = (value.checked_div(by)?, value.checked_rem(by)?);
    let half = rest.wrapping_abs().checked_mul(i256::from_i128(2))? >= by.wrapping_abs();
    let away = if value.is_negative() == by.is_negative() { i256::ONE } else { i256::MINUS_ONE };
    if half { whole.checked_add(away) } else { Some(whole) }
}

fn fitting(value: i256, precision: u8) -> Option<i128> {
    value.to_i128().filter(|value| value.unsigned_abs().checked_ilog10().unwrap_or(0) < u32::from(precision))
}

fn scale(array: &ArrayRef) -> Result<i32> {
    digits(array.data_type()).map(|(_, scale)| scale).ok_or_else(|| invalid("Decimals are reckoned with decimals."))
}

fn field_digits(field: &FieldRef) -> Result<(u8, i8)> {
    match field.data_type() {
        DataType::Decimal128(precision, scale) => Ok((*precision, *scale)),
        _ => Err(invalid("Decimals are reckoned with decimals.")),
    }
}

fn gathered(
    arrays: &[ArrayRef],
    field: &FieldRef,
    one: impl Fn((Option<i128>, Option<i128>)) -> Option<i128>,
) -> Result<ArrayRef> {
    let (precision, scale) = field_digits(field)?;
    let pairs = arrays[0].as_primitive::<Decimal128Type>().iter().zip(arrays[1].as_primitive::<Decimal128Type>());
    let values: Decimal128Array = pairs.map(one).collect();
    Ok(Arc::new(values.with_precision_and_scale(precision, scale)?))
}
