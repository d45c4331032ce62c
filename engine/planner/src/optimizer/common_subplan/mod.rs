//! A part of a query that occurs more than once runs once: common table expressions and equal subqueries that group, make
//! distinct or limit, or that read some narrow columns. The planner pastes such a part in wherever it is named, so that `with` chains would run their first
//! link again and again.
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
