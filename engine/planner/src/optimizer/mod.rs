//! Optimizer rules: logical plans that answer the same with less work.

pub mod common_subplan;
pub mod deduplicate_semi_join_build;
pub mod shared_count_distinct;
pub mod unused_joins;
