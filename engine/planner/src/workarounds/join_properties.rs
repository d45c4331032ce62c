//! Corrects what the stock planner assumes of joins:
//!
//! - A column that is constant in an input is not constant in the rows that an outer join fills with nulls, but the
//!   stock planner drops the sort of `select x, y from t left join (select y from u where y = 3) on x = y order by y
//!   nulls first`. No upstream issue found as of 2026-11. Such inputs hide which columns are constant.
//! - A hash join repeats rows of the build side for each row of the probe side. Rows in order of the probe side are then not
//!   in order of the build side where several rows of the probe side have the same key
//!   (<https://github.com/apache/datafusion/issues/25052>). The build side hides its order.
//! - A hash join that takes over a projection forgets that a column is constant in an input, and `SanityCheckPlan` fails
//!   in `select a.k, v from (select 1 k union all select 2) a left join (select 5 k, 'x' v union all select 1, 'y') b on
//!   a.k = b.k order by a.k`. No upstream issue found as of 2026-11. What is not in the required order is sorted again.

use std::sync::Arc;

use datafusion::common::tree_node::Transformed;
use datafusion::common::{JoinType, Result};
use datafusion::physical_expr::OrderingRequirements;
use datafusion::physical_plan::execution_plan::replace_children_if_necessary;
use datafusion::physical_plan::joins::{HashJoinExec, NestedLoopJoinExec, SortMergeJoinExec};
use datafusion::physical_plan::sorts::sort::SortExec;
use datafusion::physical_plan::{ExecutionPlan, ExecutionPlanProperties};

use super::group_key_constraints::hide_group_keys_from_sorts;
use super::property_barrier::{Hide, PropertyBarrierExec};

/// Sorts the inputs of an operator that do not have the order that it requires.
pub(crate) fn add_missing_sorts(plan: Arc<dyn ExecutionPlan>) -> Result<Transformed<Arc<dyn ExecutionPlan>>> {
    let mut is_missing = false;
    let inputs = plan.children().into_iter().zip(plan.required_input_ordering());
    let inputs = inputs.map(|(input, required)| {
        let Some(required) = required.map(OrderingRequirements::into_single) else {
            return Ok(Arc::clone(input));
        };
        if input.equivalence_properties().ordering_satisfy_requirement(required.clone())? {
            return Ok(Arc::clone(input));
        }
        is_missing = true;
        let has_partitions = input.output_partitioning().partition_count() > 1;
        let sort = SortExec::new(required.into(), Arc::clone(input)).with_preserve_partitioning(has_partitions);
        Ok(hide_group_keys_from_sorts(Arc::new(sort))?.data)
    });
    let inputs = inputs.collect::<Result<Vec<_>>>()?;
    match is_missing {
        true => replace_children_if_necessary(plan, inputs).map(Transformed::yes),
        false => Ok(Transformed::no(plan)),
    }
}

/// Hides from a join what it would take for a property of its own rows.
pub(crate) fn hide_join_properties(plan: Arc<dyn ExecutionPlan>) -> Result<Transformed<Arc<dyn ExecutionPlan>>> {
    let hash_join = plan.downcast_ref::<HashJoinExec>().map(|join| *join.join_type());
    let join_type = hash_join
        .or_else(|| plan.downcast_ref::<NestedLoopJoinExec>().map(|join| *join.join_type()))
        .or_else(|| plan.downcast_ref::<SortMergeJoinExec>().map(SortMergeJoinExec::join_type));
    let hidden = match join_type {
        Some(JoinType::Left) => [None, Some(Hide::Values)],
        Some(JoinType::Right) => [Some(Hide::Values), None],
        Some(JoinType::Full) => [Some(Hide::Values); 2],
        Some(JoinType::Inner) if hash_join.is_some() => [Some(Hide::Order), None],
        _ => return Ok(Transformed::no(plan)),
    };
    let inputs = plan.children().into_iter().zip(hidden).map(|(input, hide)| match hide {
        None => Arc::clone(input),
        Some(hide) => PropertyBarrierExec::above(Arc::clone(input), hide),
    });
    let inputs = inputs.collect();
    replace_children_if_necessary(plan, inputs).map(Transformed::yes)
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
        assert_ne!(rows(1, &[query]).await, ["1 y", "2 null"], "DataFusion is right now: `add_missing_sorts` can go");
    }
}
