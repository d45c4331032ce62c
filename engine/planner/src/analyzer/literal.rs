//! Literals as exact numbers and as texts.

use arrow::datatypes::i256;
use datafusion::common::ScalarValue;
use datafusion::logical_expr::Expr;

/// The whole number that a literal expression is: `5`, `1e18`, `100000000000000000000`.
pub(super) fn whole_number(expr: &Expr) -> Option<i256> {
    match expr {
        Expr::Literal(value, _) => whole_value(value),
        // Numbers with an exponent or beyond 63 bits reach the planner as a cast of their digits.
        Expr::Cast(cast) if cast.field.data_type().is_decimal() => match cast.expr.as_ref() {
            Expr::Literal(ScalarValue::Utf8(Some(digits)), _) => i256::from_string(digits),
            _ => None,
        },
        Expr::Negative(inner) => whole_number(inner).and_then(i256::checked_neg),
        _ => None,
    }
}

fn whole_value(value: &ScalarValue) -> Option<i256> {
    match value {
        ScalarValue::Int8(Some(value)) => Some(i256::from_i128((*value).into())),
        ScalarValue::Int16(Some(value)) => Some(i256::from_i128((*value).into())),
        ScalarValue::Int32(Some(value)) => Some(i256::from_i128((*value).into())),
        ScalarValue::Int64(Some(value)) => Some(i256::from_i128((*value).into())),
        ScalarValue::UInt64(Some(value)) => Some(i256::from_i128((*value).into())),
        ScalarValue::Decimal128(Some(value), _, 0) => Some(i256::from_i128(*value)),
        ScalarValue::Decimal256(Some(value), _, 0) => Some(*value),
        _ => None,
    }
}

/// `n` when the number is ten to the power of `n`.
pub(super) fn power_of_ten(number: i256) -> Option<usize> {
    let digits = number.to_string();
    let zeros = digits.strip_prefix('1')?;
    zeros.bytes().all(|digit| digit == b'0').then_some(zeros.len())
}

/// The text of a string literal.
pub(super) fn text(expr: &Expr) -> Option<&str> {
    match expr {
        Expr::Literal(ScalarValue::Utf8(Some(text)) | ScalarValue::Utf8View(Some(text)), _) => Some(text),
        Expr::Literal(ScalarValue::LargeUtf8(Some(text)), _) => Some(text),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn powers_of_ten() {
        assert_eq!(power_of_ten(i256::from_i128(1_000)), Some(3));
        assert_eq!(power_of_ten(i256::from_i128(1)), Some(0));
        assert_eq!(power_of_ten(i256::from_i128(1_001)), None);
        assert_eq!(power_of_ten(i256::from_i128(-10)), None);
    }
}
