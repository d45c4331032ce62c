//! An operator that returns the rows of its input. Rules put it between two operators to hide a property of the input, to
//! hold filters back, or to change when rows come.

use std::fmt;
use std::sync::Arc;

use datafusion::common::config::ConfigOptions;
use datafusion::common::stats::Statistics;
use datafusion::common::tree_node::{Transformed, TransformedResult, TreeNodeRecursion};
use datafusion::common::{Result, internal_err};
use datafusion::execution::TaskContext;
use datafusion::physical_expr::{OrderingRequirements, PhysicalExpr};
use datafusion::physical_plan::filter_pushdown::{FilterDescription, FilterPushdownPhase};
use datafusion::physical_plan::statistics::{ChildStats, StatisticsArgs};
use datafusion::physical_plan::{
    ChildrenPropertiesMode, DisplayAs, DisplayFormatType, ExecutionPlan, PlanProperties, ReplaceChildrenOptions,
    SendableRecordBatchStream,
};
use quarry_functions::tree_walk::TreeWalk;

/// How a [`PassThroughExec`] differs from its input. What a method does not say is as if the operator were not there.
pub(crate) trait PassThrough: fmt::Debug + Send + Sync + Sized + 'static {
    /// Name of the operator.
    const NAME: &'static str;

    /// The same over an input that has not run yet.
    fn renew(&self) -> Self;

    fn properties(&self, input: &Arc<dyn ExecutionPlan>) -> Arc<PlanProperties> {
        Arc::clone(input.properties())
    }

    /// Whether rules see the input.
    fn shows_input(&self) -> bool {
        true
    }

    fn maintains_order(&self) -> bool {
        true
    }

    /// The order that the input must have.
    fn required_order(&self, _: &Arc<dyn ExecutionPlan>) -> Option<OrderingRequirements> {
        None
    }

    fn statistics(&self, input: &Arc<Statistics>) -> Arc<Statistics> {
        Arc::clone(input)
    }

    /// Which filters of operators above may pass.
    fn pushdown(
        &self,
        filters: Vec<Arc<dyn PhysicalExpr>>,
        inputs: &[&Arc<dyn ExecutionPlan>],
    ) -> Result<FilterDescription> {
        Ok(FilterDescription::all_unsupported(&filters, inputs))
    }

    fn execute(
        &self,
        input: &Arc<dyn ExecutionPlan>,
        partition: usize,
        tasks: Arc<TaskContext>,
    ) -> Result<SendableRecordBatchStream> {
        input.execute(partition, tasks)
    }
}

#[derive(Debug)]
pub(crate) struct PassThroughExec<P> {
    pub input: Arc<dyn ExecutionPlan>,
    pub behavior: P,
    properties: Arc<PlanProperties>,
}

impl<P: PassThrough> PassThroughExec<P> {
    pub fn above(input: Arc<dyn ExecutionPlan>, behavior: P) -> Arc<dyn ExecutionPlan> {
        let properties = behavior.properties(&input);
        Arc::new(PassThroughExec { input, behavior, properties })
    }

    /// The plan without those operators of the kind that are meant.
    pub fn remove(plan: Arc<dyn ExecutionPlan>, is_meant: fn(&P) -> bool) -> Result<Arc<dyn ExecutionPlan>> {
        plan.transform_up(|plan| {
            Ok(match plan.downcast_ref::<PassThroughExec<P>>() {
                Some(operator) if is_meant(&operator.behavior) => Transformed::yes(Arc::clone(&operator.input)),
                _ => Transformed::no(plan),
            })
        })
        .data()
    }
}

impl<P: PassThrough> DisplayAs for PassThroughExec<P> {
    fn fmt_as(&self, _: DisplayFormatType, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(P::NAME)
    }
}

impl<P: PassThrough> ExecutionPlan for PassThroughExec<P> {
    fn name(&self) -> &str {
        P::NAME
    }

    fn properties(&self) -> &Arc<PlanProperties> {
        &self.properties
    }

    fn maintains_input_order(&self) -> Vec<bool> {
        self.children().iter().map(|_| self.behavior.maintains_order()).collect()
    }

    fn required_input_ordering(&self) -> Vec<Option<OrderingRequirements>> {
        self.children().iter().map(|input| self.behavior.required_order(input)).collect()
    }

    fn benefits_from_input_partitioning(&self) -> Vec<bool> {
        self.children().iter().map(|_| false).collect()
    }

    fn children(&self) -> Vec<&Arc<dyn ExecutionPlan>> {
        if self.behavior.shows_input() { vec![&self.input] } else { Vec::new() }
    }

    fn apply_expressions(
        &self,
        _: &mut dyn FnMut(&Arc<dyn PhysicalExpr>) -> Result<TreeNodeRecursion>,
    ) -> Result<TreeNodeRecursion> {
        Ok(TreeNodeRecursion::Continue)
    }

    fn replace_children(
        self: Arc<Self>,
        mut children: Vec<Arc<dyn ExecutionPlan>>,
        _: ReplaceChildrenOptions,
    ) -> Result<Arc<dyn ExecutionPlan>> {
        match (children.pop(), children.is_empty()) {
            (None, _) if !self.behavior.shows_input() => Ok(self),
            (Some(input), true) => Ok(PassThroughExec::above(input, self.behavior.renew())),
            _ => internal_err!("{} has one input", P::NAME),
        }
    }

    fn with_new_children(self: Arc<Self>, children: Vec<Arc<dyn ExecutionPlan>>) -> Result<Arc<dyn ExecutionPlan>> {
        self.replace_children(children, ReplaceChildrenOptions::new(ChildrenPropertiesMode::Recompute))
    }

    fn child_stats_requests(&self, partition: Option<usize>) -> Vec<ChildStats> {
        self.children().iter().map(|_| ChildStats::At(partition)).collect()
    }

    fn statistics_from_inputs(&self, inputs: &[Arc<Statistics>], _: &StatisticsArgs) -> Result<Arc<Statistics>> {
        Ok(match inputs.first() {
            Some(input) => self.behavior.statistics(input),
            None => Arc::new(Statistics::new_unknown(&self.schema())),
        })
    }

    fn gather_filters_for_pushdown(
        &self,
        _: FilterPushdownPhase,
        filters: Vec<Arc<dyn PhysicalExpr>>,
        _: &ConfigOptions,
    ) -> Result<FilterDescription> {
        self.behavior.pushdown(filters, &self.children())
    }

    fn execute(&self, partition: usize, tasks: Arc<TaskContext>) -> Result<SendableRecordBatchStream> {
        self.behavior.execute(&self.input, partition, tasks)
    }
}
