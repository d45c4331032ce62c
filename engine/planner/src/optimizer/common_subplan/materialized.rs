//! The rows of a common subplan: computed once, kept for all readers.

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

/// Name of its memory and files.
const NAME: &str = "repeated part";
/// One common subplan may hold this fraction of a query's memory: operators that can't spill need the rest.
const MEMORY_FRACTION: usize = 4;

type Run = Shared<BoxFuture<'static, Result<Arc<Vec<Partition>>, Arc<DataFusionError>>>>;

/// A plan that runs at most once.
pub struct Materialized {
    plan: Arc<dyn ExecutionPlan>,
    /// Its run, from the first reader on. Dropping the last holder of it ends the run.
    run: Mutex<Option<Run>>,
}

/// The rows of one partition.
enum Partition {
    Memory { batches: Vec<RecordBatch>, _held: MemoryReservation },
    Disk { file: Option<Arc<dyn SpillFile>>, spill: SpillManager },
}

impl fmt::Debug for Materialized {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Materialized").field("plan", &self.plan).finish_non_exhaustive()
    }
}

impl Materialized {
    pub fn new(plan: Arc<dyn ExecutionPlan>) -> Materialized {
        Materialized { plan, run: Mutex::new(None) }
    }

    pub fn plan(&self) -> &Arc<dyn ExecutionPlan> {
        &self.plan
    }

    /// The rows of a partition, once all partitions are computed: readers may read them in any order and at any pace.
    pub fn read(
        self: &Arc<Self>,
        partition: usize,
        tasks: Arc<TaskContext>,
    ) -> stream::BoxStream<'static, Result<RecordBatch>> {
        let materialized = Arc::clone(self);
        let rows = async move {
            let partitions = materialized.start(&tasks).await.map_err(DataFusionError::Shared)?;
            rows(&partitions, partition)
        };
        rows.try_flatten_stream().boxed()
    }

    /// Starts the run, or joins it.
    fn start(&self, tasks: &Arc<TaskContext>) -> Run {
        let mut shared = self.run.lock().unwrap_or_else(PoisonError::into_inner);
        shared
            .get_or_insert_with(|| {
                let (plan, tasks) = (Arc::clone(&self.plan), Arc::clone(tasks));
                async move { run(plan, tasks).await.map_err(Arc::new) }.boxed().shared()
            })
            .clone()
    }
}

async fn run(plan: Arc<dyn ExecutionPlan>, tasks: Arc<TaskContext>) -> Result<Arc<Vec<Partition>>> {
    let metrics = ExecutionPlanMetricsSet::new();
    let count = plan.output_partitioning().partition_count();
    let max_bytes = match tasks.memory_pool().memory_limit() {
        MemoryLimit::Finite(limit) => limit / MEMORY_FRACTION / count.max(1),
        MemoryLimit::Infinite | MemoryLimit::Unknown => usize::MAX,
    };
    let partitions = (0..count).map(|partition| {
        let spill = SpillMetrics::new(&metrics, partition);
        let spill = SpillManager::new(tasks.runtime_env(), spill, plan.schema());
        let held = MemoryConsumer::new(NAME).with_can_spill(true).register(tasks.memory_pool());
        let rows = plan.execute(partition, Arc::clone(&tasks));
        let task = SpawnedTask::spawn(async move { keep(rows?, held, max_bytes, spill).await });
        async move { task.join_unwind().await.map_err(|error| DataFusionError::ExecutionJoin(Box::new(error)))? }
    });
    Ok(Arc::new(try_join_all(partitions).await?))
}

/// Keeps the rows in memory, up to `max_bytes` and as long as the query has some, then on disk.
async fn keep(
    mut rows: SendableRecordBatchStream,
    held: MemoryReservation,
    max_bytes: usize,
    spill: SpillManager,
) -> Result<Partition> {
    let mut batches = Vec::new();
    while let Some(batch) = rows.try_next().await? {
        let bytes = size(&batch)?;
        let fits = held.size() + bytes <= max_bytes && held.try_grow(bytes).is_ok();
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
