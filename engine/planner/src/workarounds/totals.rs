//! Grouping sets, ROLLUP and CUBE: what holds for the rows of a group does not hold for those of a total, in which the
//! columns are null. The stock aggregate says that `a` is constant in `select a, count(*) from t where a = 1 group by
//! rollup (a) order by a`, and the sort goes. No upstream issue found as of 2026-11.

use std::sync::Arc;

use datafusion::common::Result;
use datafusion::common::config::ConfigOptions;
use datafusion::common::tree_node::{Transformed, TreeNode};
use datafusion::physical_optimizer::PhysicalOptimizerRule;
use datafusion::physical_plan::ExecutionPlan;
use datafusion::physical_plan::aggregates::AggregateExec;

use super::property_barrier::{Hide, PropertyBarrierExec};

/// Keeps to itself what is known of every aggregate over grouping sets, before any other rule looks at the plan. The aggregate hands on
/// what its input promises: that a column has one value (`where a = 1 group by rollup (a)`) or is equal to another, that rows
/// come in an order or are shared out by a column. An order by such a column would be left out.
#[derive(Debug)]
pub struct TotalsStandApart;

impl PhysicalOptimizerRule for TotalsStandApart {
    fn name(&self) -> &str {
        "totals_stand_apart"
    }

    fn optimize(&self, plan: Arc<dyn ExecutionPlan>, _config: &ConfigOptions) -> Result<Arc<dyn ExecutionPlan>> {
        let apart = plan.transform_up(|plan| {
            let of_sets = plan.downcast_ref::<AggregateExec>().is_some_and(|all| all.group_expr().has_grouping_set());
            Ok(if of_sets {
                Transformed::yes(PropertyBarrierExec::above(plan, Hide::Everything))
            } else {
                Transformed::no(plan)
            })
        })?;
        Ok(apart.data)
    }

    fn schema_check(&self) -> bool {
        true
    }
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
            "DataFusion is right now: `TotalsStandApart` can go"
        );
    }
}
