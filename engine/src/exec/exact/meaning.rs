//! Lists, ranges, `LIKE`, `CASE` and casts of bytes and uint256, once the types of a plan are known.

use arrow::datatypes::DataType;
use datafusion::common::config::ConfigOptions;
use datafusion::common::tree_node::Transformed;
use datafusion::common::{DFSchema, Result};
use datafusion::logical_expr::expr::{Between, Cast, InList, InSubquery, Like, TryCast};
use datafusion::logical_expr::expr_rewriter::FunctionRewrite;
use datafusion::logical_expr::{Expr, ExprSchemable};

use super::operators::uint256_literal;
use super::{hex, literal};
use crate::functions::bytes::is_text;
use crate::functions::uint256::is_uint256;
use crate::functions::{to_hex, uint256_to};

/// One expression at a time, its parts before it.
#[derive(Debug)]
pub(super) struct Meaning;

impl FunctionRewrite for Meaning {
    fn name(&self) -> &str {
        "meaning"
    }

    fn rewrite(&self, expr: Expr, schema: &DFSchema, _: &ConfigOptions) -> Result<Transformed<Expr>> {
        match expr {
            Expr::InList(list) => in_list(list, schema),
            Expr::Between(between) => ranges(between, schema),
            Expr::InSubquery(InSubquery { expr, subquery, negated }) => {
                let expr = Box::new(hex::without_case(*expr, schema));
                Ok(Transformed::yes(Expr::InSubquery(InSubquery { expr, subquery, negated })))
            }
            Expr::Like(like) => pattern(like, schema),
            Expr::Cast(Cast { expr, field }) => {
                let to = field.data_type().clone();
                Ok(match converted(&expr, &to, schema) {
                    Some(converted) => Transformed::yes(converted),
                    None => Transformed::no(Expr::Cast(Cast { expr, field })),
                })
            }
            Expr::TryCast(TryCast { expr, field }) => {
                let to = field.data_type().clone();
                Ok(match converted(&expr, &to, schema) {
                    Some(converted) => Transformed::yes(converted),
                    None => Transformed::no(Expr::TryCast(TryCast { expr, field })),
                })
            }
            other => Ok(Transformed::no(other)),
        }
    }
}

fn in_list(list: InList, schema: &DFSchema) -> Result<Transformed<Expr>> {
    let expr = hex::without_case(*list.expr, schema);
    let items = compared(&expr, list.list, schema)?;
    Ok(Transformed::yes(Expr::InList(InList { expr: Box::new(expr), list: items, negated: list.negated })))
}

fn ranges(between: Between, schema: &DFSchema) -> Result<Transformed<Expr>> {
    let Between { expr, negated, low, high } = between;
    let mut ends = compared(&expr, vec![*low, *high], schema)?;
    let (Some(high), Some(low)) = (ends.pop(), ends.pop()) else {
        return Err(datafusion::common::DataFusionError::Internal("a range without ends".to_string()));
    };
    Ok(Transformed::yes(Expr::Between(Between { expr, negated, low: Box::new(low), high: Box::new(high) })))
}

/// What an expression is compared with, as its own type.
fn compared(expr: &Expr, others: Vec<Expr>, schema: &DFSchema) -> Result<Vec<Expr>> {
    let Ok((_, field)) = expr.to_field(schema) else { return Ok(others) };
    let fit = |other: Expr| {
        if is_uint256(&field) {
            return match literal::whole_number(&other) {
                Some(number) => uint256_literal(number),
                None => Ok(other),
            };
        }
        if hex::shows_hex(&field) {
            return hex::comparable(&field, hex::without_case(other, schema), schema);
        }
        if is_text(field.data_type()) {
            return Ok(hex::as_text(&other).unwrap_or(other));
        }
        Ok(other)
    };
    others.into_iter().map(fit).collect()
}

/// `address like '0xab%'`: bytes as the text they are shown as.
fn pattern(like: Like, schema: &DFSchema) -> Result<Transformed<Expr>> {
    let bytes = like.expr.to_field(schema).is_ok_and(|(_, field)| hex::shows_hex(&field));
    if !bytes {
        return Ok(Transformed::no(Expr::Like(like)));
    }
    let expr = Box::new(to_hex().call(vec![*like.expr]));
    Ok(Transformed::yes(Expr::Like(Like { expr, case_insensitive: true, ..like })))
}

/// A cast of uint256 or bytes that Arrow has no meaning for, or another one than people expect.
fn converted(expr: &Expr, to: &DataType, schema: &DFSchema) -> Option<Expr> {
    let (_, field) = expr.to_field(schema).ok()?;
    if is_uint256(&field) {
        let number = to.is_numeric() || is_text(to);
        return number.then(|| uint256_to(expr.clone(), to));
    }
    if hex::shows_hex(&field) && is_text(to) {
        let text = to_hex().call(vec![expr.clone()]);
        return Some(Expr::Cast(Cast::new(Box::new(text), to.clone())));
    }
    None
}
