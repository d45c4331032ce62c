//! `a IS DISTINCT FROM b` as a call until the types of both sides are known: the planner has no common type for 256-bit numbers
//! and fractions, and would ask for one as soon as it names the column.

use std::sync::Arc;

use arrow::array::ArrayRef;
use arrow::datatypes::{DataType, Field, FieldRef};
use datafusion::common::{Result, internal_err};
use datafusion::logical_expr::{Operator, ReturnFieldArgs, ScalarUDF};

use crate::simple::Simple;

/// The calls; people don't write them.
pub const DISTINCT_FROM: &str = "distinct_from";
pub const NOT_DISTINCT_FROM: &str = "not_distinct_from";

pub(super) fn udfs() -> Vec<ScalarUDF> {
    [DISTINCT_FROM, NOT_DISTINCT_FROM].map(|name| Simple::udf(name, 2..=2, None, truth, never)).into()
}

/// The operator that a call stands for.
pub fn distinct_operator(name: &str) -> Option<Operator> {
    match name {
        DISTINCT_FROM => Some(Operator::IsDistinctFrom),
        NOT_DISTINCT_FROM => Some(Operator::IsNotDistinctFrom),
        _ => None,
    }
}

fn truth(_: &ReturnFieldArgs) -> Result<FieldRef> {
    Ok(Arc::new(Field::new("truth", DataType::Boolean, false)))
}

/// The operator takes its place before anything runs.
fn never(_: &[ArrayRef], _: &FieldRef) -> Result<ArrayRef> {
    internal_err!("a comparison was not given its meaning")
}
