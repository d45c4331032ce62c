//! Workarounds for faults of DataFusion's planner, one a file. Each has a test that fails once DataFusion is fixed, where a query
//! can show the fault.

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
pub mod shielded;
pub mod sole_rows;
pub mod stale_schemas;
pub mod top_groups;
pub mod totals;
