//! Number literals the planner would read inexactly.

use datafusion::sql::sqlparser::ast::{DataType, ExactNumberInfo, Expr};

use super::ast::{call, cast, number, text};

/// Digits of the widest decimal.
const MAX_DIGITS: usize = 76;

/// What the planner would read inexactly: numbers with an exponent, whole numbers beyond 63 bits. `None`: it reads it well.
pub(super) fn exact_number(digits: &str) -> Option<Expr> {
    // No number of any type: refused by what reads the largest ones.
    if digits.parse::<f64>().is_ok_and(f64::is_infinite) {
        return Some(call("uint256", vec![text(digits)]));
    }
    let Some(plain) = plain_digits(digits) else {
        return Some(cast(text(digits), DataType::Double(ExactNumberInfo::None)));
    };
    if let Some((whole, fraction)) = plain.split_once('.') {
        if whole.trim_start_matches('0').len() + fraction.len() > MAX_DIGITS {
            return Some(cast(text(digits), DataType::Double(ExactNumberInfo::None)));
        }
        return (plain != digits).then(|| number(&plain));
    }
    let whole = plain.trim_start_matches('0');
    if whole.len() > MAX_DIGITS {
        return Some(call("uint256", vec![text(whole)]));
    }
    if whole.parse::<i64>().is_ok() || whole.is_empty() {
        // 1e9 is a decimal number, so that dividing by it keeps the fraction.
        return digits.contains(['e', 'E']).then(|| decimal(whole));
    }
    Some(decimal(whole))
}

/// A number without its exponent; `None` when that has too many digits to be exact.
fn plain_digits(digits: &str) -> Option<String> {
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

/// A whole number as a decimal of exactly its digits.
fn decimal(whole: &str) -> Expr {
    let digits = if whole.is_empty() { "0" } else { whole };
    cast(text(digits), DataType::Decimal(ExactNumberInfo::PrecisionAndScale(digits.len() as u64, 0)))
}

#[cfg(test)]
mod tests {
    use super::*;

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
