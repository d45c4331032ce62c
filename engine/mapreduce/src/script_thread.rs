//! Runs scripts beside the plan: each sandbox has its own thread, since a call of a script may take long; batches go in and
//! out through short channels.

use std::sync::Arc;

use arrow::array::{Array as _, ArrayRef, RecordBatch};
use arrow::compute::concat_batches;
use arrow::datatypes::SchemaRef;
use datafusion::common::{DataFusionError, Result as DfResult};
use datafusion::execution::memory_pool::{MemoryConsumer, MemoryPool, MemoryReservation};
use datafusion::physical_plan::SendableRecordBatchStream;
use datafusion::physical_plan::stream::RecordBatchReceiverStream;
use futures::StreamExt;
use rquickjs::function::IntoArgs;
use rquickjs::{Ctx, Function, Value};
use tokio::sync::mpsc::{Receiver, Sender, channel};

use super::codec::Codec;
use super::sandbox::Sandbox;
use super::scripts::Scripts;
use quarry_types::{Error, ErrorCode, Result};

/// Batches that wait on each side of the script.
const CHANNEL_LENGTH: usize = 2;

/// The channel for the batches of a script; closed when the job was stopped.
pub(super) type Output = Sender<DfResult<RecordBatch>>;

/// How batches of the plan are joined before a script gets them: from as many rows or bytes on.
pub(super) struct Chunks {
    pub rows: usize,
    pub bytes: usize,
    pub join: fn(&[RecordBatch]) -> DfResult<RecordBatch>,
}

impl Chunks {
    pub const AS_THEY_COME: Chunks =
        Chunks { rows: 1, bytes: 1, join: |batches| Ok(concat_batches(batches[0].schema_ref(), batches)?) };
}

/// The batches that `work` makes, on a thread, of those of the plan.
pub(super) fn start(
    schema: SchemaRef,
    input: SendableRecordBatchStream,
    chunks: Chunks,
    work: impl FnOnce(Receiver<RecordBatch>, Output) -> Result<()> + Send + 'static,
) -> SendableRecordBatchStream {
    let mut builder = RecordBatchReceiverStream::builder(schema, CHANNEL_LENGTH);
    let (to_script, from_plan) = channel(CHANNEL_LENGTH);
    let output = builder.tx();
    builder.spawn(feed(input, to_script, chunks));
    builder.spawn_blocking(move || work(from_plan, output).map_err(|error| DataFusionError::External(Box::new(error))));
    builder.build()
}

async fn feed(mut input: SendableRecordBatchStream, to_script: Sender<RecordBatch>, chunks: Chunks) -> DfResult<()> {
    let column_bytes = |column: &ArrayRef| column.to_data().get_slice_memory_size().unwrap_or_default();
    let mut collected: Vec<RecordBatch> = Vec::new();
    let (mut rows, mut bytes) = (0, 0);
    while let Some(batch) = input.next().await {
        let batch = batch?;
        rows += batch.num_rows();
        bytes += batch.columns().iter().map(column_bytes).sum::<usize>();
        collected.push(batch);
        if rows >= chunks.rows || bytes >= chunks.bytes {
            (rows, bytes) = (0, 0);
            if to_script.send((chunks.join)(&std::mem::take(&mut collected))?).await.is_err() {
                return Ok(());
            }
        }
    }
    if rows > 0 {
        // A script that has stopped needs no more.
        let _ = to_script.send((chunks.join)(&collected)?).await;
    }
    Ok(())
}

/// What the thread of one partition works with.
pub(super) struct ScriptThread {
    pub scripts: Arc<Scripts>,
    pub seed: u64,
    pub pool: Arc<dyn MemoryPool>,
}

impl ScriptThread {
    /// A sandbox for the scripts, and its memory in the query's until it is dropped.
    pub fn sandbox(&self, output: &Output) -> Result<(Sandbox, MemoryReservation)> {
        let limits = self.scripts.limits;
        let reservation = MemoryConsumer::new("JavaScript").register(&self.pool);
        reservation.try_grow(limits.memory).map_err(|error| {
            let message = "There is not enough memory for the code of this job; use fewer partitions.";
            Error::new(ErrorCode::MemoryLimit, message).because(error)
        })?;
        let output = output.clone();
        Ok((Sandbox::open(limits, self.seed, move || output.is_closed())?, reservation))
    }
}

/// Calls a function of a script, which must not be async.
pub(super) fn call<'js>(
    ctx: &Ctx<'js>,
    function: &Function<'js>,
    arguments: impl IntoArgs<'js>,
) -> rquickjs::Result<()> {
    let answer: Value<'js> = function.call(arguments)?;
    if answer.is_promise() {
        return Err(Codec::new(ctx).refuse("a job function can't be async: promises are not awaited here"));
    }
    Ok(())
}
