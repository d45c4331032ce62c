//! A pool of threads for parsing, verifying and decoding blocks, one for each core. Tokio's blocking pool would use
//! dozens of threads, each with an arena of the allocator.

use std::sync::LazyLock;

use tokio::runtime::{Builder, Runtime};
use tokio::task::{JoinError, spawn_blocking};

static THREADS: LazyLock<Option<Runtime>> = LazyLock::new(|| {
    let cores = std::thread::available_parallelism().map_or(2, usize::from);
    Builder::new_multi_thread().worker_threads(cores).thread_name("blocks").build().ok()
});

/// Runs CPU-bound work on the pool, in order of arrival. It runs even when nobody waits for the result any more.
///
/// # Errors
/// When the work panics.
pub(crate) async fn run<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> Result<T, JoinError> {
    match &*THREADS {
        Some(threads) => threads.spawn(async { work() }).await,
        // The system cannot create more threads.
        None => spawn_blocking(work).await,
    }
}
