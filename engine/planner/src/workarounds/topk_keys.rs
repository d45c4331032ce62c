//! Makes TopK sorts below a merge sort by all keys of the merge.
//!
//! The TopK heaps of all partitions share one threshold: once one heap is full, the others skip rows that sort after it. A column
//! that is constant within each partition is left out of the sort keys, even if its value differs between partitions. In `select *
//! from (select * from t where a = 0 union all select * from u where a = 1) order by b, a desc limit 1` the row with the
//! greater `a` is dropped where both have the same `b`. No upstream issue found as of 2026-11.

use std::sync::Arc;

use datafusion::common::Result;
use datafusion::common::tree_node::Transformed;
use datafusion::physical_expr::LexOrdering;
use datafusion::physical_plan::execution_plan::replace_children_if_necessary;
use datafusion::physical_plan::limit::LocalLimitExec;
use datafusion::physical_plan::projection::ProjectionExec;
use datafusion::physical_plan::sorts::sort::SortExec;
use datafusion::physical_plan::sorts::sort_preserving_merge::SortPreservingMergeExec;
use datafusion::physical_plan::{ExecutionPlan, ExecutionPlanProperties};

pub(crate) fn sort_topk_by_merge_keys(plan: Arc<dyn ExecutionPlan>) -> Result<Transformed<Arc<dyn ExecutionPlan>>> {
    let Some(merge) = plan.downcast_ref::<SortPreservingMergeExec>() else { return Ok(Transformed::no(plan)) };
    match sort_by_keys(merge.input(), merge.expr(), true)? {
        Some(input) => replace_children_if_necessary(plan, vec![input]).map(Transformed::yes),
        None => Ok(Transformed::no(plan)),
    }
}

/// The input of a merge with a sort by all keys of the merge; `None` if it has them. Above a projection the keys have other
/// names: there the sort keeps all rows, and a limit is above it.
fn sort_by_keys(
    plan: &Arc<dyn ExecutionPlan>,
    keys: &LexOrdering,
    same_columns: bool,
) -> Result<Option<Arc<dyn ExecutionPlan>>> {
    if let Some(sort) = plan.downcast_ref::<SortExec>() {
        let Some(fetch) = sort.fetch().filter(|_| plan.output_partitioning().partition_count() > 1) else {
            return Ok(None);
        };
        if sort.expr().len() >= keys.len() {
            return Ok(None);
        }
        if !same_columns {
            return Ok(Some(Arc::new(LocalLimitExec::new(Arc::new(sort.with_fetch(None)), fetch))));
        }
        let sort = SortExec::new(keys.clone(), Arc::clone(sort.input()));
        return Ok(Some(Arc::new(sort.with_fetch(Some(fetch)).with_preserve_partitioning(true))));
    }
    let [input] = plan.children()[..] else { return Ok(None) };
    if plan.maintains_input_order() != [true] {
        return Ok(None);
    }
    let same_columns = same_columns && !plan.is::<ProjectionExec>() && plan.schema() == input.schema();
    let input = sort_by_keys(input, keys, same_columns)?;
    input.map(|input| replace_children_if_necessary(Arc::clone(plan), vec![input])).transpose()
}

#[cfg(test)]
mod tests {
    use crate::workarounds::stock::rows;

    #[tokio::test]
    async fn the_stock_sorts_below_a_merge_still_drop_rows_by_a_part_of_its_keys() {
        let (t, u) = ("create table t as values (0, 5)", "create table u as values (1, 5)");
        let query = "select * from (select * from t where column1 = 0 union all select * from u where column1 = 1) \
            order by column2, column1 desc limit 1";
        assert_ne!(rows(2, &[t, u, query]).await, ["1 5"], "DataFusion is right now: `sort_topk_by_merge_keys` can go");
    }
}
