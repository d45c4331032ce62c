//! `row_number`, `approx_distinct` and the like count as `bigint`, as `count` does. The stock ones count as unsigned numbers,
//! beside which the stock planner takes other integers for decimals: `3 / row_number() over (…)` would be 1.5.

use arrow::datatypes::DataType;
use datafusion::common::Result;
use datafusion::logical_expr::expr::{AggregateFunction, WindowFunction, WindowFunctionParams};
use datafusion::logical_expr::planner::{ExprPlanner, PlannerResult, RawAggregateExpr, RawWindowExpr};
use datafusion::logical_expr::{AggregateUDF, Expr, WindowFunctionDefinition, cast};

/// The stock functions that count as unsigned numbers. Aggregates are called with OVER too.
const WINDOWS: [&str; 4] = ["dense_rank", "ntile", "rank", "row_number"];
const AGGREGATES: [&str; 2] = ["approx_distinct", "regr_count"];

/// Converts counts. It must come after planners that change calls, since it ends the planning of a call.
#[derive(Debug)]
pub(crate) struct Counts;

fn counts(aggregate: &AggregateUDF) -> bool {
    AGGREGATES.contains(&aggregate.name())
}

impl ExprPlanner for Counts {
    fn plan_aggregate(&self, raw: RawAggregateExpr) -> Result<PlannerResult<RawAggregateExpr>> {
        if !counts(&raw.func) {
            return Ok(PlannerResult::Original(raw));
        }
        let RawAggregateExpr { func, args, distinct, filter, order_by, null_treatment } = raw;
        let call = AggregateFunction::new_udf(func, args, distinct, filter, order_by, null_treatment);
        Ok(PlannerResult::Planned(cast(Expr::AggregateFunction(call), DataType::Int64)))
    }

    fn plan_window(&self, raw: RawWindowExpr) -> Result<PlannerResult<RawWindowExpr>> {
        let unsigned = match &raw.func_def {
            WindowFunctionDefinition::AggregateUDF(aggregate) => counts(aggregate),
            WindowFunctionDefinition::WindowUDF(window) => WINDOWS.contains(&window.name()),
        };
        if !unsigned {
            return Ok(PlannerResult::Original(raw));
        }
        let RawWindowExpr { func_def, args, partition_by, order_by, window_frame, filter, null_treatment, distinct } =
            raw;
        let params =
            WindowFunctionParams { args, partition_by, order_by, window_frame, filter, null_treatment, distinct };
        let call = WindowFunction { fun: func_def, params };
        Ok(PlannerResult::Planned(cast(Expr::from(call), DataType::Int64)))
    }
}
