//! Wrappers of DataFusion's built-in functions: for more types, under the names of other dialects, or within bounds.

pub(super) mod adapt;
pub(super) mod bounded;
pub(super) mod byte_lists;
pub(super) mod choice;
pub(super) mod column_patterns;
pub(super) mod concat_operator;
pub(super) mod list_items;
pub(super) mod list_positions;
pub(super) mod null_lists;
pub(super) mod null_propagation;
pub(super) mod number_rounding;
pub(super) mod overload;
pub(super) mod signed;
pub(super) mod wrapper;
