//! Threads and memory of stages.

use std::sync::Arc;

use datafusion::common::DataFusionError;
use datafusion::execution::runtime_env::RuntimeEnv;
use quarry_runtime::{EngineConfig, JobThreadPool, Rank};
use tokio::runtime::Handle;

/// Threads and memory of the stages of a process.
#[derive(Clone)]
pub struct StageRuntime {
    /// Spill folder, stores and the memory that all runs share.
    pub runtime: Arc<RuntimeEnv>,
    /// Threads of runs. Each run has its own set.
    pub threads: JobThreadPool,
    /// Bytes that operators of one run may reserve.
    pub memory_limit: usize,
    /// The runtime of connections and timers, which queries must not block.
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

pub(super) fn internal(error: impl ToString) -> DataFusionError {
    DataFusionError::Internal(error.to_string())
}
