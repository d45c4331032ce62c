//! Arguments of aggregates that are the same for every row.

use arrow::array::{RecordBatch, RecordBatchOptions};
use arrow::datatypes::Schema;
use datafusion::physical_expr::PhysicalExpr;

use crate::hive_values::cast;
use crate::prelude::*;

/// The value of a constant argument, as a column of one row; an error with this message for other arguments.
pub(crate) fn constant_array(expr: &Arc<dyn PhysicalExpr>, message: &str) -> Result<ArrayRef> {
    let options = RecordBatchOptions::new().with_row_count(Some(1));
    let one = RecordBatch::try_new_with_options(Arc::new(Schema::empty()), Vec::new(), &options)?;
    let value = expr.evaluate(&one).and_then(|value| value.into_array(1));
    value.map_err(|_| invalid(message))
}

/// The numbers of a constant argument: one, or the items of a list.
pub(crate) fn constant_numbers(expr: &Arc<dyn PhysicalExpr>, message: &str) -> Result<Vec<f64>> {
    let value = constant_array(expr, message)?;
    let value = match value.data_type() {
        DataType::List(_) if value.is_null(0) => return Ok(Vec::new()),
        DataType::List(_) => value.as_list::<i32>().value(0),
        _ => value,
    };
    let numbers = cast::to_type(&value, &DataType::Float64)?;
    Ok(numbers.as_primitive::<Float64Type>().iter().flatten().collect())
}

/// The number of a constant argument within limits; an error with this message for anything else.
pub(crate) fn constant_between(expr: &Arc<dyn PhysicalExpr>, from: f64, to: f64, message: &str) -> Result<f64> {
    match constant_numbers(expr, message)?.first() {
        Some(number) if (from..=to).contains(number) => Ok(*number),
        _ => Err(invalid(message)),
    }
}
