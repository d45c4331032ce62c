//! Which groups a sort with a limit lets drop early. The stock rule looks for groups below it by the name of the column
//! that sorts, and lets them keep the first ones only. On its way it goes through windows, which need all groups
//! (`select k, count(*) over () from t group by k order by k limit 1`,
//! <https://github.com/apache/datafusion/pull/25066>), through unions and joins, where another column may have that
//! name, and through projections that give the name to something else (`select -k as k from (select distinct k from t)
//! order by k limit 1`; no upstream issue found as of 2026-11). Now it stops where the name is not enough.
//!
//! It also stops below a sort with a large limit. The heap of the groups is allocated in full before there is a group,
//! and not counted: `limit 1000000000` ended a process that was allowed 12 GB. No upstream issue found as of 2026-11.

use std::sync::Arc;

use datafusion::common::Result;
use datafusion::common::config::ConfigOptions;
use datafusion::common::tree_node::{Transformed, TreeNode};
use datafusion::physical_expr::expressions::Column;
use datafusion::physical_optimizer::PhysicalOptimizerRule;
use datafusion::physical_plan::aggregates::{AggregateExec, AggregateInputMode};
use datafusion::physical_plan::coalesce_partitions::CoalescePartitionsExec;
use datafusion::physical_plan::projection::ProjectionExec;
use datafusion::physical_plan::repartition::RepartitionExec;
use datafusion::physical_plan::sorts::sort::SortExec;
use datafusion::physical_plan::{ChildrenPropertiesMode, ExecutionPlan, ReplaceChildrenOptions};

use super::property_barrier::{Hide, PropertyBarrierExec};

/// Groups that are kept in a heap.
const MOST_GROUPS: usize = 10_000;

/// The stock rule with stops in its way.
pub fn bounded(rule: Arc<dyn PhysicalOptimizerRule + Send + Sync>) -> Arc<dyn PhysicalOptimizerRule + Send + Sync> {
    Arc::new(Bounded(rule))
}

#[derive(Debug)]
struct Bounded(Arc<dyn PhysicalOptimizerRule + Send + Sync>);

impl PhysicalOptimizerRule for Bounded {
    fn name(&self) -> &str {
        self.0.name()
    }

    fn optimize(&self, plan: Arc<dyn ExecutionPlan>, config: &ConfigOptions) -> Result<Arc<dyn ExecutionPlan>> {
        let stopped = plan.transform_up(|plan| {
            let first =
                plan.downcast_ref::<AggregateExec>().filter(|groups| is_first(groups)).map(AggregateExec::input);
            let long = plan.downcast_ref::<SortExec>().filter(|sort| keeps_many(sort)).map(SortExec::input);
            if let Some(input) = first.or(long).map(Arc::clone) {
                let options = ReplaceChildrenOptions::new(ChildrenPropertiesMode::Recompute);
                let input = PropertyBarrierExec::above(input, Hide::Nothing);
                return Ok(Transformed::yes(plan.replace_children(vec![input], options)?));
            }
            Ok(match plan.children().is_empty() || keeps_groups(&plan) {
                true => Transformed::no(plan),
                false => Transformed::yes(PropertyBarrierExec::above(plan, Hide::Nothing)),
            })
        })?;
        let optimized = self.0.optimize(stopped.data, config)?;
        let free = optimized.transform_up(|plan| match plan.downcast_ref::<PropertyBarrierExec>() {
            Some(stop) if stop.secret == Hide::Nothing => Ok(Transformed::yes(Arc::clone(&stop.input))),
            _ => Ok(Transformed::no(plan)),
        })?;
        Ok(free.data)
    }

    fn schema_check(&self) -> bool {
        self.0.schema_check()
    }
}

fn keeps_many(sort: &SortExec) -> bool {
    sort.fetch().is_some_and(|rows| rows > MOST_GROUPS)
}

/// Whether groups are made of rows, rather than of parts of groups.
fn is_first(groups: &AggregateExec) -> bool {
    groups.mode().input_mode() == AggregateInputMode::Raw
}

/// Whether the first rows of a step in some order are made of the first rows of its input, in the column of that name.
fn keeps_groups(plan: &Arc<dyn ExecutionPlan>) -> bool {
    let Some(projection) = plan.downcast_ref::<ProjectionExec>() else {
        return plan.is::<AggregateExec>() || plan.is::<RepartitionExec>() || plan.is::<CoalescePartitionsExec>();
    };
    let input = projection.input().schema();
    projection.expr().iter().all(|shown| {
        let same = shown.expr.downcast_ref::<Column>().is_some_and(|column| column.name() == shown.alias);
        same || input.column_with_name(&shown.alias).is_none()
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

    /// When this fails, DataFusion allocates the heap as groups come, and the bound of `MOST_GROUPS` can go.
    #[tokio::test]
    #[should_panic(expected = "capacity overflow")]
    async fn the_stock_heap_is_still_allocated_in_full() {
        let query =
            "select k, max(v) as m from (values (1, 2)) t(k, v) group by k order by m desc limit 5000000000000000000";
        let context = SessionContext::new_with_config(SessionConfig::new().with_target_partitions(1));
        let _ = context.sql(query).await.unwrap().collect().await;
    }
}
