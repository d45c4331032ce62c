//! The context of a running job: progress, log and cancellation.

use std::sync::Arc;

use futures::future::BoxFuture;
use tokio_util::sync::CancellationToken;

use super::{JobHandle, Progress};
use crate::MemoryAccount;
use quarry_types::Result;

/// Work that runs once in the queue of its kind. Dropping the future must stop all work that it started.
pub trait Job: Send + 'static {
    fn run(self: Box<Self>, context: JobContext) -> BoxFuture<'static, Result<()>>;
}

/// How a running job reports to its watchers.
#[derive(Clone)]
pub struct JobContext {
    handle: JobHandle,
    /// The part of the job that this context reports: start and width, both 0 to 1.
    part: (f64, f64),
    memory: Arc<MemoryAccount>,
    /// How many attempts to run its query have lost a worker.
    lost_workers: usize,
}

impl JobContext {
    pub(super) fn new(handle: JobHandle, memory: Arc<MemoryAccount>) -> JobContext {
        JobContext { handle, part: (0.0, 1.0), memory, lost_workers: 0 }
    }

    /// The context of one of several stages, whose progress is a part of that of the job.
    pub fn stage(&self, index: usize, count: usize) -> JobContext {
        let width = 1.0 / count.max(1) as f64;
        JobContext { part: (index as f64 * width, width), ..self.clone() }
    }

    /// The context of the next attempt after one that lost a worker.
    pub fn after_lost_worker(&self) -> JobContext {
        JobContext { lost_workers: self.lost_workers + 1, ..self.clone() }
    }

    /// How many attempts have lost a worker.
    pub fn lost_workers(&self) -> usize {
        self.lost_workers
    }

    /// Reports progress to the watchers.
    pub fn progress(&self, mut progress: Progress) {
        let (start, width) = self.part;
        progress.percent = progress.percent.map(|percent| start * 100.0 + percent.min(100.0) * width);
        self.handle.progress(progress);
    }

    /// The progress that was reported last.
    pub fn last_progress(&self) -> Progress {
        self.handle.snapshot().progress
    }

    /// Adds a line to the job's log.
    pub fn log(&self, text: impl Into<String>) {
        self.handle.log(text.into());
    }

    /// Logs the peak memory of the job.
    pub fn log_peak_memory(&self) {
        self.log(format!("{} MB of memory at the peak.", self.memory.peak() >> 20));
    }

    /// Canceled when the job is killed; for work that dropping a future does not stop.
    pub fn cancelled(&self) -> &CancellationToken {
        self.handle.cancel()
    }
}
