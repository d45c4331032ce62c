//! Hides the properties of aggregates over grouping sets, ROLLUP and CUBE. The stock aggregate passes on what its input promises:
//! that a column is constant or equal to another, the order of the rows, their partitioning. None of that holds for totals,
//! whose keys are null: in `select a, count(*) from t where a = 1 group by rollup (a) order by a` the sort is dropped. No
//! upstream issue found as of 2026-11.

use std::sync::Arc;

use datafusion::common::Result;
use datafusion::common::tree_node::Transformed;
use datafusion::physical_plan::ExecutionPlan;
use datafusion::physical_plan::aggregates::AggregateExec;

use super::property_barrier::{Hide, PropertyBarrierExec};

/// Runs before all other rules.
pub(crate) fn hide_grouping_set_properties(
    plan: Arc<dyn ExecutionPlan>,
) -> Result<Transformed<Arc<dyn ExecutionPlan>>> {
    let has_sets = plan.downcast_ref::<AggregateExec>().is_some_and(|groups| groups.group_expr().has_grouping_set());
    Ok(match has_sets {
        true => Transformed::yes(PropertyBarrierExec::above(plan, Hide::Everything)),
        false => Transformed::no(plan),
    })
}

#[cfg(test)]
mod tests {
    use crate::workarounds::stock::rows;

    #[tokio::test]
    async fn a_stock_rollup_still_takes_a_key_for_constant() {
        let create = "create table t as values (1)";
        let query =
            "select column1, count(*) from t where column1 = 1 group by rollup (column1) order by column1 nulls last";
        assert_ne!(
            rows(1, &[create, query]).await,
            ["1 1", "null 1"],
            "DataFusion is right now: `hide_grouping_set_properties` can go"
        );
    }
}
