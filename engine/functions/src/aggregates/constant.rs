//! Arguments of aggregates that are the same for every row.

use std::sync::Arc;

use arrow::array::{Array, ArrayRef, AsArray, RecordBatch, RecordBatchOptions};
use arrow::datatypes::{DataType, Float64Type, Schema};
use datafusion::common::Result;
use datafusion::physical_expr::PhysicalExpr;

use crate::hive_values::cast;
use quarry_types::invalid;

/// An argument that needs no row, as a column of one; `otherwise` says what is wrong with one that does.
pub(crate) fn constant_value(expr: &Arc<dyn PhysicalExpr>, otherwise: &str) -> Result<ArrayRef> {
    let options = RecordBatchOptions::new().with_row_count(Some(1));
    let one = RecordBatch::try_new_with_options(Arc::new(Schema::empty()), Vec::new(), &options)?;
    let value = expr.evaluate(&one).and_then(|value| value.into_array(1));
    value.map_err(|_| invalid(otherwise))
}

/// The numbers of such an argument.
pub(crate) fn constant(expr: &Arc<dyn PhysicalExpr>, otherwise: &str) -> Result<Vec<f64>> {
    let value = constant_value(expr, otherwise)?;
    let value = match value.data_type() {
        DataType::List(_) if value.is_null(0) => return Ok(Vec::new()),
        DataType::List(_) => value.as_list::<i32>().value(0),
        _ => value,
    };
    let numbers = cast::to_type(&value, &DataType::Float64)?;
    Ok(numbers.as_primitive::<Float64Type>().iter().flatten().collect())
}
