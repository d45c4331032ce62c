//! Keeps limits where they are.
//!
//! - Dynamic filters of joins stay away from inputs that have a limit: the first 2 rows of a table stay its first 2
//!   rows, whichever of them have a match in `select … from u join (select v from t limit 2) on v = k`. No upstream
//!   issue found as of 2026-11.
//! - Rows that an OFFSET skips are the first ones of its order, but the stock rule drops the sort in `select x,
//!   count(*) from (select x from t order by y offset 1) group by x`
//!   (<https://github.com/apache/datafusion/issues/23534>).
//! - A sort above a limit sorts the rows of the limit. The stock rule pushes it below, where it chooses the rows: `select *
//!   from (select x from t order by x offset 1) order by x desc` skips the largest one, and a LIMIT with an OFFSET
//!   returns too few rows (<https://github.com/apache/datafusion/pull/25408>,
//!   <https://github.com/apache/datafusion/pull/24958>).
//! - When a sort with a limit is dropped because a window below it has its rows in order already, its limit stays.
//! - A scan that is in order stays in order: the stock rule that pushes limits down lets it return any rows, also where a
//!   sort above was dropped because of its order, and it then skips row groups of which only some rows match
//!   (<https://github.com/apache/datafusion/issues/24272>).

use std::sync::Arc;

use datafusion::common::Result;
use datafusion::common::tree_node::Transformed;
use datafusion::physical_expr::{Distribution, OrderingRequirements};
use datafusion::physical_optimizer::output_requirements::OutputRequirementExec;
use datafusion::physical_plan::execution_plan::replace_children_if_necessary;
use datafusion::physical_plan::limit::{GlobalLimitExec, LocalLimitExec};
use datafusion::physical_plan::projection::ProjectionExec;
use datafusion::physical_plan::sorts::sort::SortExec;
use datafusion::physical_plan::windows::{BoundedWindowAggExec, WindowAggExec};
use datafusion::physical_plan::{ExecutionPlan, ExecutionPlanProperties};

use super::property_barrier::{Hide, PropertyBarrierExec};

/// Requires the order below a limit that skips rows, and repeats the limit of a sort above the sort: the stock rule that drops
/// sorts pushes their limits down to the scan, which does not know the order.
pub(crate) fn require_limit_order(plan: Arc<dyn ExecutionPlan>) -> Result<Transformed<Arc<dyn ExecutionPlan>>> {
    if let Some(limit) = plan.downcast_ref::<GlobalLimitExec>()
        && limit.fetch().is_none()
        && let Some(ordered) = with_required_order(limit.input())?
    {
        return Ok(Transformed::yes(Arc::new(GlobalLimitExec::new(ordered, limit.skip(), None))));
    }
    let Some(sort) = plan.downcast_ref::<SortExec>() else { return Ok(Transformed::no(plan)) };
    let Some(fetch) = sort.fetch().filter(|_| plan.output_partitioning().partition_count() == 1) else {
        return Ok(Transformed::no(plan));
    };
    // Where the rows are in order already the stock rule pushes the limit down through windows, which need all rows.
    let sorted = match has_window(sort.input()) {
        true => Arc::new(sort.with_fetch(None)),
        false => Arc::clone(&plan),
    };
    Ok(Transformed::yes(Arc::new(GlobalLimitExec::new(sorted, 0, Some(fetch)))))
}

/// Keeps sorts that operators above a limit need above it.
pub(crate) fn keep_sorts_above_limits(plan: Arc<dyn ExecutionPlan>) -> Result<Transformed<Arc<dyn ExecutionPlan>>> {
    Ok(match plan.is::<GlobalLimitExec>() || plan.is::<LocalLimitExec>() {
        true => Transformed::yes(PropertyBarrierExec::above(plan, Hide::OrderRequirements)),
        false => Transformed::no(plan),
    })
}

/// Whether a window function is computed somewhere below.
fn has_window(plan: &Arc<dyn ExecutionPlan>) -> bool {
    let is_window = plan.is::<WindowAggExec>() || plan.is::<BoundedWindowAggExec>();
    is_window || plan.children().into_iter().any(has_window)
}

/// A plan that requires the order of the sort in it; a projection above the sort may have dropped the sort keys.
fn with_required_order(plan: &Arc<dyn ExecutionPlan>) -> Result<Option<Arc<dyn ExecutionPlan>>> {
    if let Some(sort) = plan.downcast_ref::<SortExec>() {
        let order = Some(OrderingRequirements::from(sort.expr().clone()));
        let ordered = OutputRequirementExec::new(Arc::clone(plan), order, Distribution::SinglePartition, None);
        return Ok(Some(Arc::new(ordered)));
    }
    let [input] = plan.children()[..] else { return Ok(None) };
    if !plan.is::<ProjectionExec>() {
        return Ok(None);
    }
    let input = with_required_order(input)?;
    input.map(|input| replace_children_if_necessary(Arc::clone(plan), vec![input])).transpose()
}

/// Repeats the limit of an operator above it. A scan that has taken a limit over takes filters too, and then counts only the rows
/// that pass them; no filter goes through a limit that is an operator of its own. A scan keeps the order that it promises:
/// operators above may rely on it.
pub(crate) fn repeat_limits(plan: Arc<dyn ExecutionPlan>) -> Result<Transformed<Arc<dyn ExecutionPlan>>> {
    let Some(fetch) = plan.fetch() else { return Ok(Transformed::no(plan)) };
    let ordered = plan.output_ordering().and_then(|_| plan.with_preserve_order(true)).unwrap_or(plan);
    Ok(Transformed::yes(Arc::new(LocalLimitExec::new(ordered, fetch))))
}

#[cfg(test)]
mod tests {
    use crate::workarounds::stock::rows;

    const REPEAT_LIMITS: &str = "DataFusion is right now: this part of `repeat_limits` can go";

    /// A file of the numbers 0 to 199 in two row groups, as the ordered table `t`.
    fn table(dir: &tempfile::TempDir) -> [String; 2] {
        let path = dir.path().join("t.parquet").display().to_string();
        let numbers = "select value as v from generate_series(0, 199)";
        [
            format!("copy ({numbers}) to '{path}' options (max_row_group_size 100)"),
            format!("create external table t (v bigint) stored as parquet with order (v) location '{path}'"),
        ]
    }

    #[tokio::test]
    async fn the_stock_filter_of_a_join_still_chooses_the_rows_of_a_limit() {
        let dir = tempfile::tempdir().unwrap();
        let [copy, create] = table(&dir);
        let query = "select count(*) from (values (9)) u(k) join (select v from t limit 2) on v = k";
        assert_ne!(rows(1, &[&copy, &create, query]).await, ["0"], "{REPEAT_LIMITS}");
    }

    #[tokio::test]
    async fn the_stock_scan_below_a_merge_still_skips_row_groups_that_match_in_part() {
        let dir = tempfile::tempdir().unwrap();
        let [copy, create] = table(&dir);
        let query = "select v from t where v >= 1 order by v limit 2";
        assert_ne!(rows(2, &[&copy, &create, query]).await, ["1", "2"], "{REPEAT_LIMITS}");
    }

    #[tokio::test]
    async fn the_stock_rule_still_drops_the_order_of_an_offset() {
        let create = "create table t as values (2, 'b'), (1, 'a')";
        let query = "select column2, count(*) from (select column2 from t order by column1 offset 1) group by column2";
        assert_ne!(
            rows(1, &[create, query]).await,
            ["b 1"],
            "DataFusion is right now: this part of `require_limit_order` can go"
        );
    }
    #[tokio::test]
    async fn the_stock_rule_still_pushes_sorts_below_limits() {
        let create = "create table t as values (4), (3), (2), (1)";
        let part = "DataFusion is right now: `keep_sorts_above_limits` can go where it is";
        let offset = "select * from (select column1 from t order by column1 offset 1) order by column1 desc";
        assert_ne!(rows(1, &[create, offset]).await, ["4", "3", "2"], "{part}");
        let limit = "select * from (select column1 from t limit 2) order by column1";
        assert_ne!(rows(1, &[create, limit]).await, ["3", "4"], "{part}");
        let both = "select * from (select column1 from t limit 2 offset 1) order by column1";
        assert_ne!(rows(1, &[create, both]).await.len(), 2, "{part}");
    }
}
