//! Expressions of HiveQL as the planner knows them.

use std::ops::ControlFlow;

use datafusion::sql::sqlparser::ast::{AccessExpr, BinaryOperator, Expr, Subscript, UnaryOperator, Value};

use super::build::{call, condition, not, number, text, typed};
use super::clauses::frame_bounds;
use super::{calls, interval, lists};
use quarry_sql::growth::{Contents, Growth, changes};
use quarry_types::Error;

/// Rewrites an expression whose parts have been rewritten before.
pub(super) fn rewrite(expr: &mut Expr, growth: &mut Growth) -> ControlFlow<Box<Error>> {
    copied(expr, growth)?;
    let call = matches!(expr, Expr::Function(_)).then(|| Contents::of(expr));
    let taken = std::mem::replace(expr, Expr::Value(Value::Null.into()));
    *expr = match rewritten(taken) {
        Ok(expr) => expr,
        Err(error) => return ControlFlow::Break(error),
    };
    call.map_or(ControlFlow::Continue(()), |call| growth.note(&call, expr))
}

/// Notes what is about to be written down more than once.
fn copied(expr: &Expr, growth: &mut Growth) -> ControlFlow<Box<Error>> {
    match expr {
        Expr::Between { expr, .. } if !changes(expr) => growth.copies(expr, 2),
        Expr::Case { operand: Some(operand), conditions, .. } if !changes(operand) => {
            growth.copies(operand, conditions.len())
        }
        Expr::InList { expr, list, .. } if lists::is_struct(expr) => growth.copies(expr, list.len()),
        Expr::Like { expr, pattern, .. } => growth.copies(expr, lists::patterns(pattern)),
        _ => ControlFlow::Continue(()),
    }
}

fn rewritten(expr: Expr) -> Result<Expr, Box<Error>> {
    Ok(match expr {
        Expr::Value(value) => match &value.value {
            Value::Number(digits, false) => number(digits),
            _ => Expr::Value(value),
        },
        Expr::Between { expr, negated, low, high } if !changes(&expr) => {
            let binary =
                |left: Expr, op, right: Expr| Expr::BinaryOp { left: Box::new(left), op, right: Box::new(right) };
            let from = binary((*expr).clone(), BinaryOperator::GtEq, *low);
            let both =
                Expr::Nested(Box::new(binary(from, BinaryOperator::And, binary(*expr, BinaryOperator::LtEq, *high))));
            if negated { not(both) } else { both }
        }
        Expr::Case { case_token, end_token, operand: Some(operand), mut conditions, else_result }
            if !changes(&operand) =>
        {
            for when in &mut conditions {
                let value = std::mem::replace(&mut when.condition, Expr::Value(Value::Null.into()));
                when.condition =
                    Expr::BinaryOp { left: operand.clone(), op: BinaryOperator::Eq, right: Box::new(value) };
            }
            Expr::Case { case_token, end_token, operand: None, conditions, else_result }
        }
        Expr::Case { case_token, end_token, operand: None, mut conditions, else_result } => {
            conditions.iter_mut().for_each(|when| condition(&mut when.condition));
            Expr::Case { case_token, end_token, operand: None, conditions, else_result }
        }
        Expr::UnaryOp { op: op @ UnaryOperator::Not, mut expr } => {
            condition(&mut expr);
            Expr::UnaryOp { op, expr }
        }
        Expr::RLike { negated, expr, pattern, .. } => {
            let matched = call("rlike", vec![*expr, *pattern]);
            if negated { not(matched) } else { matched }
        }
        Expr::UnaryOp { op: UnaryOperator::BangNot, mut expr } => {
            condition(&mut expr);
            not(*expr)
        }
        Expr::UnaryOp { op: UnaryOperator::BitwiseNot, expr } => {
            let ones = Expr::UnaryOp { op: UnaryOperator::Minus, expr: Box::new(number("1")) };
            Expr::BinaryOp { left: expr, op: BinaryOperator::BitwiseXor, right: Box::new(ones) }
        }
        Expr::UnaryOp { op: UnaryOperator::Minus, expr } if !is_number(&expr) => call("hive_negative", vec![*expr]),
        Expr::Cast { expr, data_type, .. } => typed(*expr, &data_type.to_string())?,
        Expr::TypedString(typed_string) => {
            let data_type = typed_string.data_type.to_string();
            typed(Expr::Value(typed_string.value), &data_type)?
        }
        Expr::Interval(written) => interval::value(written)?,
        Expr::Extract { field, expr, .. } => call(calls::of_field(&field.to_string())?, vec![*expr]),
        Expr::CompoundFieldAccess { root, mut access_chain } => {
            // Names that come first may be those of a table and its column: the planner finds out.
            let is_name = |access: &AccessExpr| matches!(access, AccessExpr::Dot(Expr::Identifier(_)));
            let named = matches!(*root, Expr::Identifier(_));
            let first = if named { access_chain.iter().take_while(|access| is_name(access)).count() } else { 0 };
            for access in access_chain.iter_mut().skip(first) {
                if let AccessExpr::Dot(Expr::Identifier(name)) = access {
                    let index = text(&name.value.to_lowercase());
                    *access = AccessExpr::Subscript(Subscript::Index { index });
                }
            }
            Expr::CompoundFieldAccess { root, access_chain }
        }
        Expr::Like { negated, any, expr, pattern, escape_char } => {
            lists::like(lists::Like { negated, any, expr, pattern, escape_char })
        }
        Expr::InList { expr, list, negated } => lists::of_structs(*expr, list, negated),
        Expr::Function(mut function) => {
            frame_bounds(&mut function, false);
            calls::function(function)?
        }
        other => other,
    })
}

/// Whether an expression is a number as it is written.
fn is_number(expr: &Expr) -> bool {
    let value = |expr: &Expr, text| match expr {
        Expr::Value(value) => matches!(&value.value, Value::Number(..)) || text,
        _ => false,
    };
    value(expr, false) || matches!(expr, Expr::Cast { expr, .. } if value(expr, true))
}
