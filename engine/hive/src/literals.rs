//! Texts, numbers and days as they are written.

use datafusion::sql::sqlparser::ast::{Expr, UnaryOperator, Value};

/// Whether an expression is a text, a number or a day as it is written.
pub(super) fn is_value(expr: &Expr) -> bool {
    match expr {
        Expr::Value(value) => {
            matches!(value.value, Value::Number(..) | Value::SingleQuotedString(_) | Value::Boolean(_) | Value::Null)
        }
        Expr::UnaryOp { .. } | Expr::TypedString(_) => true,
        _ => false,
    }
}

/// The text of a written value; null for NULL.
pub(super) fn literal(value: &Expr) -> Option<String> {
    match value {
        Expr::Value(value) => match &value.value {
            Value::Number(digits, _) => Some(digits.clone()),
            Value::SingleQuotedString(text) => Some(text.clone()),
            Value::Boolean(is) => Some(is.to_string()),
            _ => None,
        },
        Expr::UnaryOp { op: UnaryOperator::Minus, expr } => literal(expr).map(|digits| format!("-{digits}")),
        Expr::TypedString(typed) => match &typed.value.value {
            Value::SingleQuotedString(text) => Some(text.clone()),
            _ => None,
        },
        _ => None,
    }
}
