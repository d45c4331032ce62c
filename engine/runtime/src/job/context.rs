//! What a job gets to work with: a place to report progress and to say things, and the signal to stop.

use std::sync::Arc;

use futures::future::BoxFuture;
use tokio_util::sync::CancellationToken;

use super::{JobHandle, Progress};
use crate::MemoryAccount;
use quarry_types::Result;

/// Something that runs once in the queue of its kind. Dropping the future must stop all work it started.
pub trait Job: Send + 'static {
    fn run(self: Box<Self>, context: JobContext) -> BoxFuture<'static, Result<()>>;
}

/// The running job's way to its watchers.
#[derive(Clone)]
pub struct JobContext {
    handle: JobHandle,
    /// The part of the whole job that this one reports: where it begins and how wide it is, both 0 to 1.
    part: (f64, f64),
    memory: Arc<MemoryAccount>,
}

impl JobContext {
    pub(super) fn new(handle: JobHandle, memory: Arc<MemoryAccount>) -> JobContext {
        JobContext { handle, part: (0.0, 1.0), memory }
    }

    /// The context of one stage of several: its progress is that part of the job's.
    pub fn stage(&self, index: usize, count: usize) -> JobContext {
        let width = 1.0 / count.max(1) as f64;
        JobContext { part: (index as f64 * width, width), ..self.clone() }
    }

    /// Tells the watchers how far the job is.
    pub fn progress(&self, mut progress: Progress) {
        let (start, width) = self.part;
        progress.percent = progress.percent.map(|percent| start * 100.0 + percent.min(100.0) * width);
        self.handle.progress(progress);
    }

    /// How far the job said it is.
    pub fn last_progress(&self) -> Progress {
        self.handle.snapshot().progress
    }

    /// Adds a line to the job's log.
    pub fn log(&self, text: impl Into<String>) {
        self.handle.log(text.into());
    }

    /// Says in the job's log how much memory it held at most.
    pub fn log_peak_memory(&self) {
        self.log(format!("{} MB of memory at the peak.", self.memory.peak() >> 20));
    }

    /// Cancelled when a person killed the job; for work that does not stop by dropping a future.
    pub fn cancelled(&self) -> &CancellationToken {
        self.handle.cancel()
    }
}
