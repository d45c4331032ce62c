//! The one expression of a statement that can have failed as it did while it ran: there is one sum, and a sum was too
//! large; there is one division by what is no number, and a number was divided by zero.

use std::ops::ControlFlow;

use datafusion::sql::sqlparser::ast::{BinaryOperator, Expr, Query, Value};

use super::place;
use crate::ast_visitor::visit_expressions;
use crate::macros::stands_for;
use quarry_types::Position;

/// What only calls of these functions say, by how it begins.
const SAID: [(&str, &[&str]); 2] = [
    ("The sum is too large", &["sum", "avg", "array_sum", "array_avg"]),
    ("A sequence may have", &["sequence", "generate_array", "generate_date_array"]),
];
/// How a division by zero is told, and the functions that divide.
const BY_ZERO: &str = "A number was divided by zero.";
const DIVIDING: [&str; 4] = ["div", "mod", "remainder", "intdiv"];

/// Where the only one stands; `None` where several can be to blame, or nobody knows which.
pub(super) fn of(sentence: &str, query: &Query) -> Option<Position> {
    let mut found = Vec::new();
    let _: ControlFlow<()> = visit_expressions(query, |expr| {
        if can_say(sentence, expr) {
            found.push(place(expr));
        }
        ControlFlow::Continue(())
    });
    match found.as_slice() {
        [only] => *only,
        _ => None,
    }
}

fn can_say(sentence: &str, expr: &Expr) -> bool {
    match expr {
        Expr::Function(function) => {
            let name = function.name.to_string().to_ascii_lowercase();
            let calls = |function: &str| name == function || stands_for(&name, function);
            let known =
                SAID.iter().any(|(start, names)| sentence.starts_with(start) && names.iter().any(|name| calls(name)));
            let own = sentence.split_once(' ').is_some_and(|(function, _)| calls(function));
            known || own || sentence == BY_ZERO && DIVIDING.contains(&name.as_str())
        }
        Expr::BinaryOp { op: BinaryOperator::Divide | BinaryOperator::Modulo, right, .. } => {
            sentence == BY_ZERO && !is_never_zero(right)
        }
        _ => false,
    }
}

/// Whether a divisor is never zero: it is written out, or null where it would be.
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
