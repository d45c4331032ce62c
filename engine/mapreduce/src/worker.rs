//! Runs code beside the plan: a sandbox works on a thread of its own, since its calls last as long as they like; batches go
//! in and out through short channels.

use std::sync::Arc;

use arrow::array::RecordBatch;
use arrow::datatypes::SchemaRef;
use datafusion::common::{DataFusionError, Result as DfResult};
use datafusion::execution::memory_pool::{MemoryConsumer, MemoryPool, MemoryReservation};
use datafusion::physical_plan::SendableRecordBatchStream;
use datafusion::physical_plan::stream::RecordBatchReceiverStream;
use tokio::sync::mpsc::{Receiver, Sender, channel};

use quarry_types::{Error, Result};

/// Batches that wait on each side of the code.
const WAITING: usize = 2;

/// Where a worker's batches go; closed when nobody waits for them.
pub(super) type Output = Sender<DfResult<RecordBatch>>;

/// A stream of what `work` makes of what `feed` sends it.
pub(super) fn start<F>(
    schema: SchemaRef,
    feed: impl FnOnce(Sender<RecordBatch>) -> F,
    work: impl FnOnce(Receiver<RecordBatch>, Output) -> Result<()> + Send + 'static,
) -> SendableRecordBatchStream
where
    F: Future<Output = DfResult<()>> + Send + 'static,
{
    let mut builder = RecordBatchReceiverStream::builder(schema, WAITING);
    let (to_code, from_plan) = channel(WAITING);
    let output = builder.tx();
    builder.spawn(feed(to_code));
    builder.spawn_blocking(move || work(from_plan, output).map_err(|error| DataFusionError::External(Box::new(error))));
    builder.build()
}

/// Counts the memory of a sandbox as the query's, until it is dropped.
pub(super) fn reserve(pool: &Arc<dyn MemoryPool>, bytes: usize) -> Result<MemoryReservation> {
    let reservation = MemoryConsumer::new("JavaScript").register(pool);
    reservation.try_grow(bytes).map_err(|error| {
        let message = "There is not enough memory for the code of this job; use fewer partitions.";
        Error::new(quarry_types::ErrorCode::MemoryLimit, message).because(error)
    })?;
    Ok(reservation)
}
