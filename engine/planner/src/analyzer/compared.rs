//! Values that meet, as one type: the sides of an operator, what is compared, and what a choice is made of.

use arrow::datatypes::{DataType, FieldRef};
use datafusion::common::tree_node::Transformed;
use datafusion::common::{DFSchema, Result};
use datafusion::logical_expr::{BinaryExpr, Expr, ExprSchemable, Operator};

use super::binary::{Binary, beside_float, binary, number_literal};
use super::times::beside_time;
use super::unify::unify;
use super::{hex, literal};
use quarry_functions::as_hex;
use quarry_types::byte_columns::{is_shown, is_text, shows_hex};
use quarry_types::uint256::is_number;

/// An operator with its meaning.
pub(super) fn operated(left: Expr, op: Operator, right: Expr, schema: &DFSchema) -> Result<Transformed<Expr>> {
    Ok(Transformed::yes(match binary(left, op, right, schema)? {
        Binary::Whole(expr) => expr,
        Binary::Sides(left, right) => Expr::BinaryExpr(BinaryExpr::new(Box::new(left), op, Box::new(right))),
    }))
}

/// Whether the type of an expression is one of these.
pub(super) fn is(expr: &Expr, schema: &DFSchema, test: fn(&DataType) -> bool) -> bool {
    expr.get_type(schema).is_ok_and(|data_type| test(&data_type))
}

/// The arguments of a choice, such as `coalesce`, from the first one that can be chosen.
pub(super) fn choices(mut args: Vec<Expr>, first: usize, schema: &DFSchema) -> Result<Vec<Expr>> {
    let chosen = args.split_off(first.min(args.len()));
    let fields: Result<Vec<FieldRef>> = chosen.iter().map(|arg| Ok(arg.to_field(schema)?.1)).collect();
    args.extend(match fields {
        Ok(fields) => unify(chosen.into_iter().zip(fields).collect())?,
        Err(_) => chosen,
    });
    Ok(args)
}

/// What an expression is compared with, as its own type.
pub(super) fn compared(expr: &Expr, others: Vec<Expr>, schema: &DFSchema) -> Result<Vec<Expr>> {
    let Ok((_, field)) = expr.to_field(schema) else { return Ok(others) };
    let fit = |other: Expr| {
        if is_number(field.data_type()) {
            return match (literal::whole_number(&other), literal::text(&other)) {
                (Some(number), _) => Ok(number_literal(number.into())),
                (_, Some(text)) => Ok(number_literal(quarry_types::uint256::Number::parse(text)?)),
                _ if is(&other, schema, |other| other.is_integer()) => Ok(quarry_functions::int256().call(vec![other])),
                _ => Ok(other),
            };
        }
        if shows_hex(&field) {
            return hex::comparable(&field, hex::without_case(other, schema), schema);
        }
        if field.data_type().is_floating()
            && let Ok((_, own)) = other.to_field(schema)
        {
            return Ok(beside_float(other, &own, &field));
        }
        if is_text(field.data_type()) {
            return Ok(match hex::as_text(&other) {
                Some(text) => text,
                None if is(&other, schema, is_shown) => as_hex().call(vec![other]),
                None => other,
            });
        }
        Ok(match other.to_field(schema) {
            Ok((_, own)) => beside_time(other, &own, &field),
            Err(_) => other,
        })
    };
    others.into_iter().map(fit).collect()
}
