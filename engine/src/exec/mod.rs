//! Running a query: its session over the shared runtime, its stream into the result store, its progress and its limits.

mod correlated;
mod describe;
pub(crate) mod exact;
mod faster;
mod forms;
pub(crate) mod leavings;
mod mended;
mod moving;
pub(crate) mod names;
pub mod results;
pub(crate) mod reuse;
pub(crate) mod run;
mod running;
pub(crate) mod session;
pub(crate) mod syntax;
pub(crate) mod tables;
pub(crate) mod views;

pub(crate) use forms::{multisets, pivots};
pub(crate) use mended::{group_keys, row_counts};
pub(crate) use running::{damage, progress, shared, stopping};
