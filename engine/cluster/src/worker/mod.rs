//! Runs the stages of queries, on workers and in the coordinator.

mod runs;
mod stage_root;
mod stage_runtime;
mod stage_worker;
mod task_sessions;

pub(crate) use runs::Runs;
pub use stage_runtime::StageRuntime;
pub(crate) use stage_worker::StageWorker;
pub(crate) use task_sessions::Origin;
