//! Forms of SQL that the stock engine has no plan for, one a file.

pub(super) mod excluded;
pub(super) mod laterals;
pub(crate) mod multisets;
pub(crate) mod pivots;
pub(super) mod subqueries;
pub(super) mod tops;
