//! Keeps the order that a query asks for where the stock optimizer takes a weaker one for it.
//!
//! - Groups are unique by their keys. A projection above them passes that on by the places of its own columns, whichever
//!   these are, and rows in order of such a column then count as rows in order of everything behind it. So nothing is said
//!   of it while sorts are placed and when they run.
//! - A merge of sorted streams that has a limit keeps its keys when its streams get more of them from an order above it.
//!   It merges by all that its streams are sorted by.

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
