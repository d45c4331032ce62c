//! Arithmetic: integers are exact or an error, amounts of the chain have 512 bits, floats follow IEEE 754.

use std::cmp::Ordering;

use alloy_primitives::U256;
use alloy_primitives::aliases::{I512, U512};

use super::Value;
use quarry_types::{Error, ErrorCode, Result};

/// The five operations on numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Arithmetic {
    Add,
    Subtract,
    Multiply,
    Divide,
    Remainder,
}

impl Arithmetic {
    pub fn symbol(self) -> &'static str {
        match self {
            Arithmetic::Add => "+",
            Arithmetic::Subtract => "-",
            Arithmetic::Multiply => "*",
            Arithmetic::Divide => "/",
            Arithmetic::Remainder => "%",
        }
    }
}

/// One operation on two numbers; `None` when one of them is no number.
pub(crate) fn arithmetic(operation: Arithmetic, a: &Value, b: &Value) -> Option<Result<Value>> {
    let outcome = match (a, b) {
        (Value::Int(a), Value::Int(b)) => integers(operation, *a, *b).map(Value::Int),
        (Value::Int(_) | Value::Amount(_), Value::Int(_) | Value::Amount(_)) => {
            amounts(operation, wide(a)?, wide(b)?).map(Value::amount)
        }
        _ => Ok(Value::Float(floats(operation, as_f64(a)?, as_f64(b)?))),
    };
    Some(outcome)
}

fn integers(operation: Arithmetic, a: i64, b: i64) -> Result<i64> {
    match operation {
        Arithmetic::Add => a.checked_add(b),
        Arithmetic::Subtract => a.checked_sub(b),
        Arithmetic::Multiply => a.checked_mul(b),
        Arithmetic::Divide | Arithmetic::Remainder if b == 0 => return Err(division_by_zero()),
        Arithmetic::Divide => a.checked_div(b),
        Arithmetic::Remainder => Some(a.wrapping_rem(b)),
    }
    .ok_or_else(|| overflow(format!("{a} {} {b} is out of range for a 64-bit integer.", operation.symbol())))
}

fn amounts(operation: Arithmetic, a: I512, b: I512) -> Result<I512> {
    match operation {
        Arithmetic::Add => a.checked_add(b),
        Arithmetic::Subtract => a.checked_sub(b),
        Arithmetic::Multiply => a.checked_mul(b),
        Arithmetic::Divide | Arithmetic::Remainder if b.is_zero() => return Err(division_by_zero()),
        Arithmetic::Divide => a.checked_div(b),
        Arithmetic::Remainder => a.checked_rem(b),
    }
    .ok_or_else(|| overflow("The number is too large; an amount has at most 512 bits.".to_string()))
}

fn floats(operation: Arithmetic, a: f64, b: f64) -> f64 {
    match operation {
        Arithmetic::Add => a + b,
        Arithmetic::Subtract => a - b,
        Arithmetic::Multiply => a * b,
        Arithmetic::Divide => a / b,
        Arithmetic::Remainder => a % b,
    }
}

/// The number with the other sign; `None` when it is no number.
pub(crate) fn negate(value: &Value) -> Option<Result<Value>> {
    match value {
        Value::Float(number) => Some(Ok(Value::Float(-number))),
        _ => arithmetic(Arithmetic::Subtract, &Value::Int(0), value),
    }
}

/// The nearest float of a number.
pub(crate) fn as_f64(value: &Value) -> Option<f64> {
    match value {
        Value::Int(number) => Some(*number as f64),
        Value::Float(number) => Some(*number),
        Value::Amount(number) => number.to_string().parse().ok(),
        _ => None,
    }
}

/// A whole float as an integer of any size, so that it compares exactly.
pub(crate) fn exact_float(number: f64) -> Option<I512> {
    if number.fract() != 0.0 || !number.is_finite() {
        return None;
    }
    format!("{number:.0}").parse().ok()
}

/// A whole number by its digits: an integer if it fits 64 bits, else an amount of up to 256 bits; `None` for larger ones.
pub(crate) fn whole(digits: &str, radix: u32, negative: bool) -> Option<Value> {
    let sign = if negative { "-" } else { "" };
    if digits.is_empty() || !digits.chars().all(|digit| digit.is_digit(radix)) {
        return None;
    }
    if let Ok(number) = i64::from_str_radix(&format!("{sign}{digits}"), radix) {
        return Some(Value::Int(number));
    }
    let size = I512::from_raw(U512::from(U256::from_str_radix(digits, radix.into()).ok()?));
    Some(Value::amount(if negative { -size } else { size }))
}

fn wide(value: &Value) -> Option<I512> {
    match value {
        Value::Int(number) => I512::try_from(*number).ok(),
        Value::Amount(number) => Some(**number),
        _ => None,
    }
}

pub(super) fn is_nan(value: &Value) -> bool {
    matches!(value, Value::Float(number) if number.is_nan())
}

/// Compares two numbers exactly, of any types; `None` when one is NaN.
pub(super) fn compare_numbers(a: &Value, b: &Value) -> Option<Ordering> {
    match (a, b) {
        (Value::Int(a), Value::Int(b)) => Some(a.cmp(b)),
        (Value::Float(a), Value::Float(b)) => a.partial_cmp(b),
        (Value::Float(a), _) => compare_with_float(b, *a).map(Ordering::reverse),
        (_, Value::Float(b)) => compare_with_float(a, *b),
        _ => Some(wide(a)?.cmp(&wide(b)?)),
    }
}

fn compare_with_float(whole: &Value, float: f64) -> Option<Ordering> {
    if float.is_nan() {
        return None;
    }
    let near = as_f64(whole)?.partial_cmp(&float)?;
    if near.is_ne() {
        return Some(near);
    }
    // The nearest floats are equal: only whole numbers can be, and they decide exactly.
    Some(exact_float(float).map_or(Ordering::Equal, |float| wide(whole).map_or(Ordering::Equal, |w| w.cmp(&float))))
}

fn overflow(message: String) -> Error {
    Error::new(ErrorCode::Arithmetic, message)
}

fn division_by_zero() -> Error {
    Error::new(ErrorCode::Arithmetic, "Division by zero.")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn integers_overflow_as_an_error_and_amounts_stay_exact() {
        let max = Value::Int(i64::MAX);
        let sum = arithmetic(Arithmetic::Add, &max, &Value::Int(1)).unwrap();
        assert_eq!(sum.unwrap_err().code, ErrorCode::Arithmetic);
        let amount = Value::amount(I512::try_from(1).unwrap());
        let Value::Amount(sum) = arithmetic(Arithmetic::Add, &max, &amount).unwrap().unwrap() else { panic!() };
        assert_eq!(sum.to_string(), "9223372036854775808");
        assert!(arithmetic(Arithmetic::Divide, &max, &Value::Int(0)).unwrap().is_err());
    }

    #[test]
    fn digits_are_an_integer_or_an_amount_or_too_many() {
        assert!(matches!(whole("9223372036854775808", 10, true), Some(Value::Int(i64::MIN))));
        let most = U256::MAX.to_string();
        let Some(Value::Amount(number)) = whole(&most, 10, true) else { panic!() };
        assert_eq!(number.to_string(), format!("-{most}"));
        assert!(matches!(whole(&"f".repeat(64), 16, false), Some(Value::Amount(number)) if number.to_string() == most));
        for none in [format!("{most}0"), String::new(), "1x".to_string(), "+1".to_string()] {
            assert!(whole(&none, 10, false).is_none(), "{none}");
        }
    }

    #[test]
    fn a_float_never_equals_an_integer_it_only_rounds_to() {
        let a = Value::Int(9_007_199_254_740_993);
        assert_eq!(compare_numbers(&a, &Value::Float(9_007_199_254_740_992.0)), Some(Ordering::Greater));
        assert_eq!(compare_numbers(&Value::Int(1), &Value::Float(1.5)), Some(Ordering::Less));
    }
}
