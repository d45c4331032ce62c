//! The operator that runs one script of a job: the mapper, the combiner or the reducer.

use std::fmt;
use std::sync::Arc;

use arrow::datatypes::SchemaRef;
use datafusion::common::tree_node::TreeNodeRecursion;
use datafusion::common::{Result as DfResult, internal_err};
use datafusion::execution::TaskContext;
use datafusion::physical_expr::{EquivalenceProperties, Partitioning, PhysicalExpr};
use datafusion::physical_plan::execution_plan::{Boundedness, EmissionType};
use datafusion::physical_plan::metrics::{Count, Metric, MetricValue, MetricsSet};
use datafusion::physical_plan::{
    DisplayAs, DisplayFormatType, ExecutionPlan, ExecutionPlanProperties, PlanProperties, ReplaceChildrenOptions,
    SendableRecordBatchStream,
};

use super::mapper::Mapper;
use super::pair_emitter;
use super::reducer::Reducer;
use super::script_thread::{ScriptThread, start};
use super::scripts::Scripts;
use quarry_sql::running::progress::{EMITTED_PAIRS, REDUCE, REDUCED_PAIRS};

/// The script that an operator runs.
#[derive(Debug, Clone)]
pub(super) enum Role {
    /// Rows → pairs: the mapper, on rows or batches of an input of this name.
    Map { input: String, batches: bool },
    /// Pairs → pairs: the combiner, on some of the pairs at a time.
    Combine,
    /// Pairs → rows of this schema: the reducer, on all pairs, sorted.
    Reduce(SchemaRef),
}

#[derive(Debug)]
pub(super) struct ScriptExec {
    input: Arc<dyn ExecutionPlan>,
    scripts: Arc<Scripts>,
    role: Role,
    properties: Arc<PlanProperties>,
}

impl ScriptExec {
    pub fn new(input: Arc<dyn ExecutionPlan>, scripts: &Arc<Scripts>, role: Role) -> ScriptExec {
        let schema = match &role {
            Role::Reduce(schema) => Arc::clone(schema),
            _ => pair_emitter::schema(),
        };
        let properties = PlanProperties::new(
            EquivalenceProperties::new(schema),
            Partitioning::UnknownPartitioning(input.output_partitioning().partition_count()),
            EmissionType::Incremental,
            Boundedness::Bounded,
        );
        ScriptExec { input, scripts: Arc::clone(scripts), role, properties: Arc::new(properties) }
    }

    fn with_input(&self, mut children: Vec<Arc<dyn ExecutionPlan>>) -> DfResult<Arc<dyn ExecutionPlan>> {
        match (children.pop(), children.is_empty()) {
            (Some(input), true) => Ok(Arc::new(ScriptExec::new(input, &self.scripts, self.role.clone()))),
            _ => internal_err!("{} has one input", self.name()),
        }
    }
}

impl DisplayAs for ScriptExec {
    fn fmt_as(&self, _format: DisplayFormatType, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.role {
            Role::Map { input, .. } => write!(f, "{}: {input}", self.name()),
            _ => f.write_str(self.name()),
        }
    }
}

impl ExecutionPlan for ScriptExec {
    fn name(&self) -> &str {
        match self.role {
            Role::Map { .. } => "MapExec",
            Role::Combine => "CombineExec",
            Role::Reduce(_) => REDUCE,
        }
    }

    fn properties(&self) -> &Arc<PlanProperties> {
        &self.properties
    }

    fn children(&self) -> Vec<&Arc<dyn ExecutionPlan>> {
        vec![&self.input]
    }

    fn apply_expressions(
        &self,
        _visit: &mut dyn FnMut(&Arc<dyn PhysicalExpr>) -> DfResult<TreeNodeRecursion>,
    ) -> DfResult<TreeNodeRecursion> {
        Ok(TreeNodeRecursion::Continue)
    }

    fn replace_children(
        self: Arc<Self>,
        children: Vec<Arc<dyn ExecutionPlan>>,
        _options: ReplaceChildrenOptions,
    ) -> DfResult<Arc<dyn ExecutionPlan>> {
        self.with_input(children)
    }

    fn with_new_children(self: Arc<Self>, children: Vec<Arc<dyn ExecutionPlan>>) -> DfResult<Arc<dyn ExecutionPlan>> {
        self.with_input(children)
    }

    /// The pairs of the job so far, for its progress.
    fn metrics(&self) -> Option<MetricsSet> {
        if matches!(self.role, Role::Map { .. }) {
            return None;
        }
        let (emitted, reduced) = self.scripts.shuffle.counts();
        let mut metrics = MetricsSet::new();
        for (name, pairs) in [(EMITTED_PAIRS, emitted), (REDUCED_PAIRS, reduced)] {
            let count = Count::new();
            count.add(pairs as usize);
            metrics.push(Arc::new(Metric::new(MetricValue::Count { name: name.into(), count }, None)));
        }
        Some(metrics)
    }

    fn execute(&self, partition: usize, tasks: Arc<TaskContext>) -> DfResult<SendableRecordBatchStream> {
        let pool = Arc::clone(tasks.memory_pool());
        let input = self.input.execute(partition, tasks)?;
        let seed = self.scripts.seed.wrapping_add(partition as u64);
        let thread = ScriptThread { scripts: Arc::clone(&self.scripts), seed, pool };
        let schema = self.schema();
        let output = match &self.role {
            Role::Map { input: name, batches } => {
                let mapper = Mapper { thread, input: name.clone(), batches: *batches };
                return Ok(start(schema, input, mapper.chunks(), |input, output| mapper.run(input, output)));
            }
            Role::Combine => None,
            Role::Reduce(schema) => Some(Arc::clone(schema)),
        };
        let reducer = Reducer { thread, output };
        Ok(start(schema, input, reducer.chunks(), |input, output| reducer.run(input, output)))
    }
}
