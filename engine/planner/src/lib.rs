//! From a parsed query to the plan that runs: DataFusion's planner with our rules, for SQL and HiveQL. `pipeline` lists all
//! rules in order.

pub mod analyzer;
pub mod cancellation;
mod decorrelation;
pub mod hive;
mod node_rules;
pub mod optimizer;
mod pass_through;
mod physical_optimizer;
pub mod pipeline;
pub mod remote_operators;
pub mod sql_extensions;
mod subqueries;
pub mod workarounds;
