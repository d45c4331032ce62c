//! What a job gets to work with: a place to report progress and to say things, and the signal to stop.

use futures::future::BoxFuture;
use tokio_util::sync::CancellationToken;

use super::{JobHandle, Progress};
use crate::error::Result;

/// Something that runs once in the queue of its kind. Dropping the future must stop all work it started.
pub trait Job: Send + 'static {
    fn run(self: Box<Self>, context: JobContext) -> BoxFuture<'static, Result<()>>;
}

/// The running job's way to its watchers.
#[derive(Clone)]
pub struct JobContext {
    handle: JobHandle,
}

impl JobContext {
    pub(super) fn new(handle: JobHandle) -> JobContext {
        JobContext { handle }
    }

    /// Tells the watchers how far the job is.
    pub fn progress(&self, progress: Progress) {
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

    /// Cancelled when a person killed the job; for work that does not stop by dropping a future.
    pub fn cancelled(&self) -> &CancellationToken {
        self.handle.cancel()
    }
}
