//! Functions of lists and of maps: their items, parts, sums and likeness.

pub(super) mod column_of;
mod entries;
mod get;
pub(super) mod items;
pub(super) mod known_list;
pub(super) mod maps;
pub(super) mod number_lists;
pub(super) mod overlap;
mod pieces;
pub(super) mod position;
mod sequence;
mod sums;
mod vectors;
pub(super) mod within_list;

use datafusion::logical_expr::ScalarUDF;

/// All of them but those that stand in the place of stock ones.
pub(super) fn udfs() -> Vec<ScalarUDF> {
    let mut all = vec![column_of::udf(), get::udf(), known_list::udf()];
    all.extend(entries::udfs());
    all.extend(sums::udfs());
    all.extend(items::udfs());
    all.extend(maps::udfs());
    all.extend(pieces::udfs());
    all.extend(sequence::udfs());
    all.extend(vectors::udfs());
    all
}
