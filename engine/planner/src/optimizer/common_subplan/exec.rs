//! One reader of a common subplan.

use std::fmt;
use std::sync::Arc;

use arrow::datatypes::SchemaRef;
use datafusion::common::stats::{Precision, Statistics};
use datafusion::common::tree_node::TreeNodeRecursion;
use datafusion::common::{Result, internal_err};
use datafusion::execution::TaskContext;
use datafusion::physical_expr::{EquivalenceProperties, Partitioning, PhysicalExpr};
use datafusion::physical_plan::execution_plan::{Boundedness, EmissionType};
use datafusion::physical_plan::statistics::{StatisticsArgs, StatisticsContext};
use datafusion::physical_plan::stream::RecordBatchStreamAdapter;
use datafusion::physical_plan::{
    DisplayAs, DisplayFormatType, ExecutionPlan, ExecutionPlanProperties, PlanProperties, ReplaceChildrenOptions,
    SendableRecordBatchStream,
};
use futures::TryStreamExt;

use super::materialized::Materialized;

/// Estimated fraction of the rows read that a subplan which filters, groups or makes distinct returns.
const SELECTIVITY: f64 = 0.1;

/// Returns rows that are computed once for all readers. It is a leaf of the plan: the subplan is planned on its own.
#[derive(Debug)]
pub struct RepeatedExec {
    materialized: Arc<Materialized>,
    projection: Option<Vec<usize>>,
    properties: Arc<PlanProperties>,
    statistics: Arc<Statistics>,
}

impl RepeatedExec {
    pub fn new(materialized: Arc<Materialized>, projection: Option<Vec<usize>>) -> Result<RepeatedExec> {
        let schema: SchemaRef = match &projection {
            Some(columns) => Arc::new(materialized.plan().schema().project(columns)?),
            None => materialized.plan().schema(),
        };
        let partitions = materialized.plan().output_partitioning().partition_count();
        let properties = PlanProperties::new(
            EquivalenceProperties::new(schema),
            Partitioning::UnknownPartitioning(partitions),
            EmissionType::Final,
            Boundedness::Bounded,
        );
        let statistics = StatisticsContext::new().compute(materialized.plan().as_ref(), &StatisticsArgs::new())?;
        let statistics = fewer(statistics.as_ref().clone()).project(projection.as_ref());
        Ok(RepeatedExec {
            materialized,
            projection,
            properties: Arc::new(properties),
            statistics: Arc::new(statistics),
        })
    }

    /// The plan of the rows. All readers of one subplan have the same.
    pub fn made_by(&self) -> &Arc<dyn ExecutionPlan> {
        self.materialized.plan()
    }
}

/// The estimate counts the rows that a part reads, since scans apply its filters and nothing is known of its groups. A join
/// must not take the part for the larger side because of that.
fn fewer(statistics: Statistics) -> Statistics {
    let fewer = |count: Precision<usize>| match count {
        Precision::Inexact(_) => count.with_estimated_selectivity(SELECTIVITY),
        known => known,
    };
    Statistics {
        num_rows: fewer(statistics.num_rows),
        total_byte_size: fewer(statistics.total_byte_size),
        ..statistics
    }
}

impl DisplayAs for RepeatedExec {
    fn fmt_as(&self, _format: DisplayFormatType, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("RepeatedExec")
    }
}

impl ExecutionPlan for RepeatedExec {
    fn name(&self) -> &str {
        "RepeatedExec"
    }

    fn properties(&self) -> &Arc<PlanProperties> {
        &self.properties
    }

    fn children(&self) -> Vec<&Arc<dyn ExecutionPlan>> {
        Vec::new()
    }

    fn apply_expressions(
        &self,
        _visit: &mut dyn FnMut(&Arc<dyn PhysicalExpr>) -> Result<TreeNodeRecursion>,
    ) -> Result<TreeNodeRecursion> {
        Ok(TreeNodeRecursion::Continue)
    }

    fn replace_children(
        self: Arc<Self>,
        children: Vec<Arc<dyn ExecutionPlan>>,
        _options: ReplaceChildrenOptions,
    ) -> Result<Arc<dyn ExecutionPlan>> {
        if children.is_empty() { Ok(self) } else { internal_err!("RepeatedExec has no inputs") }
    }

    fn with_new_children(self: Arc<Self>, children: Vec<Arc<dyn ExecutionPlan>>) -> Result<Arc<dyn ExecutionPlan>> {
        if children.is_empty() { Ok(self) } else { internal_err!("RepeatedExec has no inputs") }
    }

    fn execute(&self, partition: usize, tasks: Arc<TaskContext>) -> Result<SendableRecordBatchStream> {
        let projection = self.projection.clone();
        let rows = self.materialized.read(partition, tasks).and_then(move |batch| {
            let projected = match &projection {
                Some(columns) => batch.project(columns).map_err(Into::into),
                None => Ok(batch),
            };
            std::future::ready(projected)
        });
        Ok(Box::pin(RecordBatchStreamAdapter::new(self.schema(), rows)))
    }

    fn statistics_from_inputs(
        &self,
        _input_stats: &[Arc<Statistics>],
        args: &StatisticsArgs,
    ) -> Result<Arc<Statistics>> {
        match args.partition() {
            None => Ok(Arc::clone(&self.statistics)),
            Some(_) => Ok(Arc::new(Statistics::new_unknown(&self.schema()))),
        }
    }
}
