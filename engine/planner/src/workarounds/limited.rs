//! Keeps limits where they are.
//!
//! - Dynamic filters of joins stay away from inputs that have a limit: the first 2 rows of a table stay its first 2
//!   rows, whichever of them have a match in `select … from u join (select v from t limit 2) on v = k`. No upstream
//!   issue found as of 2026-11.
//! - Rows that an OFFSET leaves out are the first ones of its order, but the stock rule drops the sort in `select x,
//!   count(*) from (select x from t order by y offset 1) group by x`
//!   (<https://github.com/apache/datafusion/issues/23534>).
//! - A sort with a limit that is left out, since a window below it has its rows in order already, leaves its limit
//!   behind.
//! - A scan that is in order stays in order: the stock rule that pushes limits down lets it give any rows, also where a
//!   sort above was left out because of its order, and it then leaves row groups out of which only some rows match
//!   (<https://github.com/apache/datafusion/issues/24272>).

use std::sync::Arc;

use datafusion::common::Result;
use datafusion::common::config::ConfigOptions;
use datafusion::common::tree_node::{Transformed, TreeNode};
use datafusion::physical_expr::{Distribution, OrderingRequirements};
use datafusion::physical_optimizer::PhysicalOptimizerRule;
use datafusion::physical_optimizer::output_requirements::OutputRequirementExec;
use datafusion::physical_plan::execution_plan::replace_children_if_necessary;
use datafusion::physical_plan::limit::{GlobalLimitExec, LocalLimitExec};
use datafusion::physical_plan::projection::ProjectionExec;
use datafusion::physical_plan::sorts::sort::SortExec;
use datafusion::physical_plan::windows::{BoundedWindowAggExec, WindowAggExec};
use datafusion::physical_plan::{ExecutionPlan, ExecutionPlanProperties};

/// Asks for the order below a limit that leaves rows out, and repeats the limit of a sort above it: the stock rule that
/// takes sorts out hands their limit down to the scan, which knows nothing of it.
#[derive(Debug)]
pub struct LimitsStay;

impl PhysicalOptimizerRule for LimitsStay {
    fn name(&self) -> &str {
        "limits_stay"
    }

    fn optimize(&self, plan: Arc<dyn ExecutionPlan>, _: &ConfigOptions) -> Result<Arc<dyn ExecutionPlan>> {
        let held = plan.transform_up(|plan| {
            if let Some(limit) = plan.downcast_ref::<GlobalLimitExec>()
                && limit.fetch().is_none()
                && let Some(ordered) = in_order(limit.input())?
            {
                let limit = GlobalLimitExec::new(ordered, limit.skip(), None);
                return Ok(Transformed::yes(Arc::new(limit) as Arc<dyn ExecutionPlan>));
            }
            let Some(sort) = plan.downcast_ref::<SortExec>() else { return Ok(Transformed::no(plan)) };
            let Some(fetch) = sort.fetch().filter(|_| plan.output_partitioning().partition_count() == 1) else {
                return Ok(Transformed::no(plan));
            };
            // Where the rows are in order already the stock rule hands the limit down through windows, which need all rows.
            let sorted = match has_window(sort.input()) {
                true => Arc::new(sort.with_fetch(None)) as Arc<dyn ExecutionPlan>,
                false => Arc::clone(&plan),
            };
            Ok(Transformed::yes(Arc::new(GlobalLimitExec::new(sorted, 0, Some(fetch))) as Arc<dyn ExecutionPlan>))
        })?;
        Ok(held.data)
    }

    fn schema_check(&self) -> bool {
        true
    }
}

/// Whether a window function is computed somewhere below.
fn has_window(plan: &Arc<dyn ExecutionPlan>) -> bool {
    let window = plan.is::<WindowAggExec>() || plan.is::<BoundedWindowAggExec>();
    window || plan.children().into_iter().any(has_window)
}

/// A plan that asks for its rows in the order of the sort in it; a projection above the sort may have left the keys out.
fn in_order(plan: &Arc<dyn ExecutionPlan>) -> Result<Option<Arc<dyn ExecutionPlan>>> {
    if let Some(sort) = plan.downcast_ref::<SortExec>() {
        let order = Some(OrderingRequirements::from(sort.expr().clone()));
        let ordered = OutputRequirementExec::new(Arc::clone(plan), order, Distribution::SinglePartition, None);
        return Ok(Some(Arc::new(ordered)));
    }
    let [input] = plan.children()[..] else { return Ok(None) };
    if !plan.is::<ProjectionExec>() {
        return Ok(None);
    }
    in_order(input)?.map(|input| replace_children_if_necessary(Arc::clone(plan), vec![input])).transpose()
}

/// Repeats the limit of a node above it. A scan that has taken a limit over takes filters too, and then counts only the
/// rows that pass them; no filter goes through a limit that stands by itself. A scan keeps the order that it is said to
/// have: what is above it may count on it.
#[derive(Debug)]
pub struct LimitsHold;

impl PhysicalOptimizerRule for LimitsHold {
    fn name(&self) -> &str {
        "limits_hold"
    }

    fn optimize(&self, plan: Arc<dyn ExecutionPlan>, _: &ConfigOptions) -> Result<Arc<dyn ExecutionPlan>> {
        let held = plan.transform_up(|plan| {
            let Some(fetch) = plan.fetch() else { return Ok(Transformed::no(plan)) };
            let in_order = plan.output_ordering().and_then(|_| plan.with_preserve_order(true)).unwrap_or(plan);
            Ok(Transformed::yes(Arc::new(LocalLimitExec::new(in_order, fetch)) as Arc<dyn ExecutionPlan>))
        })?;
        Ok(held.data)
    }

    fn schema_check(&self) -> bool {
        true
    }
}

#[cfg(test)]
mod tests {
    use crate::workarounds::stock::rows;

    const LIMITS_HOLD: &str = "DataFusion is right now: this part of `LimitsHold` can go";

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
        assert_ne!(rows(1, &[&copy, &create, query]).await, ["0"], "{LIMITS_HOLD}");
    }

    #[tokio::test]
    async fn the_stock_scan_below_a_merge_still_skips_row_groups_that_match_in_part() {
        let dir = tempfile::tempdir().unwrap();
        let [copy, create] = table(&dir);
        let query = "select v from t where v >= 1 order by v limit 2";
        assert_ne!(rows(2, &[&copy, &create, query]).await, ["1", "2"], "{LIMITS_HOLD}");
    }

    #[tokio::test]
    async fn the_stock_rule_still_drops_the_order_of_an_offset() {
        let create = "create table t as values (2, 'b'), (1, 'a')";
        let query = "select column2, count(*) from (select column2 from t order by column1 offset 1) group by column2";
        assert_ne!(
            rows(1, &[create, query]).await,
            ["b 1"],
            "DataFusion is right now: this part of `LimitsStay` can go"
        );
    }
}
