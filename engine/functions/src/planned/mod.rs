//! Calls that passes over a plan put in, as a rule not for people to write: values that stay what they are, and expressions that
//! are hidden from the stock rules.

pub(super) mod apart;
pub(super) mod distinct_from;
pub(super) mod may_be_null;
pub(super) mod one_zero;
pub(super) mod only_row;
pub(super) mod per_row;
pub(super) mod tried;

use datafusion::logical_expr::ScalarUDF;

/// Those that are found by a name.
pub(super) fn udfs() -> Vec<ScalarUDF> {
    let mut all = vec![apart::udf(), tried::udf()];
    all.extend(distinct_from::udfs());
    all
}
