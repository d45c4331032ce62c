//! Makes joins and aggregates return to the scheduler: a join can work for minutes inside one poll, and a query that does not
//! return holds its threads and memory after it was killed.

use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::{Duration, Instant};

use arrow::datatypes::SchemaRef;
use arrow::record_batch::RecordBatch;
use datafusion::common::Result;
use datafusion::common::tree_node::Transformed;
use datafusion::execution::TaskContext;
use datafusion::physical_plan::aggregates::AggregateExec;
use datafusion::physical_plan::execution_plan::replace_children_if_necessary;
use datafusion::physical_plan::joins::utils::JoinFilter;
use datafusion::physical_plan::joins::{HashJoinExec, NestedLoopJoinExec, NestedLoopJoinExecBuilder};
use datafusion::physical_plan::{ExecutionPlan, RecordBatchStream, SendableRecordBatchStream};
use futures::{Stream, StreamExt, ready};

use super::stoppable_expr::Stoppable;
use crate::pass_through::{PassThrough, PassThroughExec};

/// A poll that comes later than this after the last yield yields.
const YIELD_AFTER: Duration = Duration::from_millis(20);
/// The input of a hash join whose rows are looked up in the hash table of the other.
const PROBE_SIDE: usize = 1;
/// More grouping sets than this get their rows in slices.
const MANY_GROUPING_SETS: usize = 32;
/// Fewest rows of a slice: fewer would cost more than the work on them.
const MIN_ROWS: usize = 16;
/// Most rows of a slice: the next rows may have far more matches than the last ones.
const MAX_ROWS: usize = 1024;

/// Puts a [`Yield`] above every join and each of its inputs. DataFusion's cooperative scheduling counts batches of leaves; a
/// join makes millions of batches of one leaf's batch, or looks at millions of pairs before it makes one. A hash join whose
/// filter lets hardly a pair through does that for each batch of its probe side in one poll, so it gets these in slices.
///
/// A nested loop join looks at each pair of its whole left side and one batch of its right side in one poll, so its filter
/// checks whether the query must end ([`Stoppable`]).
///
/// An aggregate with many grouping sets makes as many groups of each row, and reports its memory only when it is done with a
/// batch, so it gets slices too.
pub(crate) fn yield_by_time(plan: Arc<dyn ExecutionPlan>) -> Result<Transformed<Arc<dyn ExecutionPlan>>> {
    if plan.downcast_ref::<AggregateExec>().is_some_and(has_many_grouping_sets) {
        let inputs = plan.children().into_iter().map(|input| yielding(Arc::clone(input), true)).collect();
        return replace_children_if_necessary(plan, inputs).map(Transformed::yes);
    }
    let plan = match plan.downcast_ref::<NestedLoopJoinExec>() {
        Some(join) => stoppable_join(join)?,
        None => plan,
    };
    if plan.children().len() < 2 {
        return Ok(Transformed::no(plan));
    }
    let has_filter = plan.downcast_ref::<HashJoinExec>().is_some_and(|join| join.filter().is_some());
    let inputs = plan.children().into_iter().enumerate();
    let inputs = inputs.map(|(side, input)| yielding(Arc::clone(input), has_filter && side == PROBE_SIDE)).collect();
    Ok(Transformed::yes(yielding(replace_children_if_necessary(plan, inputs)?, false)))
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

/// An input that yields. The output of a join that is the input of another yields once.
fn yielding(input: Arc<dyn ExecutionPlan>, sliced: bool) -> Arc<dyn ExecutionPlan> {
    match input.downcast_ref::<PassThroughExec<Yield>>() {
        Some(below) => {
            let sliced = sliced || below.behavior.sliced;
            PassThroughExec::above(Arc::clone(&below.input), Yield { sliced })
        }
        None => PassThroughExec::above(input, Yield { sliced }),
    }
}

/// Passes batches on, perhaps in slices, and yields from time to time.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Yield {
    pub sliced: bool,
}

impl PassThrough for Yield {
    const NAME: &'static str = "YieldExec";

    fn renew(&self) -> Yield {
        *self
    }

    fn execute(
        &self,
        input: &Arc<dyn ExecutionPlan>,
        partition: usize,
        tasks: Arc<TaskContext>,
    ) -> Result<SendableRecordBatchStream> {
        let slices = self.sliced.then(Slices::default);
        Ok(Box::pin(YieldStream { input: input.execute(partition, tasks)?, slices, last_yield: Instant::now() }))
    }
}

struct YieldStream {
    input: SendableRecordBatchStream,
    slices: Option<Slices>,
    last_yield: Instant,
}

/// Cuts batches into slices that take about as long as a poll may.
struct Slices {
    /// The rest of the current batch.
    rest: Option<RecordBatch>,
    /// Rows of the next slice.
    rows: usize,
    /// When the last slice was returned.
    last_slice: Instant,
}

impl Default for Slices {
    fn default() -> Slices {
        Slices { rest: None, rows: MIN_ROWS, last_slice: Instant::now() }
    }
}

impl Slices {
    /// The next slice of the current batch, if there is one.
    fn next(&mut self) -> Option<RecordBatch> {
        let rest = self.rest.take()?;
        let elapsed = self.last_slice.elapsed();
        if elapsed >= YIELD_AFTER {
            self.rows = (self.rows / 2).max(MIN_ROWS);
        } else if elapsed < YIELD_AFTER / 8 {
            self.rows = (self.rows * 2).min(MAX_ROWS);
        }
        let slice = rest.slice(0, self.rows.min(rest.num_rows()));
        if slice.num_rows() < rest.num_rows() {
            self.rest = Some(rest.slice(slice.num_rows(), rest.num_rows() - slice.num_rows()));
        }
        self.last_slice = Instant::now();
        Some(slice)
    }
}

impl Stream for YieldStream {
    type Item = Result<RecordBatch>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        if self.last_yield.elapsed() >= YIELD_AFTER {
            self.last_yield = Instant::now();
            context.waker().wake_by_ref();
            return Poll::Pending;
        }
        let YieldStream { input, slices, .. } = &mut *self;
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

impl RecordBatchStream for YieldStream {
    fn schema(&self) -> SchemaRef {
        self.input.schema()
    }
}

#[cfg(test)]
mod tests {
    use arrow::datatypes::Schema;
    use datafusion::common::JoinType;
    use datafusion::common::config::ConfigOptions;
    use datafusion::physical_expr::expressions::lit;
    use datafusion::physical_optimizer::PhysicalOptimizerRule;
    use datafusion::physical_plan::displayable;
    use datafusion::physical_plan::empty::EmptyExec;

    use super::*;
    use crate::node_rules::RewriteOperators;

    fn rule() -> RewriteOperators {
        RewriteOperators { name: "yield_by_time", rewrites: vec![yield_by_time] }
    }

    #[test]
    fn the_condition_of_a_nested_loop_join_can_be_stopped() {
        let schema = Arc::new(Schema::empty());
        let empty = || Arc::new(EmptyExec::new(Arc::clone(&schema)));
        let filter = JoinFilter::new(lit(true), Vec::new(), Arc::clone(&schema));
        let join = NestedLoopJoinExec::try_new(empty(), empty(), Some(filter), &JoinType::Inner, None).unwrap();
        let plan = rule().optimize(Arc::new(join), &ConfigOptions::default()).unwrap();
        let join = plan.children()[0].downcast_ref::<NestedLoopJoinExec>().expect("a join below the yield");
        assert!(join.filter().unwrap().expression().is::<Stoppable>());
    }

    #[test]
    fn the_output_of_a_join_yields_once() {
        let empty = || -> Arc<dyn ExecutionPlan> { Arc::new(EmptyExec::new(Arc::new(Schema::empty()))) };
        let join = |left, right| -> Arc<dyn ExecutionPlan> {
            Arc::new(NestedLoopJoinExec::try_new(left, right, None, &JoinType::Inner, None).unwrap())
        };
        let plan = join(join(empty(), empty()), empty());
        let plan = rule().optimize(plan, &ConfigOptions::default()).unwrap();
        let text = displayable(plan.as_ref()).indent(false).to_string();
        let names: Vec<&str> = text.lines().map(|line| line.trim().split([':', ' ']).next().unwrap()).collect();
        let (yields, join, leaf) = ("YieldExec", "NestedLoopJoinExec", "EmptyExec");
        assert_eq!(names, [yields, join, yields, join, yields, leaf, yields, leaf, yields, leaf]);
    }
}
