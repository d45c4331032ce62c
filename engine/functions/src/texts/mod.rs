//! Functions of texts: parts, patterns, web addresses, formatting.

pub(super) mod concat_ws;
mod distances;
pub(super) mod format;
pub(super) mod nth_position;
mod regexp;
mod replacement;
pub(super) mod similar_to;
mod split;
pub(super) mod substr;
mod urls;

use datafusion::logical_expr::ScalarUDF;

/// All but those that replace built-in ones.
pub(super) fn udfs() -> Vec<ScalarUDF> {
    let mut all = vec![nth_position::udf(), similar_to::udf(), split::udf()];
    all.extend(distances::udfs());
    all.extend(regexp::udfs());
    all.extend(urls::udfs());
    all
}
