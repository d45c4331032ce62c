//! Expressions whose parts are rewritten: literals, operators, casts and calls.

use std::ops::ControlFlow;

use datafusion::sql::sqlparser::ast::{BinaryOperator, Expr, UnaryOperator, Value};

use super::{
    aggregates, any_all, ast, calls, casts, date_functions, json, literals, patterns, quoted_names, row_comparisons,
    structs,
};
use crate::expansion::{Contents, Growth};
use crate::lead_lag_defaults;
use quarry_functions::{DISTINCT_FROM, NOT_DISTINCT_FROM};
use quarry_types::Error;

/// Rewrites an expression after its parts.
pub(super) fn rewrite(expr: &mut Expr, growth: &mut Growth) -> ControlFlow<Box<Error>> {
    match expr {
        Expr::Function(_) => rewrite_function(expr, growth)?,
        Expr::BinaryOp { op: BinaryOperator::Eq | BinaryOperator::NotEq, .. } | Expr::InList { .. } => {
            row_comparisons::compare_values(expr, growth)?;
        }
        Expr::Like { .. } | Expr::ILike { .. } => rewrite_like(expr, growth)?,
        Expr::Cast { .. } => casts::rewrite(expr),
        Expr::TypedString(_) => casts::rewrite_typed_string(expr),
        Expr::Interval(_) => literals::rewrite_interval(expr),
        Expr::Substring { .. } => calls::substring_to_call(expr),
        Expr::Extract { .. } => date_functions::rewrite_extract(expr),
        Expr::CompoundFieldAccess { root, access_chain } => structs::rewrite_access(root, access_chain),
        _ => {
            let replacement = match expr {
                Expr::Value(literal) => literals::replacement(&literal.value)?,
                Expr::Identifier(name) => quoted_names::as_text(name),
                Expr::AnyOp { .. } | Expr::AllOp { .. } | Expr::InUnnest { .. } => any_all::list_to_contains(expr),
                Expr::SimilarTo { .. } => patterns::similar_to(expr)?.map(ast::nested),
                Expr::RLike { negated, expr, pattern, .. } => {
                    Some(ast::nested(patterns::regexp_like(expr, pattern, *negated)))
                }
                _ => operator_to_call(expr).or_else(|| json::access(expr)),
            };
            if let Some(replacement) = replacement {
                *expr = replacement;
            }
        }
    }
    ControlFlow::Continue(())
}

fn rewrite_function(expr: &mut Expr, growth: &mut Growth) -> ControlFlow<Box<Error>> {
    let before = Contents::new(expr);
    if let Expr::Function(function) = expr {
        let is_renamed = aggregates::rename(function);
        aggregates::remove_constant_orders(function);
        if !is_renamed {
            calls::rewrite(expr);
        }
    }
    growth.note(&before, expr)?;
    if let Expr::Function(function) = expr
        && let Some(with_default) = lead_lag_defaults::with_default(function)
    {
        *expr = with_default;
    }
    ControlFlow::Continue(())
}

fn rewrite_like(expr: &mut Expr, growth: &mut Growth) -> ControlFlow<Box<Error>> {
    if let Some((several, operator)) = patterns::several_patterns(expr) {
        if let Expr::Like { expr: text, .. } | Expr::ILike { expr: text, .. } = &*expr {
            growth.copies(text, several.len())?;
        }
        *expr = patterns::like_several(expr, &several, &operator)?;
    } else if let Expr::Like { pattern, escape_char, .. } | Expr::ILike { pattern, escape_char, .. } = expr {
        patterns::escape_with_backslash(pattern, escape_char)?;
    }
    ControlFlow::Continue(())
}

/// An operator that the planner does not know, or knows for fewer types, as a call.
fn operator_to_call(expr: &Expr) -> Option<Expr> {
    let (function, args) = match expr {
        Expr::UnaryOp { op: UnaryOperator::Minus, expr: number } if !is_literal(number) => {
            return Some(ast::call_with("negative", [number]));
        }
        Expr::UnaryOp { op: UnaryOperator::BitwiseNot, expr } => return Some(ast::call_with("bitwise_not", [expr])),
        // By the function's name, which makes items of several types one type.
        Expr::Array(list) if !list.elem.is_empty() => {
            return Some(ast::nested(ast::call("make_array", list.elem.clone())));
        }
        Expr::BinaryOp { left, op: BinaryOperator::PGOverlap, right } => ("arrays_overlap", [left, right]),
        Expr::BinaryOp { left, op: BinaryOperator::PGBitwiseShiftLeft, right } => ("bitwise_left_shift", [left, right]),
        Expr::BinaryOp { left, op: BinaryOperator::PGBitwiseShiftRight, right } => {
            ("bitwise_arithmetic_shift_right", [left, right])
        }
        // By the function's name, which searches bytes too.
        Expr::Position { expr: part, r#in: text } => ("strpos", [text, part]),
        Expr::IsDistinctFrom(left, right) => (DISTINCT_FROM, [left, right]),
        Expr::IsNotDistinctFrom(left, right) => (NOT_DISTINCT_FROM, [left, right]),
        // The local time, also of a literal: all times are UTC.
        Expr::AtTimeZone { timestamp, time_zone } => ("at_timezone", [timestamp, time_zone]),
        _ => return None,
    };
    Some(ast::call_with(function, args.map(|arg| arg.as_ref())))
}

/// Whether an operand is a number literal, which the planner negates itself. Of an interval it negates only the first part.
fn is_literal(expr: &Expr) -> bool {
    match expr {
        Expr::Value(value) => matches!(value.value, Value::Number(..)),
        // An exact number is a cast of its digits.
        Expr::Cast { expr, .. } => matches!(expr.as_ref(), Expr::Value(_)),
        Expr::Nested(inner) => is_literal(inner),
        _ => false,
    }
}
