//! The operators that call the combiner and the reducer, once for each key.

use std::cell::RefCell;
use std::fmt;
use std::rc::Rc;
use std::sync::Arc;

use arrow::array::RecordBatch;
use arrow::compute::{SortColumn, concat_batches, lexsort_to_indices, take_record_batch};
use arrow::datatypes::SchemaRef;
use datafusion::common::tree_node::TreeNodeRecursion;
use datafusion::common::{Result as DfResult, internal_err};
use datafusion::execution::TaskContext;
use datafusion::execution::memory_pool::MemoryPool;
use datafusion::physical_expr::{EquivalenceProperties, Partitioning, PhysicalExpr};
use datafusion::physical_plan::execution_plan::{Boundedness, EmissionType};
use datafusion::physical_plan::metrics::{Count, Metric, MetricValue, MetricsSet};
use datafusion::physical_plan::{
    DisplayAs, DisplayFormatType, ExecutionPlan, ExecutionPlanProperties, PlanProperties, ReplaceChildrenOptions,
    SendableRecordBatchStream,
};
use futures::StreamExt;
use tokio::sync::mpsc::{Receiver, Sender};

use super::code::{Code, Tally, given};
use super::codec::Codec;
use super::groups::{Groups, puller};
use super::map::call;
use super::pairs::{self, Emitter, KEY, ORDER};
use super::part::Part;
use super::rows::RowEmitter;
use super::sandbox::{Sandbox, function};
use super::worker::{self, Output, reserve};
use quarry_sql::running::progress::{GIVEN, REDUCE, TAKEN};
use quarry_types::{Error, ErrorCode, Result};

/// Pairs that a combiner sees together, and their bytes: more means fewer pairs on the way, and more memory.
const TOGETHER: usize = 1 << 17;
const TOGETHER_BYTES: usize = 16 << 20;

/// What is called with a key and its values.
#[derive(Debug, Clone)]
pub(super) enum Role {
    /// The combiner, on some of the pairs at a time: pairs again.
    Combine,
    /// The reducer, on all sorted pairs: rows of this schema.
    Reduce(SchemaRef),
}

/// Pairs → pairs, or pairs → rows.
#[derive(Debug)]
pub(super) struct ReduceExec {
    input: Arc<dyn ExecutionPlan>,
    code: Arc<Code>,
    role: Role,
    properties: Arc<PlanProperties>,
}

impl ReduceExec {
    pub fn new(input: Arc<dyn ExecutionPlan>, code: &Arc<Code>, role: Role) -> ReduceExec {
        let schema = match &role {
            Role::Combine => pairs::schema(),
            Role::Reduce(schema) => Arc::clone(schema),
        };
        let properties = PlanProperties::new(
            EquivalenceProperties::new(schema),
            Partitioning::UnknownPartitioning(input.output_partitioning().partition_count()),
            EmissionType::Incremental,
            Boundedness::Bounded,
        );
        ReduceExec { input, code: Arc::clone(code), role, properties: Arc::new(properties) }
    }
}

impl DisplayAs for ReduceExec {
    fn fmt_as(&self, _format: DisplayFormatType, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl ExecutionPlan for ReduceExec {
    fn name(&self) -> &str {
        match self.role {
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
        mut children: Vec<Arc<dyn ExecutionPlan>>,
        _options: ReplaceChildrenOptions,
    ) -> DfResult<Arc<dyn ExecutionPlan>> {
        match (children.pop(), children.is_empty()) {
            (Some(input), true) => Ok(Arc::new(ReduceExec::new(input, &self.code, self.role.clone()))),
            _ => internal_err!("ReduceExec has one input"),
        }
    }

    fn with_new_children(
        self: Arc<Self>,
        mut children: Vec<Arc<dyn ExecutionPlan>>,
    ) -> DfResult<Arc<dyn ExecutionPlan>> {
        match (children.pop(), children.is_empty()) {
            (Some(input), true) => Ok(Arc::new(ReduceExec::new(input, &self.code, self.role.clone()))),
            _ => internal_err!("ReduceExec has one input"),
        }
    }

    /// How many pairs were emitted and taken so far, for the progress.
    fn metrics(&self) -> Option<MetricsSet> {
        let (given, taken) = self.code.shuffle.seen();
        let mut metrics = MetricsSet::new();
        for (name, pairs) in [(GIVEN, given), (TAKEN, taken)] {
            let count = Count::new();
            count.add(pairs as usize);
            metrics.push(Arc::new(Metric::new(MetricValue::Count { name: name.into(), count }, None)));
        }
        Some(metrics)
    }

    fn execute(&self, partition: usize, tasks: Arc<TaskContext>) -> DfResult<SendableRecordBatchStream> {
        let pool = Arc::clone(tasks.memory_pool());
        let input = self.input.execute(partition, tasks)?;
        let seed = self.code.seed.wrapping_add(partition as u64);
        let worker = Worker { code: Arc::clone(&self.code), role: self.role.clone(), seed, pool };
        let chunks = matches!(self.role, Role::Combine);
        let feed = move |to_code| feed(input, to_code, chunks);
        Ok(worker::start(self.schema(), feed, move |input, output| worker.run(input, output)))
    }
}

/// Hands on the batches of the plan; for a combiner as sorted chunks.
async fn feed(mut input: SendableRecordBatchStream, to_code: Sender<RecordBatch>, chunks: bool) -> DfResult<()> {
    let mut waiting: Vec<RecordBatch> = Vec::new();
    let (mut rows, mut bytes) = (0, 0);
    while let Some(batch) = input.next().await {
        let batch = batch?;
        (rows, bytes) = (rows + batch.num_rows(), bytes + batch.get_array_memory_size());
        waiting.push(batch);
        if chunks && rows < TOGETHER && bytes < TOGETHER_BYTES {
            continue;
        }
        (rows, bytes) = (0, 0);
        if to_code.send(together(std::mem::take(&mut waiting), chunks)?).await.is_err() {
            return Ok(());
        }
    }
    if !waiting.is_empty() {
        // Whoever does not listen any more needs nothing.
        let _ = to_code.send(together(waiting, chunks)?).await;
    }
    Ok(())
}

fn together(batches: Vec<RecordBatch>, sort: bool) -> DfResult<RecordBatch> {
    let all = concat_batches(&pairs::schema(), &batches)?;
    if !sort {
        return Ok(all);
    }
    let columns = [KEY, ORDER].map(|at| SortColumn { values: Arc::clone(all.column(at)), options: None });
    Ok(take_record_batch(&all, &lexsort_to_indices(&columns, None)?)?)
}

struct Worker {
    code: Arc<Code>,
    role: Role,
    seed: u64,
    pool: Arc<dyn MemoryPool>,
}

impl Worker {
    fn run(self, input: Receiver<RecordBatch>, output: Output) -> Result<()> {
        let mut groups = Groups::new(input, &self.code);
        // The first pair comes when all of them are sorted: until then there is nothing to hold memory for.
        if !groups.wait()? {
            return Ok(());
        }
        let _memory = reserve(&self.pool, self.code.limits.memory)?;
        let listening = output.clone();
        let sandbox = Sandbox::open(self.code.limits, self.seed, move || listening.is_closed())?;
        let tally = Rc::new(Tally::default());
        match &self.role {
            Role::Combine => {
                let emitter = Emitter::new(output, &sandbox.watch, &self.code);
                self.each(&sandbox, &tally, groups, Part::Combiner, |ctx| emitter.function(ctx), || emitter.begin())?;
                emitter.finish()?;
            }
            Role::Reduce(schema) => {
                let emitter = RowEmitter::new(schema, output, &sandbox.watch);
                let watch = Rc::clone(&sandbox.watch);
                self.each(&sandbox, &tally, groups, Part::Reducer, |ctx| emitter.function(ctx), || watch.step())?;
                emitter.finish()?;
            }
        }
        tally.tell(&self.code);
        Ok(())
    }

    /// Calls the function of `part` for each key.
    fn each(
        &self,
        sandbox: &Sandbox,
        tally: &Rc<Tally>,
        groups: Groups,
        part: Part,
        emit: impl for<'js> Fn(&rquickjs::Ctx<'js>) -> rquickjs::Result<rquickjs::Function<'js>>,
        begin: impl Fn(),
    ) -> Result<()> {
        let groups = Rc::new(RefCell::new(groups));
        let shown = RefCell::new(None);
        let outcome = sandbox.enter(
            part,
            |ctx| given(ctx, &self.code, tally),
            |ctx, values| {
                let reducer = function(ctx, self.code.text(part), part)?;
                let (codec, emit) = (Codec::new(ctx), emit(ctx)?);
                let pull = puller(ctx, &groups, &sandbox.watch)?;
                loop {
                    let next = groups.borrow_mut().next_key();
                    let next = next.map_err(|error| {
                        sandbox.watch.fail(error);
                        codec.refuse("stopped")
                    })?;
                    let Some((key, group)) = next else { return Ok(()) };
                    begin();
                    let key_value = codec.decode(&key)?;
                    shown.replace(Some(key));
                    let values: rquickjs::Value = values.call((pull.clone(), group))?;
                    call(ctx, &reducer, (key_value, values, emit.clone()))?;
                }
            },
        );
        let text = self.code.text(part);
        outcome.map_err(|error| with_key(sandbox.with_loop(error, text), shown.take()))
    }
}

/// The error with the key that it came from.
fn with_key(mut error: Error, key: Option<Vec<u8>>) -> Error {
    if let Some(key) = key.filter(|_| error.code != ErrorCode::Killed) {
        error.message = format!("{} The key was {}.", error.message, super::codec::show(&key));
    }
    error
}
