//! Calls that planner rules put in, most of them not for people to write: they mark values, or hide expressions from DataFusion's
//! rules.

mod distinct_from;
mod identity;
mod only_row;
mod try_expr;

use datafusion::logical_expr::ScalarUDF;

pub use distinct_from::{DISTINCT_FROM, NOT_DISTINCT_FROM, distinct_operator};
pub use identity::{CAST_APART, has_floats, may_be_null, one_zero, per_row};
pub use only_row::{only_row, value_of_rows};
pub use try_expr::{CompileTry, TryExpr, try_call};

/// Those that are found by their names.
pub(super) fn udfs() -> Vec<ScalarUDF> {
    distinct_from::udfs().into_iter().chain([identity::cast_apart(), try_expr::udf()]).collect()
}
