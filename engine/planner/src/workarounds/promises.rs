//! Corrects what the stock planner assumes of joins:
//!
//! - A column that is constant in an input is not constant in the rows that an outer join fills with nulls, but the
//!   stock planner drops the sort of `select x, y from t left join (select y from u where y = 3) on x = y order by y
//!   nulls first`. No upstream issue found as of 2026-11.
//! - Rows of the build side of a hash join are repeated for each row of the probe side. Rows in order of the probe side
//!   are then not in order of the build side where several rows of the probe side have the same key
//!   (<https://github.com/apache/datafusion/issues/25052>).
//! - A hash join that takes a projection over forgets that a column is constant in an input, and `SanityCheckPlan` fails
//!   in `select a.k, v from (select 1 k union all select 2) a left join (select 5 k, 'x' v union all select 1, 'y') b on
//!   a.k = b.k order by a.k`. No upstream issue found as of 2026-11.
//!
//! So inputs of the first kind promise nothing, those of the second not how they are sorted, and what is missing is
//! sorted again.

use std::sync::Arc;

use datafusion::common::config::ConfigOptions;
use datafusion::common::tree_node::{Transformed, TreeNode};
use datafusion::common::{JoinType, Result};
use datafusion::physical_expr::OrderingRequirements;
use datafusion::physical_optimizer::PhysicalOptimizerRule;
use datafusion::physical_plan::joins::{HashJoinExec, NestedLoopJoinExec, SortMergeJoinExec};
use datafusion::physical_plan::sorts::sort::SortExec;
use datafusion::physical_plan::{
    ChildrenPropertiesMode, ExecutionPlan, ExecutionPlanProperties, ReplaceChildrenOptions,
};

use super::property_barrier::{Hide, PropertyBarrierExec};

/// Sorts what is not said to be in the order that it must be in: when projections become part of a join, it may forget that
/// a column is the same in all rows of a part.
#[derive(Debug)]
pub struct SortsAnew;

impl PhysicalOptimizerRule for SortsAnew {
    fn name(&self) -> &str {
        "sorts_anew"
    }

    fn optimize(&self, plan: Arc<dyn ExecutionPlan>, _: &ConfigOptions) -> Result<Arc<dyn ExecutionPlan>> {
        let sorted = plan.transform_up(|plan| {
            let mut missing = false;
            let inputs = plan.children().into_iter().zip(plan.required_input_ordering());
            let inputs = inputs.map(|(input, required)| {
                let Some(required) = required.map(OrderingRequirements::into_single) else {
                    return Ok(Arc::clone(input));
                };
                if input.equivalence_properties().ordering_satisfy_requirement(required.clone())? {
                    return Ok(Arc::clone(input));
                }
                missing = true;
                let in_parts = input.output_partitioning().partition_count() > 1;
                let sort = SortExec::new(required.into(), Arc::clone(input)).with_preserve_partitioning(in_parts);
                Ok(Arc::new(sort) as Arc<dyn ExecutionPlan>)
            });
            let inputs = inputs.collect::<Result<Vec<_>>>()?;
            if !missing {
                return Ok(Transformed::no(plan));
            }
            let options = ReplaceChildrenOptions::new(ChildrenPropertiesMode::Recompute);
            Ok(Transformed::yes(plan.replace_children(inputs, options)?))
        })?;
        Ok(sorted.data)
    }

    fn schema_check(&self) -> bool {
        true
    }
}

/// Keeps from every join what would be said too much of its inputs.
#[derive(Debug)]
pub struct JoinsPromiseLess;

impl PhysicalOptimizerRule for JoinsPromiseLess {
    fn name(&self) -> &str {
        "joins_promise_less"
    }

    fn optimize(&self, plan: Arc<dyn ExecutionPlan>, _: &ConfigOptions) -> Result<Arc<dyn ExecutionPlan>> {
        let hidden = plan.transform_up(|plan| {
            let hashed = plan.downcast_ref::<HashJoinExec>().map(|join| *join.join_type());
            let kind = hashed
                .or_else(|| plan.downcast_ref::<NestedLoopJoinExec>().map(|join| *join.join_type()))
                .or_else(|| plan.downcast_ref::<SortMergeJoinExec>().map(SortMergeJoinExec::join_type));
            let secrets = match kind {
                Some(JoinType::Left) => [None, Some(Hide::Values)],
                Some(JoinType::Right) => [Some(Hide::Values), None],
                Some(JoinType::Full) => [Some(Hide::Values); 2],
                Some(JoinType::Inner) if hashed.is_some() => [Some(Hide::Order), None],
                _ => return Ok(Transformed::no(plan)),
            };
            let inputs = plan.children().into_iter().zip(secrets);
            let inputs = inputs.map(|(input, secret)| match secret {
                None => Arc::clone(input),
                Some(secret) => PropertyBarrierExec::above(Arc::clone(input), secret),
            });
            let inputs = inputs.collect();
            let options = ReplaceChildrenOptions::new(ChildrenPropertiesMode::Recompute);
            Ok(Transformed::yes(plan.replace_children(inputs, options)?))
        })?;
        Ok(hidden.data)
    }

    fn schema_check(&self) -> bool {
        true
    }
}

#[cfg(test)]
mod tests {
    use crate::workarounds::stock::rows;

    #[tokio::test]
    async fn the_stock_planner_still_takes_a_constant_of_one_side_for_one_of_an_outer_join() {
        let query = "select x, y from (values (1), (3)) t(x) left join (select y from (values (3), (5)) u(y) where y = 3) \
            on x = y order by y nulls first";
        let right = ["1 null", "3 3"];
        assert_ne!(rows(1, &[query]).await, right, "DataFusion is right now: outer joins need not hide values");
    }

    #[tokio::test]
    async fn the_stock_planner_still_takes_the_build_side_of_a_join_for_sorted() {
        let create = "create table t as values (1, 0), (1, 0), (1, 1)";
        let sorted = "select * from t order by column2 limit 3";
        let query = format!(
            "select l.column2 as a, r.column2 as b from ({sorted}) r join ({sorted}) l on l.column1 = r.column1 order by a, b"
        );
        let right = ["0 0", "0 0", "0 0", "0 0", "0 1", "0 1", "1 0", "1 0", "1 1"];
        assert_ne!(rows(1, &[create, &query]).await, right, "DataFusion is right now: joins need not hide orders");
    }

    #[tokio::test]
    async fn a_stock_join_still_forgets_constants_with_its_projection() {
        let query = "select a.k, v from (select 1 k union all select 2) a \
            left join (select 5 k, 'x' v union all select 1, 'y') b on a.k = b.k order by a.k";
        assert_ne!(rows(1, &[query]).await, ["1 y", "2 null"], "DataFusion is right now: `SortsAnew` can go");
    }
}
