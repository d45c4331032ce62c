//! The rows of a repeated part: made once, kept for all who read them.

use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

use arrow::record_batch::RecordBatch;
use datafusion::common::runtime::SpawnedTask;
use datafusion::common::{DataFusionError, Result};
use datafusion::execution::SpillFile;
use datafusion::execution::TaskContext;
use datafusion::execution::memory_pool::{MemoryConsumer, MemoryLimit, MemoryReservation};
use datafusion::physical_plan::metrics::{ExecutionPlanMetricsSet, SpillMetrics};
use datafusion::physical_plan::{ExecutionPlan, ExecutionPlanProperties, SendableRecordBatchStream, SpillManager};
use futures::future::{BoxFuture, Shared, try_join_all};
use futures::{FutureExt, StreamExt, TryFutureExt, TryStreamExt, stream};

/// What is said of its memory and files.
const NAME: &str = "repeated part";
/// The share of a query's memory that one repeated part may hold: operators that can't go to disk need the rest.
const SHARE: usize = 4;

type Made = Shared<BoxFuture<'static, Result<Arc<Vec<Partition>>, Arc<DataFusionError>>>>;

/// A plan that runs at most once.
pub struct Kept {
    plan: Arc<dyn ExecutionPlan>,
    /// Its run, from the first reader on. Dropping the last holder of it ends the run.
    made: Mutex<Option<Made>>,
}

/// The rows of one partition.
enum Partition {
    Memory { batches: Vec<RecordBatch>, _held: MemoryReservation },
    Disk { file: Option<Arc<dyn SpillFile>>, spill: SpillManager },
}

impl fmt::Debug for Kept {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Kept").field("plan", &self.plan).finish_non_exhaustive()
    }
}

impl Kept {
    pub fn new(plan: Arc<dyn ExecutionPlan>) -> Kept {
        Kept { plan, made: Mutex::new(None) }
    }

    pub fn plan(&self) -> &Arc<dyn ExecutionPlan> {
        &self.plan
    }

    /// The rows of a partition, after all partitions are made: readers may take them in any order and at any pace.
    pub fn read(
        self: &Arc<Self>,
        partition: usize,
        tasks: Arc<TaskContext>,
    ) -> stream::BoxStream<'static, Result<RecordBatch>> {
        let kept = Arc::clone(self);
        let rows = async move {
            let partitions = kept.make(&tasks).await.map_err(DataFusionError::Shared)?;
            rows(&partitions, partition)
        };
        rows.try_flatten_stream().boxed()
    }

    /// Starts the run, or joins it.
    fn make(&self, tasks: &Arc<TaskContext>) -> Made {
        let mut made = self.made.lock().unwrap_or_else(PoisonError::into_inner);
        made.get_or_insert_with(|| {
            let (plan, tasks) = (Arc::clone(&self.plan), Arc::clone(tasks));
            async move { run(plan, tasks).await.map_err(Arc::new) }.boxed().shared()
        })
        .clone()
    }
}

async fn run(plan: Arc<dyn ExecutionPlan>, tasks: Arc<TaskContext>) -> Result<Arc<Vec<Partition>>> {
    let metrics = ExecutionPlanMetricsSet::new();
    let count = plan.output_partitioning().partition_count();
    let most = match tasks.memory_pool().memory_limit() {
        MemoryLimit::Finite(limit) => limit / SHARE / count.max(1),
        MemoryLimit::Infinite | MemoryLimit::Unknown => usize::MAX,
    };
    let partitions = (0..count).map(|partition| {
        let spill = SpillMetrics::new(&metrics, partition);
        let spill = SpillManager::new(tasks.runtime_env(), spill, plan.schema());
        let held = MemoryConsumer::new(NAME).with_can_spill(true).register(tasks.memory_pool());
        let rows = plan.execute(partition, Arc::clone(&tasks));
        let keeping = SpawnedTask::spawn(async move { keep(rows?, held, most, spill).await });
        async move { keeping.join_unwind().await.map_err(|error| DataFusionError::ExecutionJoin(Box::new(error)))? }
    });
    Ok(Arc::new(try_join_all(partitions).await?))
}

/// Keeps the rows in memory, up to `most` bytes and as long as the query has some, then on disk.
async fn keep(
    mut rows: SendableRecordBatchStream,
    held: MemoryReservation,
    most: usize,
    spill: SpillManager,
) -> Result<Partition> {
    let mut batches = Vec::new();
    while let Some(batch) = rows.try_next().await? {
        let bytes = size(&batch)?;
        let fits = held.size() + bytes <= most && held.try_grow(bytes).is_ok();
        batches.push(batch);
        if !fits {
            let mut file = spill.create_in_progress_file(NAME)?;
            for batch in batches.drain(..) {
                file.append_batch(&batch)?;
            }
            held.free();
            while let Some(batch) = rows.try_next().await? {
                file.append_batch(&batch)?;
            }
            return Ok(Partition::Disk { file: file.finish()?, spill });
        }
    }
    Ok(Partition::Memory { batches, _held: held })
}

/// Bytes of the rows of a batch, which may be a slice of a larger one.
fn size(batch: &RecordBatch) -> Result<usize> {
    let mut bytes = 0;
    for column in batch.columns() {
        bytes += column.to_data().get_slice_memory_size()?;
    }
    Ok(bytes)
}

fn rows(partitions: &[Partition], partition: usize) -> Result<stream::BoxStream<'static, Result<RecordBatch>>> {
    Ok(match &partitions[partition] {
        Partition::Memory { batches, .. } => stream::iter(batches.clone().into_iter().map(Ok)).boxed(),
        Partition::Disk { file: Some(file), spill } => spill.read_spill_as_stream(Arc::clone(file), None)?.boxed(),
        Partition::Disk { file: None, .. } => stream::empty().boxed(),
    })
}
