//! Runs stages with datafusion-distributed.

use std::sync::Arc;

use datafusion_distributed::{ChannelResolver, Worker};

use super::runs::Runs;
use super::stage_runtime::StageRuntime;
use super::task_sessions::{Origin, TaskSessions};
use crate::wire::Wire;

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
