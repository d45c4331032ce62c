//! Functions of numbers.

use super::rows::Kind::{Bytes, Double, Long, Text};
use super::rows::{Def, Row, Value, def, opt};

pub(super) const FUNCTIONS: &[Def] = &[
    def("exp", &[Double], Double, |row| Some(row.double(0)?.exp().into())),
    def("ln", &[Double], Double, |row| logarithm(row.double(0)?, f64::ln)),
    def("log2", &[Double], Double, |row| logarithm(row.double(0)?, f64::log2)),
    def("log10", &[Double], Double, |row| logarithm(row.double(0)?, f64::log10)),
    opt("log", 1, &[Double, Double], Double, |row| {
        if row.len() == 1 {
            return logarithm(row.double(0)?, f64::ln);
        }
        let (base, value) = (row.double(0)?, row.double(1)?);
        if base <= 1.0 || value <= 0.0 { None } else { Some((value.ln() / base.ln()).into()) }
    }),
    def("pow", &[Double, Double], Double, |row| Some(row.double(0)?.powf(row.double(1)?).into())),
    def("power", &[Double, Double], Double, |row| Some(row.double(0)?.powf(row.double(1)?).into())),
    def("sqrt", &[Double], Double, |row| {
        Some(row.double(0)?).filter(|value| *value >= 0.0).map(|value| value.sqrt().into())
    }),
    def("cbrt", &[Double], Double, |row| Some(row.double(0)?.cbrt().into())),
    def("sin", &[Double], Double, |row| Some(row.double(0)?.sin().into())),
    def("cos", &[Double], Double, |row| Some(row.double(0)?.cos().into())),
    def("tan", &[Double], Double, |row| Some(row.double(0)?.tan().into())),
    def("asin", &[Double], Double, |row| within_one(row.double(0)?, f64::asin)),
    def("acos", &[Double], Double, |row| within_one(row.double(0)?, f64::acos)),
    def("atan", &[Double], Double, |row| Some(row.double(0)?.atan().into())),
    def("degrees", &[Double], Double, |row| Some(row.double(0)?.to_degrees().into())),
    def("radians", &[Double], Double, |row| Some(row.double(0)?.to_radians().into())),
    def("e", &[], Double, |_| Some(std::f64::consts::E.into())),
    def("pi", &[], Double, |_| Some(std::f64::consts::PI.into())),
    def("factorial", &[Long], Long, |row| {
        let number = row.long(0).filter(|number| (0..=20).contains(number))?;
        Some((1..=number).product::<i64>().into())
    }),
    def("bin", &[Long], Text, |row| Some(format!("{:b}", row.long(0)?).into())),
    def("unhex", &[Text], Bytes, |row| {
        let digits = row.text(0)?;
        let even = if digits.len() % 2 == 0 { digits.to_string() } else { format!("0{digits}") };
        Some(Value::Bytes(::hex::decode(even).ok()?))
    }),
    def("conv", &[Text, Long, Long], Text, conv),
    def("hive_div", &[Long, Long], Long, |row| {
        let (value, by) = (row.long(0)?, row.long(1)?);
        if by == 0 { None } else { Some(value.wrapping_div(by).into()) }
    }),
    def("hive_divide", &[Double, Double], Double, |row| {
        let (value, by) = (row.double(0)?, row.double(1)?);
        if by == 0.0 { None } else { Some((value / by).into()) }
    }),
];

/// What is of numbers from -1 to 1 only.
fn within_one(value: f64, of: fn(f64) -> f64) -> Option<Value> {
    (value.is_nan() || value.abs() <= 1.0).then(|| of(value).into())
}

fn logarithm(value: f64, of: fn(f64) -> f64) -> Option<Value> {
    (value > 0.0).then(|| of(value).into())
}

/// Halves go away from zero, or to the even digit; decided on the digits that people see, as Java's BigDecimal does.
pub(super) fn round(value: f64, digits: i64, even: bool) -> f64 {
    if !value.is_finite() {
        return value;
    }
    if digits >= 0 {
        let shown = value.to_string();
        let fraction = shown.split_once('.').map_or(0, |(_, fraction)| fraction.len());
        if fraction as i64 <= digits {
            return value;
        }
    }
    // A power of ten may be none that a double holds.
    let moved = |number: f64, places: i64| format!("{number}e{places}").parse().unwrap_or(number);
    let scaled: f64 = moved(value, digits);
    let rounded = if even { scaled.round_ties_even() } else { scaled.round() };
    moved(rounded, digits.saturating_neg())
}

/// A number without the digits after a place.
pub(super) fn cut(value: f64, digits: i64) -> f64 {
    if !value.is_finite() || !(-308..=308).contains(&digits) {
        return value;
    }
    if digits < 0 {
        let power = 10f64.powi(digits.unsigned_abs() as i32);
        return (value / power).trunc() * power;
    }
    let shown = value.to_string();
    match shown.split_once('.') {
        Some((whole, fraction)) if fraction.len() as i64 > digits => {
            format!("{whole}.{}", &fraction[..digits as usize]).parse().unwrap_or(value)
        }
        _ => value,
    }
}

/// A number of one base in another; a negative base to convert to means signed. What needs more than 64 bits counts as
/// all ones, and so does the negative of what needs all 64.
fn conv(row: &Row<'_>) -> Option<Value> {
    let (text, from, to) = (row.text(0)?.trim(), row.long(1)?, row.long(2)?);
    let radix = u32::try_from(from).ok().filter(|radix| (2..=36).contains(radix))?;
    let to_radix = u32::try_from(to.unsigned_abs()).ok().filter(|radix| (2..=36).contains(radix))?;
    let (negative, digits) = text.strip_prefix('-').map_or((false, text), |digits| (true, digits));
    let mut value: u64 = 0;
    for digit in digits.chars().map_while(|digit| digit.to_digit(radix)) {
        value = value.checked_mul(radix.into()).and_then(|value| value.checked_add(digit.into())).unwrap_or(u64::MAX);
    }
    let top = (value as i64) < 0;
    let (mut left, minus) = match (to < 0, negative) {
        (false, true) if top => (u64::MAX, false),
        (false, true) => (value.wrapping_neg(), false),
        (true, _) if top => (value.wrapping_neg(), true),
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
    fn rounding_goes_by_the_digits_people_see() {
        assert_eq!(round(2.5, 0, false), 3.0);
        assert_eq!(round(-2.5, 0, false), -3.0);
        assert_eq!(round(2.5, 0, true), 2.0);
        assert_eq!(round(1.005, 2, false), 1.01);
        assert_eq!(round(1234.5, -2, false), 1200.0);
        assert_eq!(round(f64::NAN, 1, false).to_string(), "NaN");
    }
}
