//! Literals that the planner does not read, or reads inexactly: large numbers, strings with a prefix, intervals of several
//! units.

use std::ops::ControlFlow;

use datafusion::sql::sqlparser::ast::{
    DataType, DateTimeField, ExactNumberInfo, Expr, Function, FunctionArguments, Interval, UnaryOperator, Value,
};

use super::ast::{arguments_of, call, call_with, cast, is_named, number, refuse, text, text_of, value};
use quarry_types::Error;

/// Digits of the widest decimal.
const MAX_DIGITS: usize = 76;

/// Units of intervals from long to short. The first two can be combined, and so can the others.
const UNITS: [DateTimeField; 6] = [
    DateTimeField::Year,
    DateTimeField::Month,
    DateTimeField::Day,
    DateTimeField::Hour,
    DateTimeField::Minute,
    DateTimeField::Second,
];
const UNITS_OF_MONTHS: usize = 2;

const WRONG_ESCAPE: &str = "A backslash in b'…' must be followed by x and two hex digits, three octal digits up to 377, one of a, b, f, n, r, t and v, a quote or another backslash.";

/// The expression for a literal that the planner does not read as it is meant; `None` if it does.
pub(super) fn replacement(literal: &Value) -> ControlFlow<Box<Error>, Option<Expr>> {
    ControlFlow::Continue(match literal {
        Value::Number(digits, _) => exact_number(&digits.replace('_', "")),
        // BigQuery's `r'…'`, without escapes.
        Value::SingleQuotedRawStringLiteral(raw) | Value::DoubleQuotedRawStringLiteral(raw) => Some(text(raw)),
        // BigQuery's `b'…'`.
        Value::SingleQuotedByteStringLiteral(text) | Value::DoubleQuotedByteStringLiteral(text) => {
            Some(value(Value::HexStringLiteral(hex::encode(bytes(text)?))))
        }
        _ => None,
    })
}

/// What the planner would read inexactly: numbers with an exponent, whole numbers beyond 63 bits. `None` for other numbers.
pub(super) fn exact_number(digits: &str) -> Option<Expr> {
    // No type has such a number: the reader of the largest ones refuses it.
    if digits.parse::<f64>().is_ok_and(f64::is_infinite) {
        return Some(call("uint256", vec![text(digits)]));
    }
    let double = || cast(text(digits), DataType::Double(ExactNumberInfo::None));
    let Some(plain) = without_exponent(digits) else { return Some(double()) };
    if let Some((whole, fraction)) = plain.split_once('.') {
        if whole.trim_start_matches('0').len() + fraction.len() > MAX_DIGITS {
            return Some(double());
        }
        return (plain != digits).then(|| number(&plain));
    }
    let whole = plain.trim_start_matches('0');
    if whole.len() > MAX_DIGITS {
        return Some(call("uint256", vec![text(whole)]));
    }
    // 1e9 is a decimal, so that dividing by it keeps the fraction.
    let is_read = (whole.is_empty() || whole.parse::<i64>().is_ok()) && !digits.contains(['e', 'E']);
    (!is_read).then(|| {
        let digits = if whole.is_empty() { "0" } else { whole };
        cast(text(digits), DataType::Decimal(ExactNumberInfo::PrecisionAndScale(digits.len() as u64, 0)))
    })
}

/// A number without its exponent; `None` when that has too many digits to be exact.
fn without_exponent(digits: &str) -> Option<String> {
    let Some((mantissa, exponent)) = digits.split_once(['e', 'E']) else { return Some(digits.to_string()) };
    let exponent: i32 = exponent.parse().ok()?;
    if exponent.unsigned_abs() as usize > MAX_DIGITS {
        return None;
    }
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let mut all = format!("{whole}{fraction}");
    let point = whole.len() as i32 + exponent;
    if point <= 0 {
        return Some(format!("0.{}{all}", "0".repeat(point.unsigned_abs() as usize)));
    }
    let point = point as usize;
    if all.len() <= point {
        all.push_str(&"0".repeat(point - all.len()));
    } else if all[point..].bytes().any(|digit| digit != b'0') {
        all.insert(point, '.');
    } else {
        all.truncate(point);
    }
    Some(all)
}

/// Spells out the units of `interval '1-2' year to month` or `interval '2 03:04:05' day to second`, and reads the sign before the text
/// of Trino's `interval -'1' day`. An interval whose text does not match its units stays for the planner to refuse.
pub(super) fn rewrite_interval(expr: &mut Expr) {
    let Expr::Interval(interval) = expr else { return };
    let mut is_negated = false;
    if let Some((is_negative, written)) = signed_text(&interval.value) {
        // With a unit the sign of the text is that of all its parts.
        let is_prefixed = is_negative && interval.leading_field.is_some();
        is_negated = is_negative && !is_prefixed;
        *interval.value = text(&match (is_prefixed, written.strip_prefix('-')) {
            (false, _) => written.clone(),
            (true, Some(positive)) => positive.to_string(),
            (true, None) => format!("-{written}"),
        });
    }
    if let Some(spelled) = spelled(interval) {
        *interval.value = text(&spelled);
        (interval.leading_field, interval.last_field) = (None, None);
    }
    if is_negated {
        *expr = call_with("negative", [&*expr]);
    }
}

/// Whether the text of an interval has a minus before it, and the text; `None` without a sign. The minus is a call by now.
fn signed_text(value: &Expr) -> Option<(bool, String)> {
    let (is_negative, unsigned) = match value {
        Expr::UnaryOp { op: UnaryOperator::Plus, expr } => (false, expr.as_ref()),
        Expr::Function(Function { name, args: FunctionArguments::List(list), .. }) if is_named(name, "negative") => {
            (true, *arguments_of(list)?.first()?)
        }
        _ => return None,
    };
    text_of(unsigned).map(|written| (is_negative, written.trim().to_string()))
}

fn spelled(interval: &Interval) -> Option<String> {
    let place = |field: &Option<DateTimeField>| UNITS.iter().position(|unit| Some(unit) == field.as_ref());
    let (first, last) = (place(&interval.leading_field)?, place(&interval.last_field)?);
    let written = text_of(&interval.value)?.trim();
    let (sign, rest) = written.strip_prefix('-').map_or(("", written), |rest| ("-", rest));
    let numbers: Vec<&str> = rest.split(['-', ':', ' ']).filter(|number| !number.is_empty()).collect();
    let is_range = first < last && (first < UNITS_OF_MONTHS) == (last < UNITS_OF_MONTHS);
    if !is_range || numbers.len() != last - first + 1 || numbers.iter().any(|number| number.parse::<f64>().is_err()) {
        return None;
    }
    let named = numbers.iter().zip(&UNITS[first..]).map(|(number, unit)| format!("{sign}{number} {unit}"));
    Some(named.collect::<Vec<String>>().join(" "))
}

/// The bytes of the text in `b'…'`.
fn bytes(text: &str) -> ControlFlow<Box<Error>, Vec<u8>> {
    let mut all = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((byte, after)) = rest.split_first() {
        let read = if *byte == b'\\' { escaped(after) } else { Some((*byte, after)) };
        let Some((byte, after)) = read else { return refuse(WRONG_ESCAPE) };
        all.push(byte);
        rest = after;
    }
    ControlFlow::Continue(all)
}

/// The byte of an escape, and the text after it.
fn escaped(text: &[u8]) -> Option<(u8, &[u8])> {
    let (kind, after) = text.split_first()?;
    let number = |digits: &[u8], base| u8::from_str_radix(std::str::from_utf8(digits).ok()?, base).ok();
    Some(match kind {
        b'x' | b'X' => {
            let (digits, after) =
                after.split_at_checked(2).filter(|(digits, _)| digits.iter().all(u8::is_ascii_hexdigit))?;
            (number(digits, 16)?, after)
        }
        b'0'..=b'7' => {
            let (digits, after) =
                text.split_at_checked(3).filter(|(digits, _)| digits.iter().all(u8::is_ascii_digit))?;
            (number(digits, 8)?, after)
        }
        b'a' => (0x07, after),
        b'b' => (0x08, after),
        b'f' => (0x0c, after),
        b'n' => (b'\n', after),
        b'r' => (b'\r', after),
        b't' => (b'\t', after),
        b'v' => (0x0b, after),
        b'\\' | b'?' | b'\'' | b'"' | b'`' => (*kind, after),
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escapes_become_bytes() {
        let all = vec![0, 255, 65, b'\\', 0xc3, 0xa9, b'\n'];
        assert_eq!(bytes(r"\x00\xFF\101\\é\n").continue_value(), Some(all));
        for wrong in [r"\", r"\x0", r"\xzz", r"\x+1", r"\400", r"\08", r"\q"] {
            assert!(bytes(wrong).is_break(), "{wrong}");
        }
    }

    fn exact(digits: &str) -> Option<String> {
        exact_number(digits).map(|expr| expr.to_string())
    }

    #[test]
    fn numbers_keep_every_digit() {
        assert_eq!(exact("42"), None);
        assert_eq!(exact("0.25"), None);
        assert_eq!(exact("1e18").as_deref(), Some("CAST('1000000000000000000' AS DECIMAL(19,0))"));
        assert_eq!(exact("1.5e3").as_deref(), Some("CAST('1500' AS DECIMAL(4,0))"));
        assert_eq!(exact("1.25e1").as_deref(), Some("12.5"));
        assert_eq!(exact("1e-3").as_deref(), Some("0.001"));
        assert_eq!(exact("18446744073709551615").as_deref(), Some("CAST('18446744073709551615' AS DECIMAL(20,0))"));
        assert_eq!(exact("1e300").as_deref(), Some("CAST('1e300' AS DOUBLE)"));
        assert_eq!(exact("1e309").as_deref(), Some("uint256('1e309')"));
        let big = "115792089237316195423570985008687907853269984665640564039457584007913129639935";
        assert_eq!(exact(big), Some(format!("uint256('{big}')")));
    }
}
