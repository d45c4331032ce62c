//! One column as another type, with the meaning that a cast has in a query.

use arrow::array::RecordBatch;
use arrow::datatypes::Schema;
use datafusion::common::DFSchema;
use datafusion::execution::context::ExecutionProps;
use datafusion::logical_expr::expr::Cast;
use datafusion::logical_expr::physical_planning_context::PhysicalPlanningContext;
use datafusion::logical_expr::{ExprSchemable, cast, col};
use datafusion::physical_expr::create_physical_expr;
use quarry_types::byte_columns::shows_hex;
use quarry_types::uint256::is_signed;

use super::numbers;
use crate::bytes::hex::as_hex;
use crate::json::extract::json_plain;
use crate::json::is_json_field;
use crate::numbers::decimal_text::decimal_of_text;
use crate::prelude::*;
use crate::times::time_of_text::text_as_time;
use crate::times::time_text::times_as_text;
use crate::uint256::{int256, number_to, uint256};

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
        _ => replaced_cast(cast(col(NAME), to.data_type().clone()), &known),
    };
    let value = text_as_time(times_as_text(value, &known).data, &known).data;
    let value = numbers::float_as_decimal(value, &known).data;
    let physical = create_physical_expr(&value, &known, &ExecutionProps::new(), &PhysicalPlanningContext::default())?;
    let batch = RecordBatch::try_new(Arc::new(schema), vec![array.clone()])?;
    physical.evaluate(&batch)?.into_array(array.len())
}

fn replaced_cast(cast: Expr, schema: &DFSchema) -> Expr {
    let cast = numbers::rounded(numbers::text_as_decimal(cast, schema), schema);
    match &cast {
        Expr::Cast(Cast { expr, field }) => replacement(expr, field.data_type(), schema).unwrap_or(cast),
        _ => cast,
    }
}

/// The expression in place of a cast of uint256, bytes or JSON that Arrow does not have, or has with another result.
pub fn replacement(expr: &Expr, to: &DataType, schema: &DFSchema) -> Option<Expr> {
    let (_, field) = expr.to_field(schema).ok()?;
    if is_number(field.data_type()) {
        let known = to.is_numeric() || is_text(to) || is_bytes(to) && !is_number(to);
        return known.then(|| number_to(expr.clone(), to));
    }
    if is_json_field(&field) && !to.is_nested() {
        let text = json_plain().call(vec![expr.clone()]);
        let read = decimal_of_text(&text, to, false);
        return Some(read.unwrap_or_else(|| Expr::Cast(Cast::new(Box::new(text), to.clone()))));
    }
    if shows_hex(&field) && is_text(to) {
        let text = as_hex().call(vec![expr.clone()]);
        return Some(Expr::Cast(Cast::new(Box::new(text), to.clone())));
    }
    None
}
