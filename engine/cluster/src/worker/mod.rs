//! What runs the stages of queries: on a worker, and in the process that plans them.

mod runs;
mod stage_root;
mod task_sessions;

use std::sync::Arc;

use datafusion::common::DataFusionError;
use datafusion::execution::runtime_env::RuntimeEnv;
use datafusion_distributed::{ChannelResolver, Worker};
use quarry_runtime::{EngineConfig, JobThreadPool, Rank};
use tokio::runtime::Handle;

use crate::wire::Wire;
pub(crate) use runs::{RunId, Runs};
use task_sessions::TaskSessions;

/// What the stages of a process run with.
#[derive(Clone)]
pub struct StageRuntime {
    /// Spill folder, stores and the memory that all runs share.
    pub runtime: Arc<RuntimeEnv>,
    /// Threads of runs. Each run has its own set.
    pub threads: JobThreadPool,
    /// Bytes that operators of one run may reserve.
    pub memory_limit: usize,
    /// Where connections, and all else that may not wait for a query, run.
    pub network: Handle,
}

impl StageRuntime {
    /// Threads and memory limits as the jobs of an engine have.
    pub fn new(config: &EngineConfig, runtime: &Arc<RuntimeEnv>, network: Handle) -> StageRuntime {
        StageRuntime {
            runtime: Arc::clone(runtime),
            threads: JobThreadPool::new(Rank::Interactive, config.threads, config.job_memory_limit()),
            memory_limit: config.query_memory_limit,
            network,
        }
    }
}

/// Whose plans a process runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Origin {
    /// Those that arrive encoded, which have only files of the lake and known functions.
    Wire,
    /// Its own. They are not encoded, since they don't leave the process.
    Process,
}

/// Runs stages.
#[derive(Clone)]
pub(crate) struct StageWorker {
    pub worker: Worker,
    pub runs: Runs,
}

impl StageWorker {
    pub fn new(
        wire: &Wire,
        runtime: &StageRuntime,
        channels: Arc<dyn ChannelResolver + Send + Sync>,
        origin: Origin,
    ) -> StageWorker {
        let runs = Runs::new(runtime.clone());
        let sessions = TaskSessions { wire: wire.clone(), channels, runs: runs.clone(), origin };
        let worker = Worker::from_session_builder(sessions).with_version(wire.version());
        StageWorker { worker, runs }
    }
}

fn internal(error: impl ToString) -> DataFusionError {
    DataFusionError::Internal(error.to_string())
}
