//! Common subplans run once: common table expressions and equal subqueries that aggregate, remove
//! duplicates or limit, or that read a few narrow columns. The planner inlines a CTE at each reference, so a chain of CTEs would
//! run its first one again and again.
//!
//! [`ShareCommonSubplans`] finds equal subplans of the analyzed plan and replaces them by scans of a [`table::Repeated`]; the first
//! reader computes its rows, which are kept in memory or on disk for all readers.

mod exec;
mod find;
mod materialized;
mod narrow_scans;
mod table;

use datafusion::common::Result;
use datafusion::common::config::ConfigOptions;
use datafusion::logical_expr::LogicalPlan;
use datafusion::optimizer::AnalyzerRule;

pub use exec::RepeatedExec;
pub use table::definition;

/// Runs last among the rules of the analyzer, when all types are known, and before the optimizer: afterwards each reference
/// has its own columns and filters, and equal subplans look different.
#[derive(Debug)]
pub struct ShareCommonSubplans;

impl AnalyzerRule for ShareCommonSubplans {
    fn analyze(&self, plan: LogicalPlan, _config: &ConfigOptions) -> Result<LogicalPlan> {
        find::share(plan)
    }

    fn name(&self) -> &str {
        "share_common_subplans"
    }
}
