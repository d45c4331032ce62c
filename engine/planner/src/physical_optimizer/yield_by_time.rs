//! Makes joins and aggregates return to the scheduler: a join can work for minutes inside one poll, and a query that does not
//! return holds its threads and memory after it was killed.

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
use datafusion::physical_plan::aggregates::AggregateExec;
use datafusion::physical_plan::joins::utils::JoinFilter;
use datafusion::physical_plan::joins::{HashJoinExec, NestedLoopJoinExec, NestedLoopJoinExecBuilder};
use datafusion::physical_plan::statistics::{ChildStats, StatisticsArgs};
use datafusion::physical_plan::{
    ChildrenPropertiesMode, DisplayAs, DisplayFormatType, ExecutionPlan, PlanProperties, RecordBatchStream,
    ReplaceChildrenOptions, SendableRecordBatchStream,
};
use futures::{Stream, StreamExt, ready};

use super::stoppable_expr::Stoppable;

/// A poll that comes later than this after the last pause pauses.
const PAUSE_AFTER: Duration = Duration::from_millis(20);
/// Which input of a hash join is looked up in the table of the other.
const PROBE: usize = 1;
/// More grouping sets than this get their rows in slices.
const MANY_GROUPING_SETS: usize = 32;
/// Fewest rows of a slice: fewer would cost more than the work on them.
const FEWEST_ROWS: usize = 16;
/// Most rows of a slice: what comes may have far more partners than what came.
const MOST_ROWS: usize = 1024;

/// Puts a [`Yielding`] above every join and each of its inputs. DataFusion's own pauses count batches that leaves make; a
/// join makes millions of one leaf's batch, or looks at millions of pairs before it makes one. A hash join whose condition
/// lets hardly a pair through does that for each batch of its probe side in one poll, so it gets these in slices.
///
/// A nested loop join looks at each pair of its whole left side and one batch of its right side in one poll, so its condition
/// is checked for whether the query must end ([`Stoppable`]).
///
/// An aggregate with many grouping sets makes as many groups of each row, and reports its memory only when it is done with a
/// batch, so it gets slices too.
#[derive(Debug)]
pub struct YieldByTime;

impl PhysicalOptimizerRule for YieldByTime {
    fn name(&self) -> &str {
        "yield_by_time"
    }

    fn optimize(&self, plan: Arc<dyn ExecutionPlan>, _config: &ConfigOptions) -> Result<Arc<dyn ExecutionPlan>> {
        let wrapped = plan.transform_up(|plan| {
            let options = ReplaceChildrenOptions::new(ChildrenPropertiesMode::Recompute);
            if plan.downcast_ref::<AggregateExec>().is_some_and(has_many_grouping_sets) {
                let inputs =
                    plan.children().into_iter().map(|input| Yielding::above(Arc::clone(input), true)).collect();
                return Ok(Transformed::yes(plan.replace_children(inputs, options)?));
            }
            let plan = match plan.downcast_ref::<NestedLoopJoinExec>() {
                Some(join) => stoppable_join(join)?,
                None => plan,
            };
            if plan.children().len() < 2 {
                return Ok(Transformed::no(plan));
            }
            let rejects = plan.downcast_ref::<HashJoinExec>().is_some_and(|join| join.filter().is_some());
            let inputs = plan.children().into_iter().enumerate();
            let inputs = inputs.map(|(at, input)| Yielding::above(Arc::clone(input), rejects && at == PROBE)).collect();
            Ok(Transformed::yes(Yielding::above(plan.replace_children(inputs, options)?, false)))
        })?;
        Ok(wrapped.data)
    }

    fn schema_check(&self) -> bool {
        true
    }
}

/// The join with a condition that fails as soon as the query must end.
fn stoppable_join(join: &NestedLoopJoinExec) -> Result<Arc<dyn ExecutionPlan>> {
    let filter = join.filter().map(|filter| {
        let condition = Stoppable::around(Arc::clone(filter.expression()));
        JoinFilter::new(condition, filter.column_indices().to_vec(), Arc::clone(filter.schema()))
    });
    Ok(Arc::new(NestedLoopJoinExecBuilder::from(join).with_filter(filter).build()?))
}

/// Whether so many groups are made of each row that a whole batch is too much for one poll.
fn has_many_grouping_sets(aggregate: &AggregateExec) -> bool {
    aggregate.group_expr().groups().len() > MANY_GROUPING_SETS
}

/// Hands on the batches of its input, perhaps in slices, and pauses from time to time.
#[derive(Debug)]
struct Yielding {
    input: Arc<dyn ExecutionPlan>,
    sliced: bool,
}

impl Yielding {
    fn above(input: Arc<dyn ExecutionPlan>, sliced: bool) -> Arc<dyn ExecutionPlan> {
        // The output of a join that is the input of another pauses once.
        match input.downcast_ref::<Yielding>() {
            Some(below) => Arc::new(Yielding { input: Arc::clone(&below.input), sliced: sliced || below.sliced }),
            None => Arc::new(Yielding { input, sliced }),
        }
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
            (Some(input), true) => Ok(Yielding::above(input, self.sliced)),
            _ => internal_err!("Yielding has one input"),
        }
    }

    fn with_new_children(self: Arc<Self>, mut children: Vec<Arc<dyn ExecutionPlan>>) -> Result<Arc<dyn ExecutionPlan>> {
        match (children.pop(), children.is_empty()) {
            (Some(input), true) => Ok(Yielding::above(input, self.sliced)),
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
        let slices = self.sliced.then(Slices::default);
        Ok(Box::pin(YieldingStream { input, slices, paused: Instant::now() }))
    }
}

struct YieldingStream {
    input: SendableRecordBatchStream,
    slices: Option<Slices>,
    /// When it last paused.
    paused: Instant,
}

/// Cuts batches into slices that take about as long as a poll may.
struct Slices {
    /// What is left of the batch at hand.
    rest: Option<RecordBatch>,
    /// Rows of the next slice.
    rows: usize,
    /// When the last one was handed on.
    given: Instant,
}

impl Default for Slices {
    fn default() -> Slices {
        Slices { rest: None, rows: FEWEST_ROWS, given: Instant::now() }
    }
}

impl Slices {
    /// The next slice of the batch at hand, if there is one.
    fn next(&mut self) -> Option<RecordBatch> {
        let rest = self.rest.take()?;
        let took = self.given.elapsed();
        if took >= PAUSE_AFTER {
            self.rows = (self.rows / 2).max(FEWEST_ROWS);
        } else if took < PAUSE_AFTER / 8 {
            self.rows = (self.rows * 2).min(MOST_ROWS);
        }
        let slice = rest.slice(0, self.rows.min(rest.num_rows()));
        if slice.num_rows() < rest.num_rows() {
            self.rest = Some(rest.slice(slice.num_rows(), rest.num_rows() - slice.num_rows()));
        }
        self.given = Instant::now();
        Some(slice)
    }
}

impl Stream for YieldingStream {
    type Item = Result<RecordBatch>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        if self.paused.elapsed() >= PAUSE_AFTER {
            self.paused = Instant::now();
            context.waker().wake_by_ref();
            return Poll::Pending;
        }
        let YieldingStream { input, slices, .. } = &mut *self;
        let Some(slices) = slices else { return input.poll_next_unpin(context) };
        loop {
            if let Some(slice) = slices.next() {
                return Poll::Ready(Some(Ok(slice)));
            }
            match ready!(input.poll_next_unpin(context)) {
                Some(Ok(batch)) if batch.num_rows() > 0 => slices.rest = Some(batch),
                Some(Ok(_)) => {}
                other => return Poll::Ready(other),
            }
        }
    }
}

impl RecordBatchStream for YieldingStream {
    fn schema(&self) -> SchemaRef {
        self.input.schema()
    }
}

#[cfg(test)]
mod tests {
    use arrow::datatypes::Schema;
    use datafusion::common::JoinType;
    use datafusion::physical_expr::expressions::lit;
    use datafusion::physical_plan::displayable;
    use datafusion::physical_plan::empty::EmptyExec;

    use super::*;

    #[test]
    fn the_condition_of_a_nested_loop_join_can_be_stopped() {
        let schema = Arc::new(Schema::empty());
        let empty = || Arc::new(EmptyExec::new(Arc::clone(&schema)));
        let filter = JoinFilter::new(lit(true), Vec::new(), Arc::clone(&schema));
        let join = NestedLoopJoinExec::try_new(empty(), empty(), Some(filter), &JoinType::Inner, None).unwrap();
        let plan = YieldByTime.optimize(Arc::new(join), &ConfigOptions::default()).unwrap();
        let join = plan.children()[0].downcast_ref::<NestedLoopJoinExec>().expect("a join below the pause");
        assert!(join.filter().unwrap().expression().is::<Stoppable>());
    }

    #[test]
    fn the_output_of_a_join_pauses_once() {
        let empty = || -> Arc<dyn ExecutionPlan> { Arc::new(EmptyExec::new(Arc::new(Schema::empty()))) };
        let join = |left, right| -> Arc<dyn ExecutionPlan> {
            Arc::new(NestedLoopJoinExec::try_new(left, right, None, &JoinType::Inner, None).unwrap())
        };
        let plan = join(join(empty(), empty()), empty());
        let plan = YieldByTime.optimize(plan, &ConfigOptions::default()).unwrap();
        let text = displayable(plan.as_ref()).indent(false).to_string();
        let names: Vec<&str> = text.lines().map(|line| line.trim().split([':', ' ']).next().unwrap()).collect();
        let (pause, join, leaf) = ("Yielding", "NestedLoopJoinExec", "EmptyExec");
        assert_eq!(names, [pause, join, pause, join, pause, leaf, pause, leaf, pause, leaf]);
    }
}
