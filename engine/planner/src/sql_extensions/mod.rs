//! Forms of SQL that the stock engine has no plan for, one a file.

pub mod excluded;
pub mod laterals;
pub mod multisets;
pub mod pivots;
pub mod subqueries;
pub mod tops;
