//! Expressions of HiveQL as the planner knows them.

use datafusion::sql::sqlparser::ast::{AccessExpr, BinaryOperator, Expr, Subscript, UnaryOperator, Value};

use super::step::Walk;
use super::{counts, functions, intervals, lists};
use crate::ast::{
    Rewritten, and, call, cast, condition, equals, negate_if, nested, not, not_allowed, number, operation, take, text,
};
use quarry_sql::error_location;
use quarry_sql::expansion::{Contents, Growth, is_volatile};
use quarry_sql::lambdas;
use quarry_types::Error;

pub(super) fn prepare_lambdas(expr: &mut Expr) -> Rewritten {
    lambdas::prepare(expr, true).map_or_else(Rewritten::Break, Rewritten::Continue)
}

/// Rewrites an expression whose parts have been rewritten before.
pub(super) fn rewrite(expr: &mut Expr, walk: &mut Walk) -> Rewritten {
    let place = error_location::expr_position(expr);
    count_copies(expr, &mut walk.growth)?;
    let call = matches!(expr, Expr::Function(_)).then(|| Contents::new(expr));
    *expr = match rewritten(take(expr)) {
        Ok(expr) => expr,
        Err(error) => return Rewritten::Break(error),
    };
    if let Some(call) = call {
        walk.growth.note(&call, expr)?;
    }
    error_location::keep_position(expr, place);
    Rewritten::Continue(())
}

/// Counts what is about to be written more than once.
fn count_copies(expr: &Expr, growth: &mut Growth) -> Rewritten {
    match expr {
        Expr::Between { expr, .. } if !is_volatile(expr) => growth.copies(expr, 2),
        Expr::Case { operand: Some(operand), conditions, .. } if !is_volatile(operand) => {
            growth.copies(operand, conditions.len())
        }
        Expr::InList { expr, list, .. } if lists::struct_fields(expr).is_some() => growth.copies(expr, list.len()),
        Expr::Like { expr, pattern, .. } => growth.copies(expr, lists::pattern_count(pattern)),
        _ => Rewritten::Continue(()),
    }
}

fn rewritten(expr: Expr) -> Result<Expr, Box<Error>> {
    Ok(match expr {
        Expr::Value(value) => match &value.value {
            Value::Number(digits, false) => number(digits),
            _ => Expr::Value(value),
        },
        Expr::Between { expr, negated, low, high } if !is_volatile(&expr) => {
            let from = operation((*expr).clone(), BinaryOperator::GtEq, *low);
            negate_if(negated, nested(and(from, operation(*expr, BinaryOperator::LtEq, *high))))
        }
        Expr::Case { case_token, end_token, operand, mut conditions, else_result } => {
            let operand = match operand {
                Some(operand) if !is_volatile(&operand) => {
                    for when in &mut conditions {
                        when.condition = equals(operand.as_ref().clone(), take(&mut when.condition));
                    }
                    None
                }
                None => {
                    conditions.iter_mut().for_each(|when| condition(&mut when.condition));
                    None
                }
                operand => operand,
            };
            Expr::Case { case_token, end_token, operand, conditions, else_result }
        }
        Expr::UnaryOp { op: op @ UnaryOperator::Not, mut expr } => {
            condition(&mut expr);
            Expr::UnaryOp { op, expr }
        }
        Expr::RLike { negated, expr, pattern, .. } => negate_if(negated, call("rlike", vec![*expr, *pattern])),
        Expr::UnaryOp { op: UnaryOperator::BangNot, mut expr } => {
            condition(&mut expr);
            not(*expr)
        }
        Expr::UnaryOp { op: UnaryOperator::BitwiseNot, expr } => {
            let ones = Expr::UnaryOp { op: UnaryOperator::Minus, expr: Box::new(number("1")) };
            operation(*expr, BinaryOperator::BitwiseXor, ones)
        }
        Expr::UnaryOp { op: UnaryOperator::Minus, expr } if !is_number(&expr) => call("hive_negative", vec![*expr]),
        Expr::Cast { expr, data_type, .. } => cast(*expr, &data_type.to_string())?,
        Expr::TypedString(typed) => cast(Expr::Value(typed.value), &typed.data_type.to_string())?,
        Expr::Interval(interval) => intervals::interval_value(interval)?,
        Expr::Extract { field, expr, .. } => call(extract_function(&field.to_string())?, vec![*expr]),
        Expr::CompoundFieldAccess { root, mut access_chain } => {
            // The names that come first may be those of a table and its column, which the planner decides.
            let is_name = |access: &AccessExpr| matches!(access, AccessExpr::Dot(Expr::Identifier(_)));
            let names = access_chain.iter().take_while(|access| is_name(access)).count();
            let names = if matches!(*root, Expr::Identifier(_)) { names } else { 0 };
            for access in access_chain.iter_mut().skip(names) {
                if let AccessExpr::Dot(Expr::Identifier(name)) = access {
                    let index = text(&name.value.to_lowercase());
                    *access = AccessExpr::Subscript(Subscript::Index { index });
                }
            }
            Expr::CompoundFieldAccess { root, access_chain }
        }
        like @ Expr::Like { .. } => lists::rewrite_like(like),
        Expr::InList { expr, list, negated } => lists::rewrite_in_list(*expr, list, negated),
        Expr::Function(mut function) => {
            counts::set_frame_marks(&mut function, false);
            functions::rewrite(function)?
        }
        other => other,
    })
}

/// Whether an expression is a number as it is written.
fn is_number(expr: &Expr) -> bool {
    match expr {
        Expr::Value(value) => matches!(value.value, Value::Number(..)),
        Expr::Cast { expr, .. } => matches!(**expr, Expr::Value(_)),
        _ => false,
    }
}

/// The function of a field of `EXTRACT`.
fn extract_function(field: &str) -> Result<&'static str, Box<Error>> {
    Ok(match field.to_lowercase().as_str() {
        "year" => "year",
        "quarter" => "quarter",
        "month" => "month",
        "week" => "weekofyear",
        "day" => "day",
        "dow" | "dayofweek" => "dayofweek",
        "hour" => "hour",
        "minute" => "minute",
        "second" => "second",
        _ => {
            let message = "EXTRACT expects year, quarter, month, week, day, dayofweek, hour, minute or second.";
            return Err(not_allowed(message));
        }
    })
}
