//! Keeps the order that a query asks for where the stock optimizer takes a weaker one for it.
//!
//! - Groups are unique by their keys. A projection above them passes that on by the places of its own columns instead of
//!   those of its input (`EquivalenceProperties::project`): over `select s, k from (select k, sum(v) as s from t group
//!   by k)` it takes `s` for the key, and rows in order of `s` then count as rows in order of everything behind it. So
//!   the keys are hidden while sorts are placed and when they run. No upstream issue found as of 2026-11.
//! - A merge of sorted streams that has a limit keeps its keys when its streams get more of them from an order above it,
//!   as in `select * from (select … union all select … order by a limit 9) order by a, b`
//!   (<https://github.com/apache/datafusion/issues/25378>). It merges by all that its streams are sorted by.

use std::sync::Arc;

use datafusion::common::Result;
use datafusion::common::config::ConfigOptions;
use datafusion::common::tree_node::{Transformed, TreeNode};
use datafusion::physical_optimizer::PhysicalOptimizerRule;
use datafusion::physical_plan::aggregates::{AggregateExec, AggregateOutputMode};
use datafusion::physical_plan::sorts::sort::SortExec;
use datafusion::physical_plan::sorts::sort_preserving_merge::SortPreservingMergeExec;
use datafusion::physical_plan::{
    ChildrenPropertiesMode, ExecutionPlan, ExecutionPlanProperties, ReplaceChildrenOptions,
};

use super::property_barrier::{Hide, PropertyBarrierExec};

/// Hides the keys of all groups.
#[derive(Debug)]
pub struct HideKeys;

impl PhysicalOptimizerRule for HideKeys {
    fn name(&self) -> &str {
        "hide_keys"
    }

    fn optimize(&self, plan: Arc<dyn ExecutionPlan>, _: &ConfigOptions) -> Result<Arc<dyn ExecutionPlan>> {
        let hidden = plan.transform_up(|plan| {
            let groups = plan.downcast_ref::<AggregateExec>().map(|groups| groups.mode().output_mode());
            let whole = matches!(groups, Some(AggregateOutputMode::Final));
            Ok(if whole {
                Transformed::yes(PropertyBarrierExec::above(plan, Hide::Keys))
            } else {
                Transformed::no(plan)
            })
        })?;
        Ok(hidden.data)
    }

    fn schema_check(&self) -> bool {
        true
    }
}

/// Tells the keys again and lets merges merge by all keys of their streams.
#[derive(Debug)]
pub struct MergeByAll;

impl PhysicalOptimizerRule for MergeByAll {
    fn name(&self) -> &str {
        "merge_by_all"
    }

    fn optimize(&self, plan: Arc<dyn ExecutionPlan>, _: &ConfigOptions) -> Result<Arc<dyn ExecutionPlan>> {
        let merged = plan.transform_up(|plan| {
            if let Some(hidden) =
                plan.downcast_ref::<PropertyBarrierExec>().filter(|hidden| hidden.secret == Hide::Keys)
            {
                return Ok(Transformed::yes(Arc::clone(&hidden.input)));
            }
            let Some(merge) = plan.downcast_ref::<SortPreservingMergeExec>() else { return Ok(Transformed::no(plan)) };
            let Some(order) = merge.input().properties().output_ordering() else { return Ok(Transformed::no(plan)) };
            let keys = merge.expr().len();
            if order.len() <= keys || order[..keys] != merge.expr()[..] {
                return Ok(Transformed::no(plan));
            }
            let whole =
                SortPreservingMergeExec::new(order.clone(), Arc::clone(merge.input())).with_fetch(merge.fetch());
            Ok(Transformed::yes(Arc::new(whole) as Arc<dyn ExecutionPlan>))
        })?;
        Ok(merged.data)
    }

    fn schema_check(&self) -> bool {
        true
    }
}

/// Hides keys from sorts: when it runs, a sort asks its input once more whether there is anything to do.
#[derive(Debug)]
pub struct SortsHold;

impl PhysicalOptimizerRule for SortsHold {
    fn name(&self) -> &str {
        "sorts_hold"
    }

    fn optimize(&self, plan: Arc<dyn ExecutionPlan>, _: &ConfigOptions) -> Result<Arc<dyn ExecutionPlan>> {
        let held = plan.transform_up(|plan| {
            let Some(sort) = plan.downcast_ref::<SortExec>() else { return Ok(Transformed::no(plan)) };
            if sort.input().equivalence_properties().constraints().is_empty() {
                return Ok(Transformed::no(plan));
            }
            let input = PropertyBarrierExec::above(Arc::clone(sort.input()), Hide::Keys);
            let options = ReplaceChildrenOptions::new(ChildrenPropertiesMode::Recompute);
            Ok(Transformed::yes(plan.replace_children(vec![input], options)?))
        })?;
        Ok(held.data)
    }

    fn schema_check(&self) -> bool {
        true
    }
}

#[cfg(test)]
mod tests {
    use arrow::datatypes::{DataType, Field, Schema};
    use datafusion::common::{Constraint, Constraints};
    use datafusion::physical_expr::EquivalenceProperties;
    use datafusion::physical_expr::expressions::Column;
    use datafusion::physical_expr::projection::ProjectionMapping;

    use super::*;
    use crate::workarounds::stock::rows;

    #[test]
    fn a_stock_projection_still_passes_keys_on_by_the_places_of_its_own_columns() {
        let schema = |names: [&str; 2]| {
            Arc::new(Schema::new(names.map(|name| Field::new(name, DataType::Int64, false)).to_vec()))
        };
        let (input, output) = (schema(["k", "s"]), schema(["s", "k"]));
        let key = Constraints::new_unverified(vec![Constraint::PrimaryKey(vec![0])]);
        let groups = EquivalenceProperties::new(Arc::clone(&input)).with_constraints(key);
        let columns = [("s", 1), ("k", 0)];
        let columns = columns.map(|(name, place)| (Arc::new(Column::new(name, place)) as _, name.to_string()));
        let mapping = ProjectionMapping::try_new(columns, &input).unwrap();
        let projected = groups.project(&mapping, output);
        let right = Constraints::new_unverified(vec![Constraint::PrimaryKey(vec![1])]);
        assert_ne!(projected.constraints(), &right, "DataFusion is right now: `HideKeys` and `SortsHold` can go");
    }

    #[tokio::test]
    async fn a_stock_merge_with_a_limit_still_ignores_the_order_above() {
        let parts = "select * from (values (1, 2)) t(a, b) union all select * from (values (1, 1)) u(a, b)";
        let query = format!("select a, b from (select a, b from ({parts}) order by a limit 9) order by a, b");
        assert_ne!(rows(4, &[&query]).await, ["1 1", "1 2"], "DataFusion is right now: `MergeByAll` can go");
    }
}
