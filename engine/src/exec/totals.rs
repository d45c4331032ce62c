//! Grouping sets, ROLLUP and CUBE: what holds for the rows of a group does not hold for those of a total, in which the columns
//! are null.

use std::fmt;
use std::sync::Arc;

use datafusion::common::config::ConfigOptions;
use datafusion::common::stats::Statistics;
use datafusion::common::tree_node::{Transformed, TreeNode, TreeNodeRecursion};
use datafusion::common::{Result, internal_err};
use datafusion::execution::TaskContext;
use datafusion::physical_expr::{EquivalenceProperties, PhysicalExpr};
use datafusion::physical_optimizer::PhysicalOptimizerRule;
use datafusion::physical_plan::aggregates::AggregateExec;
use datafusion::physical_plan::statistics::{ChildStats, StatisticsArgs};
use datafusion::physical_plan::{
    ChildrenPropertiesMode, DisplayAs, DisplayFormatType, ExecutionPlan, ExecutionPlanProperties, Partitioning,
    PlanProperties, ReplaceChildrenOptions, SendableRecordBatchStream,
};

/// Puts a [`Totals`] above every aggregate over grouping sets, before any other rule looks at the plan. The aggregate hands on
/// what its input promises: that a column has one value (`where a = 1 group by rollup (a)`) or is equal to another, that rows
/// come in an order or are shared out by a column. An order by such a column would be left out.
#[derive(Debug)]
pub(super) struct TotalsStandApart;

impl PhysicalOptimizerRule for TotalsStandApart {
    fn name(&self) -> &str {
        "totals_stand_apart"
    }

    fn optimize(&self, plan: Arc<dyn ExecutionPlan>, _config: &ConfigOptions) -> Result<Arc<dyn ExecutionPlan>> {
        let apart = plan.transform_up(|plan| {
            let of_sets = plan.downcast_ref::<AggregateExec>().is_some_and(|all| all.group_expr().has_grouping_set());
            Ok(if of_sets { Transformed::yes(Totals::above(plan)) } else { Transformed::no(plan) })
        })?;
        Ok(apart.data)
    }

    fn schema_check(&self) -> bool {
        true
    }
}

/// Hands on the rows of its input and promises nothing about them.
#[derive(Debug)]
struct Totals {
    input: Arc<dyn ExecutionPlan>,
    properties: Arc<PlanProperties>,
}

impl Totals {
    fn above(input: Arc<dyn ExecutionPlan>) -> Arc<dyn ExecutionPlan> {
        let partitions = input.output_partitioning().partition_count();
        let properties = PlanProperties::new(
            EquivalenceProperties::new(input.schema()),
            Partitioning::UnknownPartitioning(partitions),
            input.pipeline_behavior(),
            input.boundedness(),
        );
        Arc::new(Totals { input, properties: Arc::new(properties) })
    }
}

impl DisplayAs for Totals {
    fn fmt_as(&self, _format: DisplayFormatType, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Totals")
    }
}

impl ExecutionPlan for Totals {
    fn name(&self) -> &str {
        "Totals"
    }

    fn properties(&self) -> &Arc<PlanProperties> {
        &self.properties
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
            (Some(input), true) => Ok(Totals::above(input)),
            _ => internal_err!("Totals has one input"),
        }
    }

    fn with_new_children(self: Arc<Self>, children: Vec<Arc<dyn ExecutionPlan>>) -> Result<Arc<dyn ExecutionPlan>> {
        self.replace_children(children, ReplaceChildrenOptions::new(ChildrenPropertiesMode::Recompute))
    }

    fn child_stats_requests(&self, partition: Option<usize>) -> Vec<ChildStats> {
        vec![ChildStats::At(partition)]
    }

    fn statistics_from_inputs(&self, inputs: &[Arc<Statistics>], _args: &StatisticsArgs) -> Result<Arc<Statistics>> {
        let rows = inputs[0].num_rows.to_inexact();
        Ok(Arc::new(Statistics { num_rows: rows, ..Statistics::new_unknown(&self.schema()) }))
    }

    fn execute(&self, partition: usize, tasks: Arc<TaskContext>) -> Result<SendableRecordBatchStream> {
        self.input.execute(partition, tasks)
    }
}
