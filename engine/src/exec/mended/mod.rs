//! What the stock planner believes wrongly of a plan, and how it is kept from it, one belief a file.

pub(super) mod byte_cases;
pub(super) mod changing;
pub(super) mod equal_windows;
pub(super) mod from_statistics;
pub(crate) mod group_keys;
pub(super) mod handed_down;
pub(super) mod limited;
pub(super) mod literal_sides;
pub(super) mod nested_loops;
pub(super) mod no_rows;
pub(super) mod null_keys;
pub(super) mod orders;
pub(super) mod outer_types;
pub(super) mod promises;
pub(crate) mod row_counts;
pub(super) mod shielded;
pub(super) mod sole_rows;
pub(super) mod top_groups;
pub(super) mod totals;
mod untold;
