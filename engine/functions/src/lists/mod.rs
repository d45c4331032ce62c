//! Functions of lists and of maps: their items, parts, sums and angles.

pub(super) mod build;
mod cosine;
pub(super) mod item_access;
mod maps;
pub(super) mod null_free_list;
pub(super) mod null_items;
pub(super) mod number_lists;
mod sequence;
mod sublists;
mod sums;
pub(super) mod unnest_column;

use datafusion::logical_expr::ScalarUDF;

/// Our own functions; adapted built-in ones are in `builtin_functions.rs`.
pub(super) fn udfs() -> Vec<ScalarUDF> {
    let mut all = vec![unnest_column::udf(), null_free_list::udf()];
    all.extend(sums::udfs());
    all.extend(item_access::udfs());
    all.extend(maps::udfs());
    all.extend(sublists::udfs());
    all.extend(sequence::udfs());
    all.extend(cosine::udfs());
    all
}
