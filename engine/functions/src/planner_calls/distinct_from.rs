//! `a IS DISTINCT FROM b` as a call until the types of both sides are known: the planner has no common type for 256-bit numbers
//! and fractions, and would look for one as soon as it names the column.

use datafusion::common::internal_err;
use datafusion::logical_expr::Operator;

use crate::prelude::*;

pub const DISTINCT_FROM: &str = "distinct_from";
pub const NOT_DISTINCT_FROM: &str = "not_distinct_from";

pub(super) fn udfs() -> [ScalarUDF; 2] {
    [DISTINCT_FROM, NOT_DISTINCT_FROM].map(|name| {
        let truth = |_: &ReturnFieldArgs<'_>| Ok(Arc::new(Field::new("truth", DataType::Boolean, false)));
        scalar_udf(name, 2..=2, truth, |_, _| internal_err!("IS DISTINCT FROM was not planned as an operator"))
    })
}

/// The operator that replaces a call.
pub fn distinct_operator(name: &str) -> Option<Operator> {
    match name {
        DISTINCT_FROM => Some(Operator::IsDistinctFrom),
        NOT_DISTINCT_FROM => Some(Operator::IsNotDistinctFrom),
        _ => None,
    }
}
