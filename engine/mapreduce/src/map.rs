//! The operator that calls the mapper for each row or batch of its input.

use std::fmt;
use std::rc::Rc;
use std::sync::Arc;

use arrow::array::{Array as _, ArrayRef, RecordBatch};
use arrow::compute::concat_batches;
use datafusion::common::tree_node::TreeNodeRecursion;
use datafusion::common::{Result as DfResult, internal_err};
use datafusion::execution::TaskContext;
use datafusion::execution::memory_pool::MemoryPool;
use datafusion::physical_expr::{EquivalenceProperties, Partitioning, PhysicalExpr};
use datafusion::physical_plan::execution_plan::{Boundedness, EmissionType};
use datafusion::physical_plan::{
    DisplayAs, DisplayFormatType, ExecutionPlan, ExecutionPlanProperties, PlanProperties, ReplaceChildrenOptions,
    SendableRecordBatchStream,
};
use futures::StreamExt;
use rquickjs::{Ctx, Function, Value};
use tokio::sync::mpsc::Receiver;

use super::code::{Code, Tally, given};
use super::codec::Codec;
use super::columns::Columns;
use super::lent::lend;
use super::pairs::{self, Emitter};
use super::part::Part;
use super::sandbox::{Sandbox, function};
use super::worker::{self, Output, reserve};
use quarry_types::cell::row_values;
use quarry_types::{Error, Result};

/// Longest description of a row in an error, in characters.
const SHOWN: usize = 600;

/// Rows that a mapper of batches gets at once: the more, the fewer pairs it makes of what it adds up.
const TOGETHER: usize = 1 << 16;
/// The part of a sandbox's memory that the rows of a batch may fill here; in JavaScript they are some times larger.
const SHARE: usize = 16;

/// Rows → pairs.
#[derive(Debug)]
pub(super) struct MapExec {
    input: Arc<dyn ExecutionPlan>,
    code: Arc<Code>,
    /// What the mapper is told the input is called.
    name: String,
    /// Whether it takes batches.
    batches: bool,
    properties: Arc<PlanProperties>,
}

impl MapExec {
    pub fn new(input: Arc<dyn ExecutionPlan>, code: &Arc<Code>, name: &str, batches: bool) -> MapExec {
        let properties = PlanProperties::new(
            EquivalenceProperties::new(pairs::schema()),
            Partitioning::UnknownPartitioning(input.output_partitioning().partition_count()),
            EmissionType::Incremental,
            Boundedness::Bounded,
        );
        let (code, name) = (Arc::clone(code), name.to_string());
        MapExec { input, code, name, batches, properties: Arc::new(properties) }
    }
}

impl DisplayAs for MapExec {
    fn fmt_as(&self, _format: DisplayFormatType, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "MapExec: {}", self.name)
    }
}

impl ExecutionPlan for MapExec {
    fn name(&self) -> &str {
        "MapExec"
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
            (Some(input), true) => Ok(Arc::new(MapExec::new(input, &self.code, &self.name, self.batches))),
            _ => internal_err!("MapExec has one input"),
        }
    }

    fn with_new_children(
        self: Arc<Self>,
        mut children: Vec<Arc<dyn ExecutionPlan>>,
    ) -> DfResult<Arc<dyn ExecutionPlan>> {
        match (children.pop(), children.is_empty()) {
            (Some(input), true) => Ok(Arc::new(MapExec::new(input, &self.code, &self.name, self.batches))),
            _ => internal_err!("MapExec has one input"),
        }
    }

    fn execute(&self, partition: usize, tasks: Arc<TaskContext>) -> DfResult<SendableRecordBatchStream> {
        let pool = Arc::clone(tasks.memory_pool());
        let mut input = self.input.execute(partition, tasks)?;
        let worker = Worker {
            code: Arc::clone(&self.code),
            name: self.name.clone(),
            batches: self.batches,
            seed: self.code.seed.wrapping_add(partition as u64),
            pool,
        };
        let (rows, bytes) = if self.batches { (TOGETHER, self.code.limits.memory / SHARE) } else { (1, 1) };
        let feed = move |to_code: tokio::sync::mpsc::Sender<RecordBatch>| async move {
            let mut waiting = Waiting::default();
            while let Some(batch) = input.next().await {
                waiting.push(batch?);
                if (waiting.rows >= rows || waiting.bytes >= bytes) && to_code.send(waiting.take()?).await.is_err() {
                    return Ok(());
                }
            }
            if waiting.rows > 0 {
                // Whoever does not listen any more needs nothing.
                let _ = to_code.send(waiting.take()?).await;
            }
            Ok(())
        };
        Ok(worker::start(pairs::schema(), feed, move |input, output| worker.run(input, output)))
    }
}

/// Batches of the plan that wait for being one batch of the mapper.
#[derive(Default)]
struct Waiting {
    batches: Vec<RecordBatch>,
    rows: usize,
    bytes: usize,
}

impl Waiting {
    fn push(&mut self, batch: RecordBatch) {
        let bytes = |column: &ArrayRef| column.to_data().get_slice_memory_size().unwrap_or_default();
        self.rows += batch.num_rows();
        self.bytes += batch.columns().iter().map(bytes).sum::<usize>();
        self.batches.push(batch);
    }

    fn take(&mut self) -> DfResult<RecordBatch> {
        let Waiting { mut batches, .. } = std::mem::take(self);
        match (batches.pop(), batches.is_empty()) {
            (Some(only), true) => Ok(only),
            (Some(last), false) => {
                batches.push(last);
                Ok(concat_batches(batches[0].schema_ref(), &batches)?)
            }
            (None, _) => internal_err!("there is no batch to hand on"),
        }
    }
}

struct Worker {
    code: Arc<Code>,
    name: String,
    batches: bool,
    seed: u64,
    pool: Arc<dyn MemoryPool>,
}

impl Worker {
    fn run(self, mut input: Receiver<RecordBatch>, output: Output) -> Result<()> {
        // Without a row there is nothing to run, and nothing to hold memory for.
        let Some(first) = input.blocking_recv() else { return Ok(()) };
        let _memory = reserve(&self.pool, self.code.limits.memory)?;
        let listening = output.clone();
        let sandbox = Sandbox::open(self.code.limits, self.seed, move || listening.is_closed())?;
        let emitter = Emitter::new(output, &sandbox.watch, &self.code);
        let tally = Rc::new(Tally::default());
        let mut next = Some(first);
        // The row or batch that is worked on, for an error to name.
        let mut at: Option<(RecordBatch, Option<usize>)> = None;
        let outcome = sandbox.enter(
            Part::Mapper,
            |ctx| given(ctx, &self.code, &tally),
            |ctx, _| {
                let mapper = function(ctx, &self.code.mapper, Part::Mapper)?;
                let emit = emitter.function(ctx)?;
                let codec = Codec::new(ctx);
                let name = codec.text(&self.name)?;
                while let Some(batch) = next.take() {
                    at = Some((batch.clone(), None));
                    let columns = Columns::new(&batch);
                    let columns = columns.map_err(|_| codec.refuse("the input has a type that can't be read"))?;
                    if self.batches {
                        let (given, lent) = lend(ctx, columns)?;
                        emitter.begin();
                        call(ctx, &mapper, (given, emit.clone(), name.clone()))?;
                        lent.take_back();
                    } else {
                        let names = columns.names(ctx)?;
                        for row in 0..columns.rows {
                            at = Some((batch.clone(), Some(row)));
                            emitter.begin();
                            call(ctx, &mapper, (columns.row(&codec, &names, row)?, emit.clone(), name.clone()))?;
                        }
                    }
                    next = input.blocking_recv();
                    emitter.begin();
                }
                Ok(())
            },
        );
        outcome.map_err(|error| with_row(sandbox.with_loop(error, &self.code.mapper), at.as_ref()))?;
        emitter.finish()?;
        tally.tell(&self.code);
        Ok(())
    }
}

/// Calls a function of the code, which must not be one that goes on later.
pub(super) fn call<'js>(
    ctx: &Ctx<'js>,
    function: &Function<'js>,
    given: impl rquickjs::function::IntoArgs<'js>,
) -> rquickjs::Result<()> {
    let answer: Value<'js> = function.call(given)?;
    if answer.is_promise() {
        return Err(Codec::new(ctx).refuse("a function of a job can't be async: nothing here is waited for"));
    }
    Ok(())
}

/// The error with the row that it came from.
fn with_row(mut error: Error, at: Option<&(RecordBatch, Option<usize>)>) -> Error {
    match at {
        Some((batch, Some(row))) if error.code != quarry_types::ErrorCode::Killed => {
            let names = batch.schema_ref().fields().iter().map(|field| field.name().clone());
            let row: serde_json::Map<String, serde_json::Value> = names.zip(row_values(batch, *row)).collect();
            let shown = serde_json::Value::Object(row).to_string();
            let cut: String = shown.chars().take(SHOWN).collect();
            let more = if cut.len() < shown.len() { "…" } else { "" };
            error.message = format!("{} The row was {cut}{more}", error.message);
        }
        Some((batch, None)) if error.code != quarry_types::ErrorCode::Syntax => {
            error.message = format!("{} It was called with a batch of {} rows.", error.message, batch.num_rows());
        }
        _ => {}
    }
    error
}
