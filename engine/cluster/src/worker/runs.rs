//! The runs of queries that have stages in this process: their threads, their memory, and what their scans have read.
//!
//! A run ends when its coordinator ends it or stops polling it. Stages hold weak references to their run, since
//! datafusion-distributed may keep a stage after its query has ended.

use std::collections::HashMap;
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError, Weak};
use std::time::{Duration, Instant, SystemTime};

use datafusion::common::{DataFusionError, Result};
use datafusion::execution::memory_pool::MemoryLimit;
use datafusion::execution::runtime_env::RuntimeEnv;
use datafusion::physical_plan::ExecutionPlan;
use quarry_runtime::job::memory_watchdog::{Watched, WatchedWork};
use quarry_runtime::{JobThreads, MemoryAccount};
use quarry_sql::running::memory_pool::QueryPool;
use quarry_sql::running::progress::ScanCounts;
use quarry_types::{Error, ErrorCode};
use tokio_util::sync::CancellationToken;

use super::stage_runtime::{StageRuntime, internal};
use crate::run_id::RunId;

/// How long the threads of a run may stay busy after its end, until they are replaced.
const IDLE_TIMEOUT: Duration = Duration::from_secs(5);
/// How long a run lives without a poll. The coordinator polls five times a second.
const LEASE: Duration = Duration::from_secs(10);
/// Interval of checks for abandoned runs.
const CHECK_INTERVAL: Duration = Duration::from_secs(2);

/// The runs of a process. Clones are the same.
#[derive(Clone)]
pub(crate) struct Runs(Arc<Shared>);

struct Shared {
    runtime: StageRuntime,
    by_id: Mutex<HashMap<RunId, Arc<Run>>>,
}

impl Shared {
    fn by_id(&self) -> MutexGuard<'_, HashMap<RunId, Arc<Run>>> {
        self.by_id.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Runs {
    /// The runs of a process, of which there are none yet.
    pub fn new(runtime: StageRuntime) -> Runs {
        let shared = Arc::new(Shared { runtime, by_id: Mutex::default() });
        shared.runtime.network.spawn(end_abandoned(Arc::downgrade(&shared)));
        Runs(shared)
    }

    /// The run with this id; a new one if it has no stage here yet.
    ///
    /// # Errors
    ///
    /// The system has no more threads.
    pub fn join(&self, id: &RunId) -> Result<Arc<Run>> {
        let mut by_id = self.0.by_id();
        if let Some(run) = by_id.get(id) {
            return Ok(Arc::clone(run));
        }
        let run = Arc::new(Run::start(id, &self.0.runtime)?);
        by_id.insert(id.clone(), Arc::clone(&run));
        Ok(run)
    }

    /// What the scans of a run have read here. Renews its lease.
    pub fn counts(&self, id: &RunId) -> ScanCounts {
        let run = self.0.by_id().get(id).cloned();
        run.map(|run| run.counts()).unwrap_or_default()
    }

    /// Ends a run, if it has stages here.
    pub fn end(&self, id: &RunId) {
        let run = self.0.by_id().remove(id);
        if let Some(run) = run {
            run.stop.stop(ended());
        }
    }

    /// How many runs have stages here.
    pub fn count(&self) -> usize {
        self.0.by_id().len()
    }

    /// Bytes that the operators of all queries of the process have reserved, and may reserve.
    pub fn memory(&self) -> (usize, usize) {
        let pool = &self.0.runtime.runtime.memory_pool;
        let limit = match pool.memory_limit() {
            MemoryLimit::Finite(limit) => limit,
            _ => usize::MAX,
        };
        (pool.reserved(), limit)
    }
}

/// Ends runs that nobody polls: their coordinator is gone.
async fn end_abandoned(shared: Weak<Shared>) {
    loop {
        tokio::time::sleep(CHECK_INTERVAL).await;
        let Some(shared) = shared.upgrade() else { return };
        let forgotten: Vec<Arc<Run>> =
            shared.by_id().extract_if(|_, run| run.is_abandoned()).map(|(_, run)| run).collect();
        for run in forgotten {
            tracing::warn!(run = run.id.0, "the coordinator no longer polls this run; it is ended");
            run.stop.stop(ended());
        }
    }
}

/// The error of what is left of a run that has ended.
fn ended() -> Error {
    Error::new(ErrorCode::Killed, "The query was stopped.")
}

/// A run until it ends.
pub(crate) struct Run {
    id: RunId,
    /// `None` only while this is dropped.
    threads: Option<JobThreads>,
    runtime: Arc<RuntimeEnv>,
    stages: Mutex<Vec<Arc<dyn ExecutionPlan>>>,
    started: SystemTime,
    asked: Mutex<Instant>,
    stop: StopSignal,
    process: StageRuntime,
}

impl fmt::Debug for Run {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Run").field(&self.id).finish()
    }
}

impl Run {
    fn start(id: &RunId, process: &StageRuntime) -> Result<Run> {
        let threads = process.threads.take().map_err(internal)?;
        let pool = QueryPool::new(Arc::clone(&process.runtime.memory_pool), process.memory_limit);
        Ok(Run {
            id: id.clone(),
            stop: StopSignal::new(threads.memory()),
            threads: Some(threads),
            runtime: Arc::new(RuntimeEnv { memory_pool: Arc::new(pool), ..process.runtime.as_ref().clone() }),
            stages: Mutex::default(),
            started: SystemTime::now(),
            asked: Mutex::new(Instant::now()),
            process: process.clone(),
        })
    }

    /// The stores of the process, and the memory of this run.
    pub fn runtime(&self) -> &Arc<RuntimeEnv> {
        &self.runtime
    }

    pub fn threads(&self) -> Option<&JobThreads> {
        self.threads.as_ref()
    }

    pub fn stop_signal(&self) -> &StopSignal {
        &self.stop
    }

    /// Keeps a stage until the run ends. Returns its number.
    pub fn add_stage(&self, stage: Arc<dyn ExecutionPlan>) -> usize {
        let mut stages = self.stages();
        stages.push(stage);
        stages.len() - 1
    }

    pub fn stage(&self, number: usize) -> Option<Arc<dyn ExecutionPlan>> {
        self.stages().get(number).cloned()
    }

    fn counts(&self) -> ScanCounts {
        *self.asked.lock().unwrap_or_else(PoisonError::into_inner) = Instant::now();
        let stages = self.stages().clone();
        stages.iter().map(ScanCounts::of_plan).fold(ScanCounts::default(), std::ops::Add::add)
    }

    fn is_abandoned(&self) -> bool {
        self.asked.lock().unwrap_or_else(PoisonError::into_inner).elapsed() > LEASE
    }

    fn stages(&self) -> MutexGuard<'_, Vec<Arc<dyn ExecutionPlan>>> {
        self.stages.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Run {
    fn drop(&mut self) {
        let Some(threads) = self.threads.take() else { return };
        let pool = self.process.threads.clone();
        self.process.network.spawn(async move {
            // Threads that are still busy end when their calls return.
            if threads.become_idle(IDLE_TIMEOUT).await {
                pool.give_back(threads).await;
            }
        });
    }
}

/// Ends the stages of a run with an error. Clones are the same.
#[derive(Debug, Clone)]
pub(crate) struct StopSignal {
    stopped: CancellationToken,
    reason: Arc<OnceLock<Error>>,
    memory: Arc<MemoryAccount>,
}

impl StopSignal {
    fn new(memory: &Arc<MemoryAccount>) -> StopSignal {
        StopSignal { stopped: CancellationToken::new(), reason: Arc::default(), memory: Arc::clone(memory) }
    }

    fn stop(&self, reason: Error) {
        // The first reason counts.
        let _ = self.reason.set(reason);
        // Also ends loops inside one call.
        self.memory.stop();
        self.stopped.cancel();
    }

    /// Waits until the run is stopped. Returns why.
    pub async fn stopped(&self) -> DataFusionError {
        self.stopped.cancelled().await;
        match self.reason.get() {
            Some(reason) if reason.code == ErrorCode::MemoryLimit => {
                DataFusionError::ResourcesExhausted(reason.message.clone())
            }
            reason => DataFusionError::Execution(reason.map(|reason| reason.message.clone()).unwrap_or_default()),
        }
    }

    /// What is counted of the run's threads.
    pub fn memory(&self) -> &Arc<MemoryAccount> {
        &self.memory
    }
}

impl WatchedWork for Runs {
    fn running(&self) -> Vec<Box<dyn Watched>> {
        self.0.by_id().values().map(|run| Box::new(WatchedRun(Arc::clone(run))) as Box<dyn Watched>).collect()
    }
}

/// A run for the watchdog.
struct WatchedRun(Arc<Run>);

impl Watched for WatchedRun {
    fn id(&self) -> String {
        self.0.id.0.clone()
    }

    fn memory(&self) -> &Arc<MemoryAccount> {
        self.0.stop.memory()
    }

    fn started(&self) -> Option<SystemTime> {
        Some(self.0.started)
    }

    fn stop(&self, error: Error) {
        self.0.stop.stop(error);
    }

    fn is_stopped(&self) -> bool {
        self.0.stop.stopped.is_cancelled()
    }
}
