//! Runs a physical plan into the result store, and reports its progress about ten times a second.

use std::sync::Arc;
use std::time::{Duration, Instant};

use arrow::record_batch::RecordBatch;
use datafusion::common::DataFusionError;
use datafusion::execution::TaskContext;
use datafusion::physical_plan::{ExecutionPlan, execute_stream};
use futures::StreamExt;

use super::distribution::distributed;
use super::progress::PlanWatch;
use quarry_runtime::job::JobContext;
use quarry_runtime::results::{ResultLimits, ResultStore};
use quarry_types::Result;

/// Time between two reports of progress.
const TICK: Duration = Duration::from_millis(100);

/// What a plan needs to run.
pub struct Execution<'a> {
    pub plan: Arc<dyn ExecutionPlan>,
    pub tasks: Arc<TaskContext>,
    pub results: &'a ResultStore,
    pub limits: ResultLimits,
    /// Turns an error of the plan into one for the user.
    pub explain: &'a (dyn Fn(&DataFusionError) -> quarry_types::Error + Sync),
}

/// Runs the plan and stores its rows under the job's id. Returns the number of rows.
pub async fn execute(id: &str, execution: Execution<'_>, context: &JobContext) -> Result<u64> {
    let Execution { plan, tasks, results, limits, explain } = execution;
    let mut writer = results.writer(id, &plan.schema(), limits)?;
    for_each_batch(plan, tasks, explain, context, |batch| {
        writer.write(batch)?;
        Ok(writer.rows())
    })
    .await?;
    writer.finish()
}

/// Runs the plan and passes each batch to `take`, which returns the number of rows that it has taken so far.
pub async fn for_each_batch(
    plan: Arc<dyn ExecutionPlan>,
    tasks: Arc<TaskContext>,
    explain: &(dyn Fn(&DataFusionError) -> quarry_types::Error + Sync),
    context: &JobContext,
    mut take: impl FnMut(RecordBatch) -> Result<u64>,
) -> Result<u64> {
    let started = Instant::now();
    let (plan, tasks) = distributed(plan, tasks, context).await.map_err(|error| explain(&error))?;
    let watch = PlanWatch::new(&plan);
    let runtime = tasks.runtime_env();
    let mut stream = execute_stream(plan, tasks).map_err(|error| explain(&error))?;
    context.progress(watch.progress(0));

    let measure = watch.measure(&runtime);
    tokio::pin!(measure);
    let mut measured = false;
    let mut rows = 0;
    let mut tick = tokio::time::interval(TICK);
    tick.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
    loop {
        tokio::select! {
            () = &mut measure, if !measured => measured = true,
            _ = tick.tick() => context.progress(watch.progress(rows)),
            batch = stream.next() => match batch {
                Some(batch) => rows = take(batch.map_err(|error| explain(&error))?)?,
                None => break,
            },
        }
    }
    drop(stream);
    let progress = watch.progress(rows);
    context.log(format!(
        "{rows} rows in {:.2} s; read {} rows, {:.1} MB.",
        started.elapsed().as_secs_f64(),
        progress.rows_read,
        progress.bytes_read as f64 / 1e6
    ));
    context.progress(progress);
    Ok(rows)
}
