//! `row_number`, `approx_distinct` and the like count as `bigint`, as `count` does. The stock ones count as unsigned numbers,
//! beside which the stock planner takes other integers for decimals: `3 / row_number() over (…)` would be 1.5.

use arrow::datatypes::DataType;
use datafusion::common::{DataFusionError, Result};
use datafusion::functions_window::planner::WindowFunctionPlanner;
use datafusion::logical_expr::expr::{AggregateFunction, WindowFunction, WindowFunctionParams};
use datafusion::logical_expr::planner::{ExprPlanner, PlannerResult, RawAggregateExpr, RawWindowExpr};
use datafusion::logical_expr::{AggregateUDF, Expr, WindowFrame, WindowFunctionDefinition, cast, when};

use super::window_frames;

/// The stock functions that return unsigned counts. Aggregates are called with OVER too.
const WINDOWS: [&str; 4] = ["dense_rank", "ntile", "rank", "row_number"];
const AGGREGATES: [&str; 2] = ["approx_distinct", "regr_count"];

/// Casts counts, and gives rows whose key is null a frame of their own ([`window_frames::ends_before_row`]).
#[derive(Debug)]
pub struct CountFunctions;

fn is_count(aggregate: &AggregateUDF) -> bool {
    AGGREGATES.contains(&aggregate.name())
}

impl ExprPlanner for CountFunctions {
    fn plan_aggregate(&self, raw: RawAggregateExpr) -> Result<PlannerResult<RawAggregateExpr>> {
        if !is_count(&raw.func) {
            return Ok(PlannerResult::Original(raw));
        }
        let RawAggregateExpr { func, args, distinct, filter, order_by, null_treatment } = raw;
        let call = AggregateFunction::new_udf(func, args, distinct, filter, order_by, null_treatment);
        Ok(PlannerResult::Planned(cast(Expr::AggregateFunction(call), DataType::Int64)))
    }

    fn plan_window(&self, raw: RawWindowExpr) -> Result<PlannerResult<RawWindowExpr>> {
        let is_unsigned = match &raw.func_def {
            WindowFunctionDefinition::AggregateUDF(aggregate) => is_count(aggregate),
            WindowFunctionDefinition::WindowUDF(window) => WINDOWS.contains(&window.name()),
        };
        if !is_unsigned && !window_frames::ends_before_row(&raw.window_frame) {
            return Ok(PlannerResult::Original(raw));
        }
        let key = raw
            .order_by
            .first()
            .map(|key| key.expr.clone())
            .filter(|_| window_frames::ends_before_row(&raw.window_frame));
        let call = |window_frame: WindowFrame| {
            let raw = RawWindowExpr { window_frame, ..raw.clone() };
            // The stock planner plans `count(*)`.
            let call = match WindowFunctionPlanner.plan_window(raw)? {
                PlannerResult::Planned(call) => call,
                PlannerResult::Original(raw) => window_call(raw),
            };
            Ok::<_, DataFusionError>(if is_unsigned { cast(call, DataType::Int64) } else { call })
        };
        let planned = call(raw.window_frame.clone())?;
        Ok(PlannerResult::Planned(match key {
            Some(key) => {
                let name = planned.schema_name().to_string();
                when(key.is_null(), call(window_frames::null_frame(&raw.window_frame))?).otherwise(planned)?.alias(name)
            }
            None => planned,
        }))
    }
}

fn window_call(raw: RawWindowExpr) -> Expr {
    let RawWindowExpr { func_def: fun, args, partition_by, order_by, window_frame, filter, null_treatment, distinct } =
        raw;
    let params = WindowFunctionParams { args, partition_by, order_by, window_frame, filter, null_treatment, distinct };
    Expr::from(WindowFunction { fun, params })
}
