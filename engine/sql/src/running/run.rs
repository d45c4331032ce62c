//! Runs a physical plan into the result store, telling how far it is about ten times a second.

use std::sync::Arc;
use std::time::{Duration, Instant};

use arrow::record_batch::RecordBatch;
use datafusion::common::DataFusionError;
use datafusion::execution::TaskContext;
use datafusion::physical_plan::{ExecutionPlan, execute_stream};
use futures::StreamExt;

use super::progress::PlanWatch;
use quarry_runtime::job::JobContext;
use quarry_runtime::results::{ResultLimits, ResultStore};
use quarry_types::Result;

/// Time between two looks at how far a plan is.
const TICK: Duration = Duration::from_millis(100);

/// Everything a plan needs to run.
pub struct Execution<'a> {
    pub plan: Arc<dyn ExecutionPlan>,
    pub tasks: Arc<TaskContext>,
    pub results: &'a ResultStore,
    pub limits: ResultLimits,
    /// Turns the engine's inner error into one for the person who asked.
    pub explain: &'a (dyn Fn(&DataFusionError) -> quarry_types::Error + Sync),
}

/// Runs the plan to its end and stores its rows under the job's id; returns how many there are.
pub async fn execute(id: &str, execution: Execution<'_>, context: &JobContext) -> Result<u64> {
    let Execution { plan, tasks, results, limits, explain } = execution;
    let mut writer = results.writer(id, &plan.schema(), limits)?;
    drive(plan, tasks, explain, context, |batch| {
        writer.write(batch)?;
        Ok(writer.rows())
    })
    .await?;
    writer.finish()
}

/// Runs the plan to its end and hands each batch to `take`, which answers how many rows it has taken.
pub async fn drive(
    plan: Arc<dyn ExecutionPlan>,
    tasks: Arc<TaskContext>,
    explain: &(dyn Fn(&DataFusionError) -> quarry_types::Error + Sync),
    context: &JobContext,
    mut take: impl FnMut(RecordBatch) -> Result<u64>,
) -> Result<u64> {
    let started = Instant::now();
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
