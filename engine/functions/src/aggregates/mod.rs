//! Functions of groups and of windows, one a file: sums and means, the middle of values, how they are spread, sketches.
//! `exact/` is what the exact ones are made of.

pub(super) mod adapted;
mod array_agg;
pub(super) mod avg;
pub(super) mod bars;
pub(super) mod constant;
pub(super) mod count_distinct;
pub(super) mod discrete_percentile;
pub(super) mod distinct;
pub(super) mod exact;
pub(super) mod excluding;
mod extreme;
pub(super) mod kept;
pub(super) mod median;
pub(super) mod numeric_histogram;
pub(super) mod percentile;
pub(super) mod percentile_cont;
pub(super) mod shape;
pub(super) mod shift;
pub(super) mod sketches;
pub(super) mod sum;

use std::sync::Arc;

use arrow::datatypes::DataType;
use datafusion::logical_expr::{AggregateUDF, ScalarUDF};

use exact::moving::{Frame, Moving};

/// Calls that go with them, of single rows.
pub(super) fn udfs() -> Vec<ScalarUDF> {
    let mut all = sketches::udfs();
    all.push(excluding::udf());
    all
}

/// Those of our own; the stock ones are in `stock`.
pub(super) fn udafs() -> Vec<Arc<AggregateUDF>> {
    let mut all = vec![sum::sum(), avg::avg(), array_agg::aggregate(), discrete_percentile::aggregate()];
    all.extend(extreme::both());
    all.extend(sketches::aggregates());
    all
}

/// What an aggregate is in a frame that moves, if it can be told for whole columns: exact sums and means.
pub fn moving(function: &AggregateUDF, from: &DataType, to: &DataType, frame: Frame) -> Option<Box<dyn Moving>> {
    match function {
        function if function == sum::sum().as_ref() => sum::moving(from, to, frame),
        function if function == avg::avg().as_ref() => avg::moving(from, to, frame),
        _ => None,
    }
}
