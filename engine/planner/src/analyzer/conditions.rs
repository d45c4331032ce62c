//! Refuses conditions that are not boolean: the stock rule takes any number for true or false.

use arrow::datatypes::DataType;
use datafusion::common::{DFSchema, Result};
use datafusion::logical_expr::expr::{AggregateFunction, Case};
use datafusion::logical_expr::{Expr, ExprSchemable};

use quarry_types::invalid;
use quarry_types::type_names::type_name;

/// Refuses `CASE WHEN 5 THEN …` and `FILTER (WHERE 5)`.
pub(super) fn check_conditions(expr: &Expr, schema: &DFSchema) -> Result<()> {
    match expr {
        Expr::Case(Case { expr: None, when_then_expr, .. }) => {
            when_then_expr.iter().try_for_each(|(when, _)| check_boolean(when, schema))
        }
        Expr::AggregateFunction(AggregateFunction { params, .. }) => {
            params.filter.as_ref().map_or(Ok(()), |filter| check_boolean(filter, schema))
        }
        _ => Ok(()),
    }
}

fn check_boolean(expr: &Expr, schema: &DFSchema) -> Result<()> {
    // The planner refuses what has no type.
    let Ok(data_type) = expr.get_type(schema) else { return Ok(()) };
    if matches!(data_type, DataType::Boolean | DataType::Null) {
        return Ok(());
    }
    Err(invalid(format!("Expected a boolean here, got {}; compare it with a value.", type_name(&data_type, false))))
}
