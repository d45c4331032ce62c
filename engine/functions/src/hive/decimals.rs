//! Arithmetic of decimals with Hive's precision: a result of more than 38 digits loses fraction digits, but keeps six of them; one
//! that still does not fit is null.

use arrow::array::Decimal128Array;
use arrow::datatypes::{Decimal128Type, i256};

use crate::prelude::*;

const MAX_PRECISION: i32 = 38;
/// Fraction digits that a long result keeps.
const MIN_SCALE: i32 = 6;

/// Precision and scale.
type Digits = (i32, i32);

pub(super) fn functions() -> Vec<ScalarUDF> {
    let decimal_udf = |name: &'static str,
                       digits: fn(Digits, Digits) -> Digits,
                       kernel: fn(&[ArrayRef], &FieldRef) -> Result<ArrayRef>| {
        scalar_udf(name, 2..=2, move |args: &ReturnFieldArgs<'_>| decimal_field(args, digits), kernel)
    };
    vec![
        decimal_udf("hive_decimal_divide", quotient, divide),
        decimal_udf("hive_decimal_div", |_, _| (MAX_PRECISION, 0), divide_whole),
        decimal_udf("hive_decimal_multiply", product, |arrays, to| {
            combine(arrays, to, |(a, _), (b, _)| a.checked_mul(b), |s1, s2| s1 + s2)
        }),
        decimal_udf("hive_decimal_add", sum, |arrays, to| {
            combine(arrays, to, |a, b| rescaled(a, b.1)?.checked_add(rescaled(b, a.1)?), i32::max)
        }),
        decimal_udf("hive_decimal_subtract", sum, |arrays, to| {
            combine(arrays, to, |a, b| rescaled(a, b.1)?.checked_sub(rescaled(b, a.1)?), i32::max)
        }),
    ]
}

/// Whether `+`, `-` or `*` of decimals needs more digits than decimals have.
pub fn is_too_long(multiplied: bool, a: &DataType, b: &DataType) -> bool {
    let (Some(a), Some(b)) = (digits(a), digits(b)) else { return false };
    (if multiplied { product(a, b) } else { sum(a, b) }).0 > MAX_PRECISION
}

fn digits(data_type: &DataType) -> Option<Digits> {
    match data_type {
        DataType::Decimal128(precision, scale) => Some((i32::from(*precision), i32::from(*scale))),
        _ => None,
    }
}

/// At least six digits after the point.
fn quotient((p1, s1): Digits, (p2, s2): Digits) -> Digits {
    let scale = (s1 + p2 + 1).max(MIN_SCALE);
    (p1 - s1 + s2 + scale, scale)
}

fn product((p1, s1): Digits, (p2, s2): Digits) -> Digits {
    (p1 + p2 + 1, s1 + s2)
}

fn sum((p1, s1): Digits, (p2, s2): Digits) -> Digits {
    let scale = s1.max(s2);
    ((p1 - s1).max(p2 - s2) + scale + 1, scale)
}

fn no_decimals() -> DataFusionError {
    invalid("Both operands must be decimals.")
}

fn decimal_field(args: &ReturnFieldArgs, of: fn(Digits, Digits) -> Digits) -> Result<FieldRef> {
    let digits = |index: usize| digits(args.arg_fields[index].data_type()).ok_or_else(no_decimals);
    let (precision, scale) = of(digits(0)?, digits(1)?);
    let (precision, scale) = match precision > MAX_PRECISION {
        true => (MAX_PRECISION, (MAX_PRECISION - (precision - scale)).max(scale.min(MIN_SCALE))),
        false => (precision, scale),
    };
    Ok(Arc::new(Field::new("value", DataType::Decimal128(precision as u8, scale as i8), true)))
}

/// A number without its point, and its scale.
type Scaled = (i256, i32);

/// A number in the scale of another one, if that is larger.
fn rescaled((value, scale): Scaled, other: i32) -> Option<i256> {
    value.checked_mul(i256::from_i128(10).checked_pow((other - scale).max(0) as u32)?)
}

/// A power of ten.
fn power_of_ten(exponent: i32) -> Result<i256> {
    let power = i256::from_i128(10).checked_pow(exponent.max(0) as u32);
    power.ok_or_else(|| invalid("The decimals have too many digits."))
}

fn combine(
    arrays: &[ArrayRef],
    to: &FieldRef,
    of: fn(Scaled, Scaled) -> Option<i256>,
    scale_of: fn(i32, i32) -> i32,
) -> Result<ArrayRef> {
    let (_, scale) = digits(to.data_type()).ok_or_else(no_decimals)?;
    each(arrays, to, |(s1, s2)| {
        let power = power_of_ten(scale_of(s1, s2) - scale)?;
        Ok(move |a, b| round_quotient(of((a, s1), (b, s2))?, power))
    })
}

fn divide(arrays: &[ArrayRef], to: &FieldRef) -> Result<ArrayRef> {
    let (_, scale) = digits(to.data_type()).ok_or_else(no_decimals)?;
    each(arrays, to, |(s1, s2)| {
        let power = power_of_ten(scale + s2 - s1)?;
        Ok(move |value: i256, by| round_quotient(value.checked_mul(power)?, by))
    })
}

/// A quotient without its digits behind the point.
fn divide_whole(arrays: &[ArrayRef], to: &FieldRef) -> Result<ArrayRef> {
    each(arrays, to, |(s1, s2)| Ok(move |value, by| rescaled((value, s1), s2)?.checked_div(rescaled((by, s2), s1)?)))
}

/// A quotient, rounded half away from zero; `None` for one by zero.
fn round_quotient(value: i256, by: i256) -> Option<i256> {
    let (whole, rest) = (value.checked_div(by)?, value.checked_rem(by)?);
    let half = rest.wrapping_abs().checked_mul(i256::from_i128(2))? >= by.wrapping_abs();
    let away = if value.is_negative() == by.is_negative() { i256::ONE } else { i256::MINUS_ONE };
    if half { whole.checked_add(away) } else { Some(whole) }
}

/// Computes a decimal of each pair, by a function that is made for their scales; null where it does not fit.
fn each<F: Fn(i256, i256) -> Option<i256>>(
    arrays: &[ArrayRef],
    to: &FieldRef,
    function: impl FnOnce((i32, i32)) -> Result<F>,
) -> Result<ArrayRef> {
    let digits = |data_type| digits(data_type).ok_or_else(no_decimals);
    let (precision, scale) = digits(to.data_type())?;
    let function = function((digits(arrays[0].data_type())?.1, digits(arrays[1].data_type())?.1))?;
    let pairs = arrays[0].as_primitive::<Decimal128Type>().iter().zip(arrays[1].as_primitive::<Decimal128Type>());
    let value = |(a, b): (Option<i128>, Option<i128>)| {
        let value = function(i256::from_i128(a?), i256::from_i128(b?))?.to_i128()?;
        (value.unsigned_abs().checked_ilog10().unwrap_or(0) < precision as u32).then_some(value)
    };
    let values: Decimal128Array = pairs.map(value).collect();
    Ok(Arc::new(values.with_precision_and_scale(precision as u8, scale as i8)?))
}
