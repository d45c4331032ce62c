//! Makes joins stop for others: a join can work for minutes inside one poll, and a query that never returns to its
//! scheduler can be neither killed nor stopped by its time limit.

use std::fmt;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::{Duration, Instant};

use arrow::datatypes::SchemaRef;
use arrow::record_batch::RecordBatch;
use datafusion::common::config::ConfigOptions;
use datafusion::common::stats::Statistics;
use datafusion::common::tree_node::{Transformed, TreeNode, TreeNodeRecursion};
use datafusion::common::{Result, internal_err};
use datafusion::execution::TaskContext;
use datafusion::physical_expr::PhysicalExpr;
use datafusion::physical_optimizer::PhysicalOptimizerRule;
use datafusion::physical_plan::statistics::{ChildStats, StatisticsArgs};
use datafusion::physical_plan::{
    ChildrenPropertiesMode, DisplayAs, DisplayFormatType, ExecutionPlan, PlanProperties, RecordBatchStream,
    ReplaceChildrenOptions, SendableRecordBatchStream,
};
use futures::{Stream, StreamExt};

/// A poll that comes later than this after the last pause pauses.
const PAUSE_AFTER: Duration = Duration::from_millis(20);

/// Puts a [`Yielding`] above every join and each of its inputs. DataFusion's own pauses count batches that leaves make; a
/// join makes millions of one leaf's batch, or looks at millions of pairs before it makes one.
#[derive(Debug)]
pub(crate) struct YieldInJoins;

impl PhysicalOptimizerRule for YieldInJoins {
    fn name(&self) -> &str {
        "yield_in_joins"
    }

    fn optimize(&self, plan: Arc<dyn ExecutionPlan>, _config: &ConfigOptions) -> Result<Arc<dyn ExecutionPlan>> {
        let wrapped = plan.transform_up(|plan| {
            if plan.children().len() < 2 {
                return Ok(Transformed::no(plan));
            }
            let inputs = plan.children().into_iter().map(|input| Yielding::above(Arc::clone(input))).collect();
            let options = ReplaceChildrenOptions::new(ChildrenPropertiesMode::Recompute);
            Ok(Transformed::yes(Yielding::above(plan.replace_children(inputs, options)?)))
        })?;
        Ok(wrapped.data)
    }

    fn schema_check(&self) -> bool {
        true
    }
}

/// Hands on the batches of its input and pauses from time to time.
#[derive(Debug)]
struct Yielding {
    input: Arc<dyn ExecutionPlan>,
}

impl Yielding {
    fn above(input: Arc<dyn ExecutionPlan>) -> Arc<dyn ExecutionPlan> {
        Arc::new(Yielding { input })
    }
}

impl DisplayAs for Yielding {
    fn fmt_as(&self, _format: DisplayFormatType, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Yielding")
    }
}

impl ExecutionPlan for Yielding {
    fn name(&self) -> &str {
        "Yielding"
    }

    fn properties(&self) -> &Arc<PlanProperties> {
        self.input.properties()
    }

    fn maintains_input_order(&self) -> Vec<bool> {
        vec![true]
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
            (Some(input), true) => Ok(Yielding::above(input)),
            _ => internal_err!("Yielding has one input"),
        }
    }

    fn with_new_children(self: Arc<Self>, mut children: Vec<Arc<dyn ExecutionPlan>>) -> Result<Arc<dyn ExecutionPlan>> {
        match (children.pop(), children.is_empty()) {
            (Some(input), true) => Ok(Yielding::above(input)),
            _ => internal_err!("Yielding has one input"),
        }
    }

    fn child_stats_requests(&self, partition: Option<usize>) -> Vec<ChildStats> {
        vec![ChildStats::At(partition)]
    }

    fn statistics_from_inputs(&self, inputs: &[Arc<Statistics>], _args: &StatisticsArgs) -> Result<Arc<Statistics>> {
        Ok(Arc::clone(&inputs[0]))
    }

    fn execute(&self, partition: usize, tasks: Arc<TaskContext>) -> Result<SendableRecordBatchStream> {
        let input = self.input.execute(partition, tasks)?;
        Ok(Box::pin(YieldingStream { input, paused: Instant::now() }))
    }
}

struct YieldingStream {
    input: SendableRecordBatchStream,
    /// When it last paused.
    paused: Instant,
}

impl Stream for YieldingStream {
    type Item = Result<RecordBatch>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        if self.paused.elapsed() >= PAUSE_AFTER {
            self.paused = Instant::now();
            context.waker().wake_by_ref();
            return Poll::Pending;
        }
        self.input.poll_next_unpin(context)
    }
}

impl RecordBatchStream for YieldingStream {
    fn schema(&self) -> SchemaRef {
        self.input.schema()
    }
}
