//! A merge of sorted streams that has a limit keeps its keys when its streams get more of them from a sort above it, as in `select *
//! from (select … union all select … order by a limit 9) order by a, b`
//! (<https://github.com/apache/datafusion/issues/25378>). Here it merges by all keys of its streams.

use std::sync::Arc;

use datafusion::common::Result;
use datafusion::common::tree_node::Transformed;
use datafusion::physical_plan::ExecutionPlan;
use datafusion::physical_plan::sorts::sort_preserving_merge::SortPreservingMergeExec;

pub(crate) fn merge_by_all_keys(plan: Arc<dyn ExecutionPlan>) -> Result<Transformed<Arc<dyn ExecutionPlan>>> {
    let Some(merge) = plan.downcast_ref::<SortPreservingMergeExec>() else { return Ok(Transformed::no(plan)) };
    let Some(order) = merge.input().properties().output_ordering() else { return Ok(Transformed::no(plan)) };
    let keys = merge.expr().len();
    if order.len() <= keys || order[..keys] != merge.expr()[..] {
        return Ok(Transformed::no(plan));
    }
    let merge = SortPreservingMergeExec::new(order.clone(), Arc::clone(merge.input())).with_fetch(merge.fetch());
    Ok(Transformed::yes(Arc::new(merge)))
}

#[cfg(test)]
mod tests {
    use crate::workarounds::stock::rows;

    #[tokio::test]
    async fn a_stock_merge_with_a_limit_still_ignores_the_order_above() {
        let parts = "select * from (values (1, 2)) t(a, b) union all select * from (values (1, 1)) u(a, b)";
        let query = format!("select a, b from (select a, b from ({parts}) order by a limit 9) order by a, b");
        assert_ne!(rows(4, &[&query]).await, ["1 1", "1 2"], "DataFusion is right now: `merge_by_all_keys` can go");
    }
}
