//! Threads that read, prove and decode blocks: as many as the machine has cores. On those for blocking work each answer
//! would meet another thread, and each of dozens of threads keeps memory of its own for what it is given.

use std::sync::LazyLock;

use tokio::runtime::{Builder, Runtime};
use tokio::task::{JoinError, spawn_blocking};

static THREADS: LazyLock<Option<Runtime>> = LazyLock::new(|| {
    let cores = std::thread::available_parallelism().map_or(2, usize::from);
    Builder::new_multi_thread().worker_threads(cores).thread_name("blocks").build().ok()
});

/// Runs work of milliseconds where it holds up nothing else, first come, first served. It is run even when nobody waits for
/// it any more, so that it can't stand in the way of others.
///
/// # Errors
/// When the work panics.
pub(crate) async fn run<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> Result<T, JoinError> {
    match &*THREADS {
        Some(threads) => threads.spawn(async { work() }).await,
        // A machine that gives no more threads.
        None => spawn_blocking(work).await,
    }
}
