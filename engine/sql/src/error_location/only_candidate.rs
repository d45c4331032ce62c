//! The only expression of a statement that can have failed with a message while it ran: the only call of the function that the message
//! names; the only sum, where a sum was too large; the only division by something other than a literal, where a number was divided by
//! zero.

use std::ops::ControlFlow;

use datafusion::sql::sqlparser::ast::{BinaryOperator, Expr, Statement, Value};

use super::expr_position;
use crate::macros::macros_of;
use crate::syntax::visitor::visit_expressions;
use quarry_types::Position;

/// Messages of some functions only, by how they begin.
const MESSAGES: [(&str, &[&str]); 2] = [
    ("The sum is too large", &["sum", "avg", "array_sum", "array_avg"]),
    ("A sequence may have", &["sequence", "generate_array", "generate_date_array"]),
];
/// The message of a division by zero, and the functions that divide.
const BY_ZERO: &str = "A number was divided by zero.";
const DIVISIONS: [&str; 4] = ["div", "mod", "remainder", "intdiv"];

/// Its position; `None` where several expressions can have failed so.
pub(super) fn position(message: &str, statement: &Statement) -> Option<Position> {
    let mut positions = Vec::new();
    let _: ControlFlow<()> = visit_expressions(statement, |expr| {
        if can_fail_with(message, expr) {
            positions.push(expr_position(expr));
        }
        ControlFlow::Continue(())
    });
    match positions.as_slice() {
        [only] => *only,
        _ => None,
    }
}

fn can_fail_with(message: &str, expr: &Expr) -> bool {
    match expr {
        Expr::Function(function) => {
            let name = function.name.to_string().to_ascii_lowercase();
            let calls = |function: &str| name == function || macros_of(function).contains(&name.as_str());
            let known = MESSAGES
                .iter()
                .any(|(start, names)| message.starts_with(start) && names.iter().any(|name| calls(name)));
            // "date_trunc expects …", "The unit of date_trunc must be …". Elsewhere a word such as map is no function.
            let words: Vec<&str> = message.split_whitespace().collect();
            let is_named = words.first().is_some_and(|first| calls(first))
                || words.windows(2).any(|pair| pair[0] == "of" && calls(pair[1]));
            known || is_named || message == BY_ZERO && DIVISIONS.contains(&name.as_str())
        }
        Expr::BinaryOp { op: BinaryOperator::Divide | BinaryOperator::Modulo, right, .. } => {
            message == BY_ZERO && !is_never_zero(right)
        }
        _ => false,
    }
}

/// Whether a divisor is never zero: a literal that is not, or null where it would be.
fn is_never_zero(expr: &Expr) -> bool {
    match expr {
        Expr::Function(function) => function.name.to_string().eq_ignore_ascii_case("nullif"),
        Expr::Nested(inner) | Expr::Cast { expr: inner, .. } => is_never_zero(inner),
        Expr::Value(value) => match &value.value {
            Value::Number(digits, _) | Value::SingleQuotedString(digits) => {
                digits.bytes().any(|digit| (b'1'..=b'9').contains(&digit)) && digits.parse::<f64>().is_ok()
            }
            _ => false,
        },
        _ => false,
    }
}
