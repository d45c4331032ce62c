//! Coerces values that must have one type: operands, what is compared, and what `coalesce`, CASE and the like choose from.

use arrow::datatypes::{DataType, FieldRef};
use datafusion::common::tree_node::Transformed;
use datafusion::common::{DFSchema, Result};
use datafusion::logical_expr::{BinaryExpr, Expr, ExprSchemable, Operator};

use super::binary::{Binary, beside_float, binary, number_literal};
use super::times::beside_time;
use super::unify::{unify, unify_items};
use super::{hex, literal};
use quarry_functions::as_hex;
use quarry_types::byte_columns::{is_shown, is_text, shows_hex};
use quarry_types::uint256::is_number;

/// An operator between its coerced operands, or the expression for it.
pub(super) fn typed_operator(left: Expr, op: Operator, right: Expr, schema: &DFSchema) -> Result<Transformed<Expr>> {
    Ok(Transformed::yes(match binary(left, op, right, schema)? {
        Binary::Whole(expr) => expr,
        Binary::Sides(left, right) => Expr::BinaryExpr(BinaryExpr::new(Box::new(left), op, Box::new(right))),
    }))
}

/// Whether the type of an expression passes a test.
pub(super) fn has_type(expr: &Expr, schema: &DFSchema, test: fn(&DataType) -> bool) -> bool {
    expr.get_type(schema).is_ok_and(|data_type| test(&data_type))
}

/// The arguments of a function such as `coalesce` as one type, from the first one that it may return.
pub(super) fn coerce_choices(mut args: Vec<Expr>, first: usize, schema: &DFSchema) -> Result<Vec<Expr>> {
    let choices = args.split_off(first.min(args.len()));
    args.extend(match with_fields(&choices, schema) {
        Ok(known) => unify(known)?,
        Err(_) => choices,
    });
    Ok(args)
}

/// The items of `array[…]` as one type.
pub(super) fn coerce_items(items: Vec<Expr>, schema: &DFSchema) -> Result<Vec<Expr>> {
    match with_fields(&items, schema) {
        Ok(known) => unify_items(known),
        Err(_) => Ok(items),
    }
}

fn with_fields(values: &[Expr], schema: &DFSchema) -> Result<Vec<(Expr, FieldRef)>> {
    values.iter().map(|value| Ok((value.clone(), value.to_field(schema)?.1))).collect()
}

/// What an expression is compared with, as the type of the expression.
pub(super) fn coerce_compared(expr: &Expr, others: Vec<Expr>, schema: &DFSchema) -> Result<Vec<Expr>> {
    let Ok((_, field)) = expr.to_field(schema) else { return Ok(others) };
    let coerce = |other: Expr| {
        if is_number(field.data_type()) {
            return match (literal::whole_number(&other), literal::text(&other)) {
                (Some(number), _) => Ok(number_literal(number.into())),
                (_, Some(text)) => Ok(number_literal(quarry_types::uint256::Number::parse(text)?)),
                _ if has_type(&other, schema, |other| other.is_integer()) => {
                    Ok(quarry_functions::int256().call(vec![other]))
                }
                _ => Ok(other),
            };
        }
        if shows_hex(&field) {
            return hex::coerce_to_bytes(&field, hex::strip_case(other, schema), schema);
        }
        if field.data_type().is_floating()
            && let Ok((_, own)) = other.to_field(schema)
        {
            return Ok(beside_float(other, &own, &field));
        }
        if is_text(field.data_type()) {
            return Ok(match hex::bytes_as_text(&other) {
                Some(text) => text,
                None if has_type(&other, schema, is_shown) => as_hex().call(vec![other]),
                None => other,
            });
        }
        Ok(match other.to_field(schema) {
            Ok((_, own)) => beside_time(other, &own, &field),
            Err(_) => other,
        })
    };
    others.into_iter().map(coerce).collect()
}
