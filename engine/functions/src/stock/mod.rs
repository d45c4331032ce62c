//! Stock functions that take more than they know of, under the names of other dialects too.

pub(super) mod adapt;
pub(super) mod bounded;
pub(super) mod byte_lists;
pub(super) mod choose;
pub(super) mod column_patterns;
pub(super) mod concat_operator;
pub(super) mod listed;
pub(super) mod of_numbers;
pub(super) mod or_bytes;
pub(super) mod places;
mod repeated;
pub(super) mod signed;
pub(super) mod sought;
pub(super) mod wanted;
pub(super) mod wrapped;
