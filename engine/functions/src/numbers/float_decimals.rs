//! Doubles and reals as decimals, by the shortest text that reads back as the same number, as in Hive and Trino: 0.1 is 0.1, and
//! 1000000007 has nothing behind its point. The built-in cast multiplies the double, and takes the noise of that for digits.

use std::fmt::LowerExp;

use arrow::array::PrimitiveArray;
use arrow::datatypes::{ArrowPrimitiveType, Decimal128Type, Decimal256Type, DecimalType, Float32Type, i256};
use arrow::error::ArrowError;
use datafusion::prelude::lit;

use crate::prelude::*;

/// Digits that a double always keeps.
const SAFE_DIGITS: i32 = 15;

/// The powers of ten that doubles hold exactly.
const POWERS: [f64; 23] = [
    1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20,
    1e21, 1e22,
];

/// A number as its digits, 17 at most, and the power of ten that they are multiplied by.
type Digits = (i64, i32);

fn udf(definition: Definition, lenient: bool) -> ScalarUDF {
    let typed = |args: &ReturnFieldArgs<'_>| returns(args.arg_fields[1].data_type().clone())(args);
    definition.udf(2..=2, typed, move |args, to| decimals_of_floats(&args[0], to.data_type(), lenient))
}

/// A double or a real as a decimal of this type, null for one that is too large when `lenient`; `None` if there is no such type.
pub fn decimal_of_float(number: Expr, to: &DataType, lenient: bool) -> Option<Expr> {
    let typed = match to {
        DataType::Decimal128(digits, behind) => ScalarValue::Decimal128(None, *digits, *behind),
        DataType::Decimal256(digits, behind) => ScalarValue::Decimal256(None, *digits, *behind),
        _ => return None,
    };
    let function = match lenient {
        true => shared!(udf(undocumented("decimal_of_float_or_null"), true)),
        false => shared!(udf(undocumented("decimal_of_float").fallible(), false)),
    };
    Some(function.call(vec![number, lit(typed)]))
}

/// Doubles or reals as decimals of a type; one that is too large is an error, or null when `lenient`. Anything else is cast as it
/// always is.
pub(crate) fn decimals_of_floats(floats: &ArrayRef, to: &DataType, lenient: bool) -> Result<ArrayRef> {
    match floats.data_type() {
        DataType::Float64 => {
            let digits = |value: f64| few_digits(value).or_else(|| shortest_digits(value));
            decimals(floats.as_primitive::<Float64Type>(), digits, to, lenient)
        }
        DataType::Float32 => decimals(floats.as_primitive::<Float32Type>(), shortest_digits, to, lenient),
        _ if lenient => Ok(cast(floats, to)?),
        _ => Ok(strict_cast(floats, to)?),
    }
}

fn decimals<F: ArrowPrimitiveType>(
    floats: &PrimitiveArray<F>,
    digits: impl Fn(F::Native) -> Option<Digits>,
    to: &DataType,
    lenient: bool,
) -> Result<ArrayRef> {
    match *to {
        DataType::Decimal128(precision, scale) => {
            let fits = |value: &i128| Decimal128Type::is_valid_decimal_precision(*value, precision);
            let decimal = |value| scaled(digits(value)?, scale).filter(fits);
            let values = converted::<F, Decimal128Type>(floats, decimal, to, lenient)?;
            Ok(Arc::new(values.with_precision_and_scale(precision, scale)?))
        }
        DataType::Decimal256(precision, scale) => {
            let fits = |value: &i256| Decimal256Type::is_valid_decimal_precision(*value, precision);
            let decimal = |value| {
                let digits = digits(value)?;
                scaled(digits, scale).map(i256::from_i128).or_else(|| widely_scaled(digits, scale)).filter(fits)
            };
            let values = converted::<F, Decimal256Type>(floats, decimal, to, lenient)?;
            Ok(Arc::new(values.with_precision_and_scale(precision, scale)?))
        }
        _ if lenient => Ok(cast(floats, to)?),
        _ => Ok(strict_cast(floats, to)?),
    }
}

fn converted<F: ArrowPrimitiveType, D: DecimalType>(
    floats: &PrimitiveArray<F>,
    decimal: impl Fn(F::Native) -> Option<D::Native>,
    to: &DataType,
    lenient: bool,
) -> Result<PrimitiveArray<D>, ArrowError> {
    if lenient {
        return Ok(floats.unary_opt::<_, D>(decimal));
    }
    // The error of the built-in cast.
    let too_large = |value: F::Native| ArrowError::CastError(format!("Cannot cast to {to}. Overflowing on {value:?}"));
    floats.try_unary::<_, D, ArrowError>(|value| decimal(value).ok_or_else(|| too_large(value)))
}

/// The digits of a double that has few, without its text. Two numbers of so many digits are never the same double, so no shorter
/// text is another number.
fn few_digits(value: f64) -> Option<Digits> {
    if value == 0.0 {
        return Some((0, 0));
    }
    // Infinity and NaN end in the last line.
    let before = value.abs().log10().floor() as i32;
    let behind = (SAFE_DIGITS - 1).saturating_sub(before).min(POWERS.len() as i32 - 1);
    let power = POWERS.get(usize::try_from(behind).ok()?)?;
    let digits = (value * power).round();
    // The quotient of two exact doubles is the double that is nearest to the number with these digits.
    (digits.abs() < 1e15 && digits / power == value).then_some((digits as i64, -behind))
}

/// The fewest digits that read back as the same number; `None` for infinity and NaN.
fn shortest_digits(value: impl LowerExp) -> Option<Digits> {
    let text = format!("{value:e}");
    let (mantissa, exponent) = text.split_once('e')?;
    let (sign, number) = match mantissa.strip_prefix('-') {
        Some(number) => (-1, number),
        None => (1, mantissa),
    };
    let behind = number.split_once('.').map_or(0, |(_, behind)| behind.len() as i32);
    let digits = number.bytes().filter(u8::is_ascii_digit).fold(0_i64, |all, digit| all * 10 + i64::from(digit - b'0'));
    Some((sign * digits, exponent.parse::<i32>().ok()? - behind))
}

/// The number with so many digits behind its point, halves rounded away from zero; `None` beyond 128 bits.
fn scaled((digits, exponent): Digits, scale: i8) -> Option<i128> {
    let shift = exponent + i32::from(scale);
    if digits == 0 {
        return Some(0);
    }
    if shift >= 0 {
        return i128::from(digits).checked_mul(10_i128.checked_pow(shift.unsigned_abs())?);
    }
    // Divided by a larger power than 64 bits hold, 17 digits are nothing.
    let Some(divisor) = 10_i64.checked_pow(shift.unsigned_abs()) else { return Some(0) };
    let rest = (digits % divisor).abs();
    let up = if rest >= divisor - rest { digits.signum() } else { 0 };
    Some(i128::from(digits / divisor + up))
}

/// The same for a number beyond 128 bits.
fn widely_scaled((digits, exponent): Digits, scale: i8) -> Option<i256> {
    let power = i256::from_i128(10).checked_pow(u32::try_from(exponent + i32::from(scale)).ok()?)?;
    i256::from_i128(digits.into()).checked_mul(power)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn doubles_have_their_shortest_digits() {
        let digits = |value: f64| few_digits(value).or_else(|| shortest_digits(value));
        for (value, scale, wanted) in [
            (1_000_000_007.0, 2, Some(100_000_000_700)),
            (0.1, 18, Some(100_000_000_000_000_000)),
            (-0.1, 3, Some(-100)),
            (1e20, 6, Some(100_000_000_000_000_000_000_000_000)),
            (0.1 + 0.2, 18, Some(300_000_000_000_000_040)),
            (2.5, 0, Some(3)),
            (-2.5, 0, Some(-3)),
            (1.005, 2, Some(101)),
            (0.49999999999999994, 0, Some(0)),
            (5e-324, 18, Some(0)),
            (-0.0, 5, Some(0)),
            (1e39, 0, None),
            (f64::MAX, 0, None),
            (f64::INFINITY, 0, None),
            (f64::NAN, 0, None),
        ] {
            assert_eq!(digits(value).and_then(|digits| scaled(digits, scale)), wanted, "{value}");
        }
        assert_eq!(scaled(shortest_digits(0.1_f32).unwrap(), 9), Some(100_000_000));
        assert_eq!(widely_scaled(digits(1e39).unwrap(), 0), i256::from_string(&format!("1{}", "0".repeat(39))));
    }

    #[test]
    fn few_digits_are_the_shortest_ones() {
        let same = |value: f64| {
            let scaled = |digits: Digits| scaled(digits, 18);
            match few_digits(value) {
                Some(few) => scaled(few) == shortest_digits(value).and_then(scaled),
                None => true,
            }
        };
        let values = (1..2_000).flat_map(|n| [n as f64 / 7.0, n as f64 / 100.0, n as f64 * 12_345.678_9]);
        assert!(values.into_iter().all(same));
        assert!(few_digits(12.34).is_some() && few_digits(1.0 / 3.0).is_none());
    }
}
