//! Writing down what must not be lost, again and again until the database takes it.

use std::future::Future;
use std::time::Duration;

use tokio::time::sleep;
use tokio_util::sync::CancellationToken;

const FIRST_PAUSE: Duration = Duration::from_millis(100);
const LONGEST_PAUSE: Duration = Duration::from_secs(60);

/// Tries until it works, with pauses that grow, and when the server stops once more: what is left then, `None`, is told at the
/// next start. `what` is said in the log of the server.
pub async fn insist<F, T>(stop: &CancellationToken, what: &str, mut write: impl FnMut() -> F) -> Option<T>
where
    F: Future<Output = Result<T, sqlx::Error>>,
{
    let mut pause = FIRST_PAUSE;
    loop {
        let error = match write().await {
            Ok(written) => return Some(written),
            Err(error) => error,
        };
        tracing::error!(%error, "{what} could not be written down");
        if stop.is_cancelled() {
            return None;
        }
        tokio::select! {
            () = sleep(pause) => {}
            () = stop.cancelled() => {}
        }
        pause = (pause * 2).min(LONGEST_PAUSE);
    }
}
