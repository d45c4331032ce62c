//! One column as another type, with the meaning that a cast has in a query.

use std::sync::Arc;

use arrow::array::{ArrayRef, RecordBatch};
use arrow::datatypes::{Field, FieldRef, Schema};
use datafusion::common::{DFSchema, Result};
use datafusion::execution::context::ExecutionProps;
use datafusion::logical_expr::physical_planning_context::PhysicalPlanningContext;
use datafusion::logical_expr::{cast, col};
use datafusion::physical_expr::create_physical_expr;

use super::{meaning, texts};
use crate::functions::uint256::{is_number, is_signed};
use crate::functions::{int256, uint256};

const NAME: &str = "value";

/// The values of a column, which `field` tells of, as those of another.
pub(crate) fn cast_column(array: &ArrayRef, field: &Field, to: &FieldRef) -> Result<ArrayRef> {
    if array.data_type() == to.data_type() && !is_number(to.data_type()) {
        return Ok(array.clone());
    }
    let schema = Schema::new(vec![field.clone().with_name(NAME).with_nullable(true)]);
    let known = DFSchema::try_from(schema.clone())?;
    let value = match (is_number(to.data_type()), is_signed(to)) {
        (true, true) => int256().call(vec![col(NAME)]),
        (true, false) => uint256().call(vec![col(NAME)]),
        _ => meaning::of_cast(cast(col(NAME), to.data_type().clone()), &known)?,
    };
    let value = texts::rewrite(value, &known).data;
    let physical = create_physical_expr(&value, &known, &ExecutionProps::new(), &PhysicalPlanningContext::default())?;
    let batch = RecordBatch::try_new(Arc::new(schema), vec![array.clone()])?;
    physical.evaluate(&batch)?.into_array(array.len())
}
