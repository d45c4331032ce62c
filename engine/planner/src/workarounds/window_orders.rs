//! Hides that rows are sorted by the answer of a window with a sliding frame. DataFusion says so of `count` if its arguments are
//! sorted, as a literal is: `select count(*) over (partition by k order by v rows between 1 preceding and 1 preceding) as n from t
//! order by n` is not sorted, since each partition begins at zero again. Nor do counts grow where nulls come last. No upstream
//! issue found as of 2026-12.

use std::sync::Arc;

use datafusion::common::Result;
use datafusion::common::tree_node::Transformed;
use datafusion::logical_expr::SetMonotonicity;
use datafusion::physical_expr::window::SlidingAggregateWindowExpr;
use datafusion::physical_plan::{ExecutionPlan, WindowExpr};

use super::property_barrier::{Hide, PropertyBarrierExec, window_exprs};

/// Puts a barrier above such windows.
pub(crate) fn hide_window_orders(plan: Arc<dyn ExecutionPlan>) -> Result<Transformed<Arc<dyn ExecutionPlan>>> {
    let is_claimed = |window: &Arc<dyn WindowExpr>| {
        let sliding = window.as_any().downcast_ref::<SlidingAggregateWindowExpr>();
        sliding.is_some_and(|window| window.get_aggregate_expr().set_monotonicity() != SetMonotonicity::NotMonotonic)
    };
    Ok(match window_exprs(&plan).iter().any(is_claimed) {
        true => Transformed::yes(PropertyBarrierExec::above(plan, Hide::WindowOrder)),
        false => Transformed::no(plan),
    })
}

#[cfg(test)]
mod tests {
    use crate::workarounds::stock::rows;

    #[tokio::test]
    async fn stock_windows_still_claim_an_order_of_sliding_counts() {
        let query = "select count(*) over (partition by k order by v rows between 1 preceding and 1 preceding) as n \
            from (values (1, 1), (1, 2), (2, 1), (2, 2)) t(k, v) order by n";
        assert_ne!(
            rows(1, &[query]).await,
            ["0", "0", "1", "1"],
            "DataFusion is right now: `Hide::WindowOrder` can go"
        );
    }
}
