//! Work of milliseconds for the processor, done where it holds up no request: as much at once as there are processors.
//!
//! More would not be quicker, and each thread more keeps memory for itself: with a thread for each of 32 answers that came
//! together an ingest held twice the memory.

use std::sync::LazyLock;

use quarry_engine::{Error, Result};
use tokio::sync::Semaphore;

static PLACES: LazyLock<Semaphore> =
    LazyLock::new(|| Semaphore::new(std::thread::available_parallelism().map_or(2, usize::from)));

/// What the work gives, when it has had its turn. It must not wait for other such work.
///
/// # Errors
/// An internal one when the work panics.
pub(crate) async fn run<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> Result<T> {
    let _place = PLACES.acquire().await.map_err(Error::internal)?;
    tokio::task::spawn_blocking(work).await.map_err(Error::internal)
}
