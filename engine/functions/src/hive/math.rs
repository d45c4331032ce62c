//! Functions of numbers.

use super::row_functions::Kind::{Bytes, Double, Long, Text};
use super::row_functions::{Row, Value, optional_udf, udf};
use crate::prelude::*;

/// The name of a function of one double, the function, and the numbers that it is defined for.
type OfDouble = (&'static str, fn(f64) -> f64, fn(f64) -> bool);

const OF_DOUBLES: [OfDouble; 14] = [
    ("exp", f64::exp, is_any),
    ("ln", f64::ln, is_positive),
    ("log2", f64::log2, is_positive),
    ("log10", f64::log10, is_positive),
    ("sqrt", f64::sqrt, |value| value >= 0.0),
    ("cbrt", f64::cbrt, is_any),
    ("sin", f64::sin, is_any),
    ("cos", f64::cos, is_any),
    ("tan", f64::tan, is_any),
    ("asin", f64::asin, is_within_one),
    ("acos", f64::acos, is_within_one),
    ("atan", f64::atan, is_any),
    ("degrees", f64::to_degrees, is_any),
    ("radians", f64::to_radians, is_any),
];

fn is_any(_: f64) -> bool {
    true
}

fn is_positive(value: f64) -> bool {
    value > 0.0
}

fn is_within_one(value: f64) -> bool {
    value.is_nan() || value.abs() <= 1.0
}

pub(super) fn functions() -> Vec<ScalarUDF> {
    let of_double = |(name, function, is_defined): OfDouble| {
        udf(name, &[Double], Double, move |row| {
            row.double(0).filter(|value| is_defined(*value)).map(|value| function(value).into())
        })
    };
    let power = |name| udf(name, &[Double, Double], Double, |row| Some(row.double(0)?.powf(row.double(1)?).into()));
    let mut all: Vec<ScalarUDF> = OF_DOUBLES.into_iter().map(of_double).collect();
    all.extend([
        power("pow"),
        power("power"),
        optional_udf("log", 1, &[Double, Double], Double, |row| {
            let first = row.double(0)?;
            if row.len() == 1 {
                return is_positive(first).then(|| first.ln().into());
            }
            let value = row.double(1)?;
            if first <= 1.0 || value <= 0.0 { None } else { Some((value.ln() / first.ln()).into()) }
        }),
        udf("e", &[], Double, |_| Some(std::f64::consts::E.into())),
        udf("pi", &[], Double, |_| Some(std::f64::consts::PI.into())),
        udf("factorial", &[Long], Long, |row| {
            let number = row.long(0).filter(|number| (0..=20).contains(number))?;
            Some((1..=number).product::<i64>().into())
        }),
        udf("bin", &[Long], Text, |row| Some(format!("{:b}", row.long(0)?).into())),
        udf("unhex", &[Text], Bytes, |row| {
            let digits = row.text(0)?;
            let even = if digits.len() % 2 == 0 { digits.to_string() } else { format!("0{digits}") };
            Some(::hex::decode(even).ok()?.into())
        }),
        udf("conv", &[Text, Long, Long], Text, conv),
        udf("hive_div", &[Long, Long], Long, |row| {
            let (value, by) = (row.long(0)?, row.long(1)?);
            (by != 0).then(|| value.wrapping_div(by).into())
        }),
        udf("hive_divide", &[Double, Double], Double, |row| {
            let (value, by) = (row.double(0)?, row.double(1)?);
            (by != 0.0).then(|| (value / by).into())
        }),
    ]);
    all
}

/// Rounds halves away from zero, or to the even digit, by the decimal digits of the number, as Java's BigDecimal does.
pub(super) fn round(value: f64, digits: i64, even: bool) -> f64 {
    if !value.is_finite() {
        return value;
    }
    if digits >= 0 {
        let decimal = value.to_string();
        let fraction = decimal.split_once('.').map_or(0, |(_, fraction)| fraction.len());
        if fraction as i64 <= digits {
            return value;
        }
    }
    // A power of ten may be out of the range of doubles, so the exponent is changed in the text.
    let moved = |number: f64, places: i64| format!("{number}e{places}").parse().unwrap_or(number);
    let scaled: f64 = moved(value, digits);
    let rounded = if even { scaled.round_ties_even() } else { scaled.round() };
    moved(rounded, digits.saturating_neg())
}

/// Cuts the digits after a place.
pub(super) fn truncate(value: f64, digits: i64) -> f64 {
    if !value.is_finite() || !(-308..=308).contains(&digits) {
        return value;
    }
    if digits < 0 {
        let power = 10f64.powi(digits.unsigned_abs() as i32);
        return (value / power).trunc() * power;
    }
    let decimal = value.to_string();
    match decimal.split_once('.') {
        Some((whole, fraction)) if fraction.len() as i64 > digits => {
            format!("{whole}.{}", &fraction[..digits as usize]).parse().unwrap_or(value)
        }
        _ => value,
    }
}

/// Converts a number to another base; a negative one to convert to means signed. A number of more than 64 bits is all ones, and so
/// is the negative of one that needs all 64.
fn conv(row: &Row<'_>) -> Option<Value> {
    let (text, from, to) = (row.text(0)?.trim(), row.long(1)?, row.long(2)?);
    let radix = u32::try_from(from).ok().filter(|radix| (2..=36).contains(radix))?;
    let to_radix = u32::try_from(to.unsigned_abs()).ok().filter(|radix| (2..=36).contains(radix))?;
    let (negative, digits) = text.strip_prefix('-').map_or((false, text), |digits| (true, digits));
    let mut value: u64 = 0;
    for digit in digits.chars().map_while(|digit| digit.to_digit(radix)) {
        value = value.checked_mul(radix.into()).and_then(|value| value.checked_add(digit.into())).unwrap_or(u64::MAX);
    }
    let top_bit = (value as i64) < 0;
    let (mut left, minus) = match (to < 0, negative) {
        (false, true) if top_bit => (u64::MAX, false),
        (false, true) => (value.wrapping_neg(), false),
        (true, _) if top_bit => (value.wrapping_neg(), true),
        (signed, negative) => (value, signed && negative),
    };
    let mut out = Vec::new();
    loop {
        out.extend(
            char::from_digit((left % u64::from(to_radix)) as u32, to_radix).map(|digit| digit.to_ascii_uppercase()),
        );
        left /= u64::from(to_radix);
        if left == 0 {
            break;
        }
    }
    if minus {
        out.push('-');
    }
    Some(out.iter().rev().collect::<String>().into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_rounded_by_their_decimal_digits() {
        assert_eq!(round(2.5, 0, false), 3.0);
        assert_eq!(round(-2.5, 0, false), -3.0);
        assert_eq!(round(2.5, 0, true), 2.0);
        assert_eq!(round(1.005, 2, false), 1.01);
        assert_eq!(round(1234.5, -2, false), 1200.0);
        assert_eq!(round(f64::NAN, 1, false).to_string(), "NaN");
    }
}
