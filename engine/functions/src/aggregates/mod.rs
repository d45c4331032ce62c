//! Aggregates and window functions: sums and means, percentiles, the shape of distributions, sketches, `EXCLUDE` of window frames.
//! `exact/` has exact sums and means, `sliding/` accumulators for sliding frames.

pub(super) mod adapted;
pub(super) mod approx_percentile;
mod array_agg;
pub(super) mod avg;
pub(super) mod collected_numbers;
pub(super) mod constant_argument;
pub(super) mod count_distinct;
pub(super) mod distinct_values;
pub(super) mod exact;
pub(super) mod frame_exclusion;
pub(super) mod lead_lag;
mod median;
pub(crate) mod methods;
mod min_max;
mod nested_min_max;
mod numeric_histogram;
mod ordered_number;
mod per_group;
pub(super) mod percentile_cont;
pub(super) mod percentile_disc;
pub(super) mod semi_join_summary;
mod shape_statistics;
mod single_group;
pub(super) mod sketches;
pub(super) mod sliding;
pub(super) mod streaming_histogram;
pub(super) mod sum;

use datafusion::logical_expr::AggregateUDF;

use exact::moving::{Frame, Moving};

use crate::prelude::*;

/// Scalar functions that go with them.
pub(super) fn udfs() -> Vec<ScalarUDF> {
    let mut all = sketches::udfs();
    all.push(frame_exclusion::udf());
    all
}

/// Our own aggregates; adapted built-in ones are in `builtin_functions.rs`.
pub(super) fn udafs() -> Vec<Arc<AggregateUDF>> {
    let mut all = vec![sum::sum(), avg::avg(), array_agg::aggregate(), percentile_disc::aggregate()];
    all.extend([median::aggregate(), numeric_histogram::aggregate()]);
    all.extend(min_max::aggregates());
    all.extend(sketches::aggregates());
    all.extend(approx_percentile::aggregates());
    all.extend(shape_statistics::aggregates());
    all
}

/// An aggregate over a moving frame, for whole columns at once; `None` for all but exact sums and means.
pub fn moving(function: &AggregateUDF, from: &DataType, to: &DataType, frame: Frame) -> Option<Box<dyn Moving>> {
    match function {
        function if function == sum::sum().as_ref() => sum::moving_sums(from, to, frame),
        function if function == avg::avg().as_ref() => avg::moving_means(from, to, frame),
        _ => None,
    }
}
