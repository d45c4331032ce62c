//! Functions that take lambdas: `reduce`, `zip_with`, `array_sort` and those of maps. Those of one list are built-in ones.

mod function;
mod list_types;
mod lists;
mod maps;
mod reduce;
mod sort;

pub use lists::{FILTER_PLACED, TRANSFORM_PLACED};
pub use reduce::widened;
pub use sort::NAME as SORT_BY;

use std::sync::Arc;

use datafusion::logical_expr::HigherOrderUDF;

use crate::scalar_udf::Doc;

/// The documentation of every such function.
pub const DOCS: [(&str, Doc); 7] = [
    ("reduce", reduce::DOC),
    ("zip_with", lists::ZIP_WITH_DOC),
    (sort::NAME, sort::DOC),
    ("map_zip_with", maps::ZIP_WITH_DOC),
    ("map_filter", maps::FILTER_DOC),
    ("transform_keys", maps::KEYS_DOC),
    ("transform_values", maps::VALUES_DOC),
];

pub(super) fn functions() -> Vec<Arc<HigherOrderUDF>> {
    let mut all = vec![reduce::function(), sort::function()];
    all.extend(lists::functions());
    all.extend(maps::functions());
    all.into_iter().map(Arc::new).collect()
}
