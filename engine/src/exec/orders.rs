//! Keeps the order that a query asks for where the stock optimizer takes a weaker one for it.
//!
//! - Groups are unique by their keys. A projection above them passes that on by the places of its own columns, whichever
//!   these are, and rows in order of such a column then count as rows in order of everything behind it. So nothing is said
//!   of it while sorts are placed and when they run.
//! - A merge of sorted streams that has a limit keeps its keys when its streams get more of them from an order above it.
//!   It merges by all that its streams are sorted by.

use std::fmt;
use std::sync::Arc;

use datafusion::common::config::ConfigOptions;
use datafusion::common::stats::Statistics;
use datafusion::common::tree_node::{Transformed, TreeNode, TreeNodeRecursion};
use datafusion::common::{Constraints, Result, internal_err};
use datafusion::execution::TaskContext;
use datafusion::physical_expr::PhysicalExpr;
use datafusion::physical_optimizer::PhysicalOptimizerRule;
use datafusion::physical_plan::aggregates::{AggregateExec, AggregateOutputMode};
use datafusion::physical_plan::sorts::sort::SortExec;
use datafusion::physical_plan::sorts::sort_preserving_merge::SortPreservingMergeExec;
use datafusion::physical_plan::statistics::{ChildStats, StatisticsArgs};
use datafusion::physical_plan::{
    ChildrenPropertiesMode, DisplayAs, DisplayFormatType, ExecutionPlan, ExecutionPlanProperties, PlanProperties,
    ReplaceChildrenOptions, SendableRecordBatchStream,
};

/// The rules with ours around the one that places sorts.
pub(super) fn kept(
    mut rules: Vec<Arc<dyn PhysicalOptimizerRule + Send + Sync>>,
) -> Vec<Arc<dyn PhysicalOptimizerRule + Send + Sync>> {
    if let Some(at) = rules.iter().position(|rule| rule.name() == "EnsureRequirements") {
        rules.insert(at + 1, Arc::new(MergeByAll));
        rules.insert(at, Arc::new(HideKeys));
    }
    rules.push(Arc::new(SortsHold));
    rules
}

/// Puts a [`Keyless`] above all groups.
#[derive(Debug)]
struct HideKeys;

impl PhysicalOptimizerRule for HideKeys {
    fn name(&self) -> &str {
        "hide_keys"
    }

    fn optimize(&self, plan: Arc<dyn ExecutionPlan>, _: &ConfigOptions) -> Result<Arc<dyn ExecutionPlan>> {
        let hidden = plan.transform_up(|plan| {
            let groups = plan.downcast_ref::<AggregateExec>().map(|groups| groups.mode().output_mode());
            let whole = matches!(groups, Some(AggregateOutputMode::Final));
            Ok(if whole { Transformed::yes(Keyless::above(plan)) } else { Transformed::no(plan) })
        })?;
        Ok(hidden.data)
    }

    fn schema_check(&self) -> bool {
        true
    }
}

/// Takes every [`Keyless`] away and lets merges merge by all keys of their streams.
#[derive(Debug)]
struct MergeByAll;

impl PhysicalOptimizerRule for MergeByAll {
    fn name(&self) -> &str {
        "merge_by_all"
    }

    fn optimize(&self, plan: Arc<dyn ExecutionPlan>, _: &ConfigOptions) -> Result<Arc<dyn ExecutionPlan>> {
        let merged = plan.transform_up(|plan| {
            if let Some(keyless) = plan.downcast_ref::<Keyless>() {
                return Ok(Transformed::yes(Arc::clone(&keyless.input)));
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

/// Puts a [`Keyless`] below sorts: when it runs, a sort asks its input once more whether there is anything to do.
#[derive(Debug)]
struct SortsHold;

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
            let input = Keyless::above(Arc::clone(sort.input()));
            let options = ReplaceChildrenOptions::new(ChildrenPropertiesMode::Recompute);
            Ok(Transformed::yes(plan.replace_children(vec![input], options)?))
        })?;
        Ok(held.data)
    }

    fn schema_check(&self) -> bool {
        true
    }
}

/// Hands on the rows of its input and does not tell which of its columns are unique.
#[derive(Debug)]
struct Keyless {
    input: Arc<dyn ExecutionPlan>,
    properties: Arc<PlanProperties>,
}

impl Keyless {
    fn above(input: Arc<dyn ExecutionPlan>) -> Arc<dyn ExecutionPlan> {
        let properties = Arc::new(input.properties().as_ref().clone().with_constraints(Constraints::default()));
        Arc::new(Keyless { input, properties })
    }
}

impl DisplayAs for Keyless {
    fn fmt_as(&self, _format: DisplayFormatType, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Keyless")
    }
}

impl ExecutionPlan for Keyless {
    fn name(&self) -> &str {
        "Keyless"
    }

    fn properties(&self) -> &Arc<PlanProperties> {
        &self.properties
    }

    fn maintains_input_order(&self) -> Vec<bool> {
        vec![true]
    }

    fn benefits_from_input_partitioning(&self) -> Vec<bool> {
        vec![false]
    }

    fn children(&self) -> Vec<&Arc<dyn ExecutionPlan>> {
        vec![&self.input]
    }

    fn apply_expressions(
        &self,
        _visit: &mut dyn FnMut(&Arc<dyn PhysicalExpr>) -> Result<TreeNodeRecursion>,
    ) -> Result<TreeNodeRecursion> {
        Ok(TreeNodeRecursion::Continue)
    }

    fn replace_children(
        self: Arc<Self>,
        mut children: Vec<Arc<dyn ExecutionPlan>>,
        _options: ReplaceChildrenOptions,
    ) -> Result<Arc<dyn ExecutionPlan>> {
        match (children.pop(), children.is_empty()) {
            (Some(input), true) => Ok(Keyless::above(input)),
            _ => internal_err!("Keyless has one input"),
        }
    }

    fn with_new_children(self: Arc<Self>, children: Vec<Arc<dyn ExecutionPlan>>) -> Result<Arc<dyn ExecutionPlan>> {
        self.replace_children(children, ReplaceChildrenOptions::new(ChildrenPropertiesMode::Recompute))
    }

    fn child_stats_requests(&self, partition: Option<usize>) -> Vec<ChildStats> {
        vec![ChildStats::At(partition)]
    }

    fn statistics_from_inputs(&self, inputs: &[Arc<Statistics>], _args: &StatisticsArgs) -> Result<Arc<Statistics>> {
        Ok(Arc::clone(&inputs[0]))
    }

    fn execute(&self, partition: usize, tasks: Arc<TaskContext>) -> Result<SendableRecordBatchStream> {
        self.input.execute(partition, tasks)
    }
}
