//! Workarounds for faults of DataFusion's planner, one a file. Each file says what is wrong, with the smallest query
//! that shows it, and names the upstream issue. Its test runs that query on stock DataFusion and fails once the fault is
//! gone.

pub mod aggregate_statistics;
pub mod case_bytes;
pub mod duplicate_windows;
pub mod file_statistics;
pub mod filter_projections;
pub mod filter_pushdown;
pub mod global_aggregates;
pub mod group_dependencies;
pub mod group_key_constraints;
pub mod grouping_sets;
pub mod guards;
pub mod intersect_all;
pub mod join_properties;
pub mod lambda_projections;
pub mod limit_aggregation;
pub mod limits;
pub mod lost_keys;
pub mod mark_join_columns;
pub mod nested_loop_join;
pub mod null_equality;
pub mod outer_references;
pub(crate) mod property_barrier;
pub mod scalar_subqueries;
pub mod sort_preserving_merge;
pub mod stale_schemas;
#[cfg(test)]
pub(crate) mod stock;
pub mod swapped_comparisons;
pub mod topk_keys;
pub mod union_names;
pub mod window_orders;
