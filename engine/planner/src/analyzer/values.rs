//! `VALUES` with doubles among decimals, also in lists: the column has doubles, as everywhere. The SQL planner casts them to a
//! decimal of few digits.

use std::sync::Arc;

use arrow::datatypes::{DataType, Field, FieldRef};
use datafusion::common::{DFSchema, Result};
use datafusion::logical_expr::binary::type_union_resolution;
use datafusion::logical_expr::expr::Cast;
use datafusion::logical_expr::{Expr, ExprSchemable, LogicalPlan, Values, cast};

use quarry_functions::common_type::common_double;

/// The values as doubles where the planner made them decimals.
pub(super) fn coerce_values_to_doubles(plan: LogicalPlan) -> Result<LogicalPlan> {
    let LogicalPlan::Values(Values { schema, mut values }) = plan else { return Ok(plan) };
    let mut fields: Vec<FieldRef> = schema.fields().iter().cloned().collect();
    let mut changed = false;
    for (index, field) in fields.iter_mut().enumerate() {
        let column = values.iter().map(|row| uncast(&row[index], field));
        let types: Vec<DataType> = column.filter_map(|value| value.get_type(&schema).ok()).collect();
        // The query may cast doubles to decimals itself.
        let by_planner = type_union_resolution(&types).as_ref() == Some(field.data_type());
        let known: Vec<&DataType> = types.iter().filter(|data_type| !data_type.is_null()).collect();
        let Some(to) = common_double(&known).filter(|_| by_planner) else { continue };
        for row in &mut values {
            row[index] = cast(uncast(&row[index], field).clone(), to.clone());
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
fn uncast<'a>(value: &'a Expr, column: &Field) -> &'a Expr {
    match value {
        Expr::Cast(Cast { expr, field }) if field.data_type() == column.data_type() => expr,
        other => other,
    }
}
