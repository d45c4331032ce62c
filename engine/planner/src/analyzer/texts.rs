//! Times and lengths of time as text are what results show: `2026-03-01 10:00:00`, and not the `2026-03-01T10:00:00Z` of the
//! stock cast.

use datafusion::common::Result;
use datafusion::common::config::ConfigOptions;
use datafusion::logical_expr::LogicalPlan;
use datafusion::optimizer::AnalyzerRule;

use quarry_functions::pass::every_part;
use quarry_functions::times::time_text::times_as_text;

/// The pass over the plan, after the stock ones have put in their casts.
#[derive(Debug)]
pub struct TimesAsText;

impl AnalyzerRule for TimesAsText {
    fn name(&self) -> &str {
        "times_as_text"
    }

    fn analyze(&self, plan: LogicalPlan, _: &ConfigOptions) -> Result<LogicalPlan> {
        every_part(plan, |expr, schema| Ok(times_as_text(expr, schema)))
    }
}
