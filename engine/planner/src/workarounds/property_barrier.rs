//! What several workarounds use: an operator that hands on the rows of its input and hides some of their properties,
//! from which the stock rules would draw wrong conclusions.

use std::fmt;
use std::sync::Arc;

use datafusion::common::config::ConfigOptions;
use datafusion::common::stats::Statistics;
use datafusion::common::tree_node::TreeNodeRecursion;
use datafusion::common::{Constraints, Result, internal_err};
use datafusion::execution::TaskContext;
use datafusion::physical_expr::{EquivalenceProperties, PhysicalExpr};
use datafusion::physical_plan::filter_pushdown::{FilterDescription, FilterPushdownPhase};
use datafusion::physical_plan::statistics::{ChildStats, StatisticsArgs};
use datafusion::physical_plan::{
    ChildrenPropertiesMode, DisplayAs, DisplayFormatType, ExecutionPlan, ExecutionPlanProperties, Partitioning,
    PlanProperties, ReplaceChildrenOptions, SendableRecordBatchStream,
};

/// What is not told of the rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Hide {
    /// Everything: rules don't see what is below.
    Plan,
    /// All is told: rules that only go through operators they know stop here.
    Nothing,
    /// Which values the columns have, the smallest and largest among them.
    Bounds,
    /// Which columns no two rows have in common.
    Keys,
    /// How they are sorted.
    Order,
    /// How they are sorted, and which columns are constant or equal to others.
    Values,
    /// All but how many rows there may be.
    Everything,
}

#[derive(Debug)]
pub(super) struct PropertyBarrierExec {
    pub input: Arc<dyn ExecutionPlan>,
    pub secret: Hide,
    properties: Arc<PlanProperties>,
}

impl PropertyBarrierExec {
    pub fn above(input: Arc<dyn ExecutionPlan>, secret: Hide) -> Arc<dyn ExecutionPlan> {
        let known = input.properties().as_ref().clone();
        let properties = match secret {
            Hide::Plan | Hide::Nothing | Hide::Bounds => known,
            Hide::Keys => known.with_constraints(Constraints::default()),
            Hide::Order => {
                let mut values = input.equivalence_properties().clone();
                values.clear_orderings();
                known.with_eq_properties(values)
            }
            Hide::Values => known.with_eq_properties(EquivalenceProperties::new(input.schema())),
            Hide::Everything => PlanProperties::new(
                EquivalenceProperties::new(input.schema()),
                Partitioning::UnknownPartitioning(input.output_partitioning().partition_count()),
                input.pipeline_behavior(),
                input.boundedness(),
            ),
        };
        Arc::new(PropertyBarrierExec { input, secret, properties: Arc::new(properties) })
    }
}

impl DisplayAs for PropertyBarrierExec {
    fn fmt_as(&self, _format: DisplayFormatType, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "PropertyBarrierExec: {:?}", self.secret)
    }
}

impl ExecutionPlan for PropertyBarrierExec {
    fn name(&self) -> &str {
        "PropertyBarrierExec"
    }

    fn properties(&self) -> &Arc<PlanProperties> {
        &self.properties
    }

    // An order that nobody is told of can be asked for by nobody.
    fn maintains_input_order(&self) -> Vec<bool> {
        let keeps = matches!(self.secret, Hide::Nothing | Hide::Bounds | Hide::Keys);
        self.children().iter().map(|_| keeps).collect()
    }

    fn benefits_from_input_partitioning(&self) -> Vec<bool> {
        self.children().iter().map(|_| false).collect()
    }

    fn children(&self) -> Vec<&Arc<dyn ExecutionPlan>> {
        match self.secret {
            Hide::Plan => Vec::new(),
            _ => vec![&self.input],
        }
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
            (None, _) if self.secret == Hide::Plan => Ok(self),
            (Some(input), true) => Ok(PropertyBarrierExec::above(input, self.secret)),
            _ => internal_err!("PropertyBarrierExec has one input"),
        }
    }

    fn with_new_children(self: Arc<Self>, children: Vec<Arc<dyn ExecutionPlan>>) -> Result<Arc<dyn ExecutionPlan>> {
        self.replace_children(children, ReplaceChildrenOptions::new(ChildrenPropertiesMode::Recompute))
    }

    fn child_stats_requests(&self, partition: Option<usize>) -> Vec<ChildStats> {
        self.children().iter().map(|_| ChildStats::At(partition)).collect()
    }

    fn statistics_from_inputs(&self, inputs: &[Arc<Statistics>], _args: &StatisticsArgs) -> Result<Arc<Statistics>> {
        Ok(match self.secret {
            Hide::Plan => Arc::new(Statistics::new_unknown(&self.schema())),
            Hide::Nothing | Hide::Keys | Hide::Order | Hide::Values => Arc::clone(&inputs[0]),
            Hide::Bounds => {
                Arc::new(Statistics { num_rows: inputs[0].num_rows, ..Statistics::new_unknown(&self.schema()) })
            }
            Hide::Everything => {
                let num_rows = inputs[0].num_rows.to_inexact();
                Arc::new(Statistics { num_rows, ..Statistics::new_unknown(&self.schema()) })
            }
        })
    }

    // What a join above learns of its keys while it runs goes on to the scans below its inputs.
    fn gather_filters_for_pushdown(
        &self,
        _phase: FilterPushdownPhase,
        parent_filters: Vec<Arc<dyn PhysicalExpr>>,
        _config: &ConfigOptions,
    ) -> Result<FilterDescription> {
        match self.secret {
            Hide::Nothing | Hide::Bounds | Hide::Order | Hide::Values => {
                FilterDescription::from_children(parent_filters, &self.children())
            }
            Hide::Plan | Hide::Keys | Hide::Everything => {
                Ok(FilterDescription::all_unsupported(&parent_filters, &self.children()))
            }
        }
    }

    fn execute(&self, partition: usize, tasks: Arc<TaskContext>) -> Result<SendableRecordBatchStream> {
        self.input.execute(partition, tasks)
    }
}
