//! From a parsed query to the plan that runs: DataFusion's planner with our rules, for SQL and HiveQL. `pipeline` lists all
//! steps in order.

pub mod analyzer;
pub mod cancellation;
mod decorrelation;
pub mod hive;
pub mod optimizer;
mod physical_optimizer;
pub mod pipeline;
pub mod sql_extensions;
pub mod workarounds;
