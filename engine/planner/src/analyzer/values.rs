//! `VALUES` with doubles among decimals, also in lists: the column is one of doubles, as everywhere. The planner has cast
//! them to a decimal of few digits.

use std::sync::Arc;

use arrow::datatypes::{DataType, Field, FieldRef};
use datafusion::common::{DFSchema, Result};
use datafusion::logical_expr::binary::type_union_resolution;
use datafusion::logical_expr::expr::Cast;
use datafusion::logical_expr::{Expr, ExprSchemable, LogicalPlan, Values, cast};

use quarry_functions::common_type::doubles;

/// The same values with doubles where the planner made them decimals.
pub(super) fn of_doubles(plan: LogicalPlan) -> Result<LogicalPlan> {
    let LogicalPlan::Values(Values { schema, mut values }) = plan else { return Ok(plan) };
    let mut fields: Vec<FieldRef> = schema.fields().iter().cloned().collect();
    let mut changed = false;
    for (index, field) in fields.iter_mut().enumerate() {
        let column = values.iter().map(|row| written(&row[index], field));
        let types: Vec<DataType> = column.filter_map(|value| value.get_type(&schema).ok()).collect();
        // A column that is a decimal because somebody cast its doubles is none that the planner has cast.
        let by_planner = type_union_resolution(&types).as_ref() == Some(field.data_type());
        let known: Vec<&DataType> = types.iter().filter(|data_type| !data_type.is_null()).collect();
        let Some(to) = doubles(&known).filter(|_| by_planner) else { continue };
        for row in &mut values {
            row[index] = cast(written(&row[index], field).clone(), to.clone());
        }
        *field = Arc::new(Field::clone(field).with_data_type(to));
        changed = true;
    }
    if !changed {
        return Ok(LogicalPlan::Values(Values { schema, values }));
    }
    let schema = DFSchema::from_unqualified_fields(fields.into(), schema.metadata().clone())?;
    Ok(LogicalPlan::Values(Values { schema: Arc::new(schema), values }))
}

/// A value before the planner cast it to the type of its column.
fn written<'a>(value: &'a Expr, column: &Field) -> &'a Expr {
    match value {
        Expr::Cast(Cast { expr, field }) if field.data_type() == column.data_type() => expr,
        other => other,
    }
}
