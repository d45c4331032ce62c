//! Which groups a sort with a limit lets an aggregate drop early. The stock rule looks for groups below the sort by the name of the
//! sort column, and lets them keep the first ones only. On its way it goes through windows, which need all groups
//! (`select k, count(*) over () from t group by k order by k limit 1`,
//! <https://github.com/apache/datafusion/pull/25066>), through unions and joins, where another column may have that
//! name, and through projections that give the name to something else (`select -k as k from (select distinct k from t)
//! order by k limit 1`; no upstream issue found as of 2026-11). Here it stops where the name is not enough.
//!
//! It also stops below a sort with a large limit. The heap of the groups is allocated in full before there is a group,
//! and not counted: `limit 1000000000` ended a process that was allowed 12 GB. No upstream issue found as of 2026-11.

use std::sync::Arc;

use datafusion::common::Result;
use datafusion::common::config::ConfigOptions;
use datafusion::common::tree_node::Transformed;
use datafusion::physical_expr::expressions::Column;
use datafusion::physical_plan::ExecutionPlan;
use datafusion::physical_plan::aggregates::{AggregateExec, AggregateInputMode};
use datafusion::physical_plan::coalesce_partitions::CoalescePartitionsExec;
use datafusion::physical_plan::execution_plan::replace_children_if_necessary;
use datafusion::physical_plan::projection::ProjectionExec;
use datafusion::physical_plan::repartition::RepartitionExec;
use datafusion::physical_plan::sorts::sort::SortExec;

use super::property_barrier::{Hide, PropertyBarrierExec};
use crate::node_rules::{PhysicalRule, WrappedRule};
use quarry_functions::tree_walk::TreeWalk;

/// Most groups of a heap.
const MAX_GROUPS: usize = 10_000;

/// The stock rule with barriers on its way.
pub(crate) fn guard_limit_aggregation(stock: PhysicalRule) -> PhysicalRule {
    Arc::new(WrappedRule { stock, optimize })
}

fn optimize(
    stock: &PhysicalRule,
    plan: Arc<dyn ExecutionPlan>,
    config: &ConfigOptions,
) -> Result<Arc<dyn ExecutionPlan>> {
    let guarded = plan.transform_up(|plan| {
        let groups_rows =
            plan.downcast_ref::<AggregateExec>().filter(|groups| groups.mode().input_mode() == AggregateInputMode::Raw);
        let large_limit =
            plan.downcast_ref::<SortExec>().filter(|sort| sort.fetch().is_some_and(|rows| rows > MAX_GROUPS));
        if let Some(input) = groups_rows.map(AggregateExec::input).or(large_limit.map(SortExec::input)) {
            let input = PropertyBarrierExec::above(Arc::clone(input), Hide::Nothing);
            return replace_children_if_necessary(plan, vec![input]).map(Transformed::yes);
        }
        Ok(match plan.children().is_empty() || keeps_groups(&plan) {
            true => Transformed::no(plan),
            false => Transformed::yes(PropertyBarrierExec::above(plan, Hide::Nothing)),
        })
    })?;
    PropertyBarrierExec::remove(stock.optimize(guarded.data, config)?, |hide| *hide == Hide::Nothing)
}

/// Whether the first rows of an operator by a column are made of the first rows of its input by the column of that name.
fn keeps_groups(plan: &Arc<dyn ExecutionPlan>) -> bool {
    let Some(projection) = plan.downcast_ref::<ProjectionExec>() else {
        return plan.is::<AggregateExec>() || plan.is::<RepartitionExec>() || plan.is::<CoalescePartitionsExec>();
    };
    let input = projection.input().schema();
    projection.expr().iter().all(|output| {
        let same = output.expr.downcast_ref::<Column>().is_some_and(|column| column.name() == output.alias);
        same || input.column_with_name(&output.alias).is_none()
    })
}

#[cfg(test)]
mod tests {
    use datafusion::prelude::{SessionConfig, SessionContext};

    use crate::workarounds::stock::rows;

    #[tokio::test]
    async fn the_stock_rule_still_drops_groups_that_are_needed() {
        let create = "create table t as values (1), (2)";
        let query = "select column1, count(*) over () from t group by column1 order by column1 limit 1";
        assert_ne!(rows(1, &[create, query]).await, ["1 2"], "DataFusion is right now: the stop at windows can go");
        let query = "select -column1 as column1 from (select distinct column1 from t) order by column1 limit 1";
        assert_ne!(rows(1, &[create, query]).await, ["-2"], "DataFusion is right now: the stop at projections can go");
    }

    /// When this fails, DataFusion allocates the heap as groups come, and the bound of `MAX_GROUPS` can go.
    #[tokio::test]
    #[should_panic(expected = "capacity overflow")]
    async fn the_stock_heap_is_still_allocated_in_full() {
        let query =
            "select k, max(v) as m from (values (1, 2)) t(k, v) group by k order by m desc limit 5000000000000000000";
        let context = SessionContext::new_with_config(SessionConfig::new().with_target_partitions(1));
        let _ = context.sql(query).await.unwrap().collect().await;
    }
}
