//! Runs a physical plan into the result store, and reports its progress about ten times a second.

use std::sync::Arc;
use std::time::{Duration, Instant};

use arrow::record_batch::RecordBatch;
use datafusion::common::DataFusionError;
use datafusion::execution::TaskContext;
use datafusion::physical_plan::{ExecutionPlan, execute_stream};
use futures::StreamExt;

use super::distribution::{Distribution, Distributor, RemotePart, distributed};
use super::progress::PlanWatch;
use quarry_runtime::job::JobContext;
use quarry_runtime::results::{ResultLimits, ResultStore};
use quarry_types::{Error, ErrorCode, Result};

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

/// Runs `work`, and retries it from the start whenever it loses a worker. Each attempt must plan its query again: a plan that has
/// run keeps state, such as the threshold of a top-k filter.
///
/// # Errors
///
/// Those of `work`.
pub async fn with_retries<T, F: Future<Output = Result<T>>>(
    context: &JobContext,
    work: impl Fn(JobContext) -> F,
) -> Result<T> {
    let mut context = context.clone();
    loop {
        match work(context.clone()).await {
            Err(error) if error.code == ErrorCode::WorkerLost => {
                context = context.after_lost_worker();
                context.log(format!("{} Running the query again.", error.message));
            }
            outcome => return outcome,
        }
    }
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
///
/// # Errors
///
/// Those of the plan and of `take`; [`ErrorCode::WorkerLost`] if a worker is gone, see [`with_retries`].
pub async fn for_each_batch(
    plan: Arc<dyn ExecutionPlan>,
    tasks: Arc<TaskContext>,
    explain: &(dyn Fn(&DataFusionError) -> Error + Sync),
    context: &JobContext,
    mut take: impl FnMut(RecordBatch) -> Result<u64>,
) -> Result<u64> {
    let started = Instant::now();
    let distributor = tasks.session_config().get_extension::<Distributor>();
    let explain = |error: DataFusionError| match distributor.as_ref().and_then(|all| all.0.lost_worker(&error)) {
        Some(worker) => lost(worker),
        None => explain(&error),
    };
    let distribution = distributed(plan, tasks, distributor.as_deref(), context.lost_workers()).await;
    let Distribution { plan, watched, tasks, note, remote } = distribution.map_err(explain)?;
    if let Some(note) = note {
        context.log(note);
    }
    let remote = remote.as_deref();
    let watch = PlanWatch::new(&watched);
    let progress = |rows| watch.progress(rows, remote.map(RemotePart::counts));
    let runtime = tasks.runtime_env();
    let mut stream = execute_stream(plan, tasks).map_err(explain)?;
    context.progress(progress(0));

    let (measure, loss) = (watch.measure(&runtime), loss(remote));
    tokio::pin!(measure, loss);
    let mut measured = false;
    let mut rows = 0;
    let mut tick = tokio::time::interval(TICK);
    tick.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
    loop {
        tokio::select! {
            () = &mut measure, if !measured => measured = true,
            worker = &mut loss => return Err(lost(worker)),
            _ = tick.tick() => context.progress(progress(rows)),
            batch = stream.next() => match batch {
                Some(batch) => rows = take(batch.map_err(explain)?)?,
                None => break,
            },
        }
    }
    drop(stream);
    if let Some(remote) = remote {
        // A short query may end before its first poll.
        remote.poll().await;
    }
    let progress = progress(rows);
    context.log(format!(
        "{rows} rows in {:.2} s; read {} rows, {:.1} MB.",
        started.elapsed().as_secs_f64(),
        progress.rows_read,
        progress.bytes_read as f64 / 1e6
    ));
    context.progress(progress);
    Ok(rows)
}

fn lost(worker: String) -> Error {
    Error::new(ErrorCode::WorkerLost, format!("The worker {worker} was lost."))
}

/// Waits until the query loses a worker; forever if it has none.
async fn loss(remote: Option<&dyn RemotePart>) -> String {
    match remote {
        Some(remote) => remote.loss().await,
        None => std::future::pending().await,
    }
}
