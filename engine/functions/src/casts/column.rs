//! One column as another type, with the meaning that a cast has in a query.

use std::sync::Arc;

use arrow::array::{ArrayRef, RecordBatch};
use arrow::datatypes::{DataType, Field, FieldRef, Schema};
use datafusion::common::{DFSchema, Result};
use datafusion::execution::context::ExecutionProps;
use datafusion::logical_expr::expr::Cast;
use datafusion::logical_expr::physical_planning_context::PhysicalPlanningContext;
use datafusion::logical_expr::{Expr, ExprSchemable, cast, col};
use datafusion::physical_expr::create_physical_expr;

use super::numerals;
use crate::json::is_json_field;
use crate::times::time_text::times_as_text;
use crate::uint256::number_to;
use crate::{as_hex, decimal_of_text, int256, json_plain, uint256};
use quarry_types::byte_columns::{is_bytes, is_text, shows_hex};
use quarry_types::uint256::{is_number, is_signed};

const NAME: &str = "value";

/// Casts a column from the type of `field` to that of `to`.
pub fn cast_column(array: &ArrayRef, field: &Field, to: &FieldRef) -> Result<ArrayRef> {
    if array.data_type() == to.data_type() && !is_number(to.data_type()) {
        return Ok(array.clone());
    }
    let schema = Schema::new(vec![field.clone().with_name(NAME).with_nullable(true)]);
    let known = DFSchema::try_from(schema.clone())?;
    let value = match (is_number(to.data_type()), is_signed(to)) {
        (true, true) => int256().call(vec![col(NAME)]),
        (true, false) => uint256().call(vec![col(NAME)]),
        _ => of_cast(cast(col(NAME), to.data_type().clone()), &known),
    };
    let value = times_as_text(value, &known).data;
    let physical = create_physical_expr(&value, &known, &ExecutionProps::new(), &PhysicalPlanningContext::default())?;
    let batch = RecordBatch::try_new(Arc::new(schema), vec![array.clone()])?;
    physical.evaluate(&batch)?.into_array(array.len())
}

/// A cast, with its meaning.
fn of_cast(cast: Expr, schema: &DFSchema) -> Expr {
    let cast = numerals::rounded(numerals::of_text(cast, schema), schema);
    match &cast {
        Expr::Cast(Cast { expr, field }) => converted(expr, field.data_type(), schema).unwrap_or(cast),
        _ => cast,
    }
}

/// A cast of uint256 or bytes that Arrow has no meaning for, or another one than people expect.
pub fn converted(expr: &Expr, to: &DataType, schema: &DFSchema) -> Option<Expr> {
    let (_, field) = expr.to_field(schema).ok()?;
    if is_number(field.data_type()) {
        let known = to.is_numeric() || is_text(to) || is_bytes(to) && !is_number(to);
        return known.then(|| number_to(expr.clone(), to));
    }
    if is_json_field(&field) && !to.is_nested() {
        let plain = json_plain().call(vec![expr.clone()]);
        let read = decimal_of_text(&plain, to, false);
        return Some(read.unwrap_or_else(|| Expr::Cast(Cast::new(Box::new(plain), to.clone()))));
    }
    if shows_hex(&field) && is_text(to) {
        let text = as_hex().call(vec![expr.clone()]);
        return Some(Expr::Cast(Cast::new(Box::new(text), to.clone())));
    }
    None
}
