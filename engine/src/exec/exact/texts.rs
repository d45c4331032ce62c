//! Times and lengths of time as text are what results show: `2026-03-01 10:00:00`, and not the `2026-03-01T10:00:00Z` of the
//! stock cast.

use arrow::datatypes::{DataType, IntervalUnit};
use datafusion::common::config::ConfigOptions;
use datafusion::common::tree_node::Transformed;
use datafusion::common::{DFSchema, Result};
use datafusion::logical_expr::expr::{Cast, TryCast};
use datafusion::logical_expr::{Expr, ExprSchemable, LogicalPlan, cast};
use datafusion::optimizer::AnalyzerRule;

use crate::functions::bytes::is_text;
use crate::functions::pass::every_part;
use crate::functions::time_text;

/// The pass over the plan, after the stock ones have put in their casts.
#[derive(Debug)]
pub(super) struct TimesAsText;

impl AnalyzerRule for TimesAsText {
    fn name(&self) -> &str {
        "times_as_text"
    }

    fn analyze(&self, plan: LogicalPlan, _: &ConfigOptions) -> Result<LogicalPlan> {
        every_part(plan, |expr, schema| Ok(rewrite(expr, schema)))
    }
}

/// One expression.
pub(super) fn rewrite(expr: Expr, schema: &DFSchema) -> Transformed<Expr> {
    let time = |expr: &Expr| {
        use DataType::{Duration, Interval, Timestamp};
        matches!(expr.get_type(schema), Ok(Timestamp(..) | Duration(_) | Interval(IntervalUnit::MonthDayNano)))
    };
    match expr {
        Expr::Cast(Cast { expr, field }) | Expr::TryCast(TryCast { expr, field })
            if is_text(field.data_type()) && time(&expr) =>
        {
            Transformed::yes(cast(time_text().call(vec![*expr]), field.data_type().clone()))
        }
        other => Transformed::no(other),
    }
}
