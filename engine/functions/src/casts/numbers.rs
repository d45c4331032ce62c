//! Casts of numbers to whole numbers round, as in the engines of Dune and BigQuery, PostgreSQL and DuckDB: 1.5 is 2. The built-in cast
//! truncates. Casts of texts to decimals read exponents, which the built-in one does not. Casts of doubles to
//! decimals take the digits of their shortest text; the built-in one has the noise of a multiplication.

use datafusion::common::DFSchema;
use datafusion::common::tree_node::Transformed;
use datafusion::functions::math;
use datafusion::logical_expr::ExprSchemable;
use datafusion::logical_expr::expr::{Cast, ScalarFunction, TryCast};

use super::opaque::{is_opaque, opaque};
use crate::json::is_json_field;
use crate::numbers::decimal_text::decimal_of_text;
use crate::numbers::float_decimals::decimal_of_float;
use crate::prelude::*;

/// A text as a decimal, if the cast is one of them.
pub fn text_as_decimal(cast: Expr, schema: &DFSchema) -> Expr {
    let (text, to, lenient) = match &cast {
        Expr::Cast(Cast { expr, field }) => (expr, field.data_type(), false),
        Expr::TryCast(TryCast { expr, field }) => (expr, field.data_type(), true),
        _ => return cast,
    };
    // JSON is read first.
    let is_plain_text = text.to_field(schema).is_ok_and(|(_, from)| is_text(from.data_type()) && !is_json_field(&from));
    let read = is_plain_text.then(|| decimal_of_text(text, to, lenient)).flatten();
    read.unwrap_or(cast)
}

/// A double or a real as a decimal, if the cast is one of them.
pub fn float_as_decimal(cast: Expr, schema: &DFSchema) -> Transformed<Expr> {
    let (number, to, lenient) = match &cast {
        Expr::Cast(Cast { expr, field }) => (expr, field.data_type(), false),
        Expr::TryCast(TryCast { expr, field }) => (expr, field.data_type(), true),
        _ => return Transformed::no(cast),
    };
    let is_float = matches!(number.get_type(schema), Ok(DataType::Float32 | DataType::Float64));
    match is_float.then(|| decimal_of_float(number.as_ref().clone(), to, lenient)).flatten() {
        Some(decimal) => Transformed::yes(decimal),
        None => Transformed::no(cast),
    }
}

/// The cast with its number rounded first, halves away from zero.
pub fn rounded(expr: Expr, schema: &DFSchema) -> Expr {
    let round = |expr: Box<Expr>| Box::new(math::round().call(vec![*expr]));
    match expr {
        Expr::Cast(Cast { expr, field }) if field.data_type().is_integer() && has_fraction(&expr, schema) => {
            Expr::Cast(Cast { expr: round(expr), field })
        }
        Expr::TryCast(TryCast { expr, field }) if field.data_type().is_integer() && has_fraction(&expr, schema) => {
            Expr::TryCast(TryCast { expr: round(expr), field })
        }
        other => other,
    }
}

/// Hides a cast that drops digits, or that turns failures into nulls, from the optimizer, which would unwrap it in comparisons.
pub fn keep_lossy(expr: Expr, schema: &DFSchema) -> Expr {
    let loses = match &expr {
        Expr::Cast(Cast { expr, field }) => {
            let scales = expr.get_type(schema).ok().and_then(|from| scale(&from)).zip(scale(field.data_type()));
            scales.is_some_and(|(from, to)| to < from)
        }
        Expr::TryCast(TryCast { expr, field }) => {
            field.data_type().is_numeric() && expr.get_type(schema).is_ok_and(|from| from.is_numeric())
        }
        _ => false,
    };
    if loses {
        return opaque(expr);
    }
    // The rule ran before.
    let twice = is_opaque(&expr);
    match expr {
        Expr::ScalarFunction(mut call) if twice && call.args.first().is_some_and(is_opaque) => call.args.remove(0),
        other => other,
    }
}

/// Digits behind the point of a decimal.
fn scale(data_type: &DataType) -> Option<i8> {
    match data_type {
        DataType::Decimal32(_, scale)
        | DataType::Decimal64(_, scale)
        | DataType::Decimal128(_, scale)
        | DataType::Decimal256(_, scale) => Some(*scale),
        _ => None,
    }
}

/// Whether a number may have digits behind its point; what was rounded or cut already has none.
fn has_fraction(expr: &Expr, schema: &DFSchema) -> bool {
    let whole = ["round", "floor", "ceil", "trunc"];
    if matches!(expr, Expr::ScalarFunction(ScalarFunction { func, args }) if whole.contains(&func.name()) && args.len() == 1)
    {
        return false;
    }
    expr.get_type(schema).is_ok_and(|data_type| match scale(&data_type) {
        Some(scale) => scale > 0,
        None => data_type.is_floating(),
    })
}
