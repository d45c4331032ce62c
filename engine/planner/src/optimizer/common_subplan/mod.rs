//! A part of a query that occurs more than once runs once: common table expressions and equal subqueries that aggregate, remove
//! duplicates or limit, or that read a few narrow columns. The planner inlines a CTE at each reference, so a chain of CTEs would
//! run its first one again and again.
//!
//! [`Reuse`] finds equal parts of the analysed plan and puts a scan of a [`table::Repeated`] in their places; its rows are
//! made by the first reader and kept, in memory or on disk, for all.

mod exec;
mod find;
mod kept;
mod narrow;
mod table;

use datafusion::common::Result;
use datafusion::common::config::ConfigOptions;
use datafusion::logical_expr::LogicalPlan;
use datafusion::optimizer::AnalyzerRule;

pub use exec::RepeatedExec;
pub use table::definition;

/// Runs last among the rules of the analyzer, when all types are known, and before the optimizer: afterwards each place
/// has its own columns and filters, and equal parts look different.
#[derive(Debug)]
pub struct Reuse;

impl AnalyzerRule for Reuse {
    fn analyze(&self, plan: LogicalPlan, _config: &ConfigOptions) -> Result<LogicalPlan> {
        find::share(plan)
    }

    fn name(&self) -> &str {
        "reuse"
    }
}
