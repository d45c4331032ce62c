//! Functions that take functions: `reduce`, `zip_with`, `array_sort` and those of maps. Those of one list are stock ones.

mod higher;
mod lists;
mod map_zip_with;
mod maps;
mod placed;
mod reduce;
mod sort;
mod zip_with;

pub use placed::{FILTER_PLACED, TRANSFORM_PLACED};
pub use reduce::widened;
pub use sort::NAME as SORT_BY;

use std::sync::Arc;

use datafusion::logical_expr::HigherOrderUDF;

use super::simple::Doc;
use lists::{as_list, item_of, lists_of};

/// Every such function with its documentation.
pub const DOCS: [(&str, Doc); 7] = [
    ("reduce", reduce::DOC),
    ("zip_with", zip_with::DOC),
    (sort::NAME, sort::DOC),
    ("map_zip_with", map_zip_with::DOC),
    ("map_filter", maps::FILTER_DOC),
    ("transform_keys", maps::KEYS_DOC),
    ("transform_values", maps::VALUES_DOC),
];

pub(super) fn functions() -> Vec<Arc<HigherOrderUDF>> {
    let single = vec![reduce::function(), zip_with::function(), map_zip_with::function(), sort::function()];
    let all = [single, maps::functions(), placed::functions()];
    all.into_iter().flatten().map(Arc::new).collect()
}
