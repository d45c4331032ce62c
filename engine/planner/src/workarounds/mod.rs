//! Workarounds for faults of DataFusion's planner, one a file. Each file says what is wrong, with the smallest query
//! that shows it, and names the upstream issue. Its test runs that query on stock DataFusion and fails once the fault is
//! gone.

pub mod byte_cases;
pub mod equal_windows;
pub mod from_statistics;
pub mod group_keys;
pub mod handed_down;
pub mod limited;
pub mod literal_sides;
pub mod nested_loops;
pub mod no_rows;
pub mod null_keys;
pub mod orders;
pub mod outer_types;
pub mod promises;
mod property_barrier;
pub mod row_counts;
pub mod shared_topk;
pub mod shielded;
pub mod sole_rows;
pub mod stale_schemas;
#[cfg(test)]
pub(crate) mod stock;
pub mod top_groups;
pub mod totals;
