//! Jobs whose end is not in the database yet. It is not reported before: if the server were killed in between, a job that was
//! reported as succeeded would be failed after the restart.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio_util::sync::CancellationToken;

/// The longest time that a report waits for the database.
const MAX_WAIT: Duration = Duration::from_secs(2);

/// Running jobs by id, each with a signal that its end is in the database.
#[derive(Debug, Default)]
pub struct Unrecorded {
    jobs: Mutex<HashMap<String, CancellationToken>>,
}

/// A running job. Dropped once its end is in the database, or could not be written.
#[derive(Debug)]
pub struct Followed {
    of: Arc<Unrecorded>,
    id: String,
}

impl Unrecorded {
    pub fn begin(self: &Arc<Self>, id: &str) -> Followed {
        self.lock().insert(id.to_string(), CancellationToken::new());
        Followed { of: Arc::clone(self), id: id.to_string() }
    }

    /// Waits until the end of a job is in the database, for [`MAX_WAIT`] at most.
    pub async fn wait(&self, id: &str) {
        let recorded = self.lock().get(id).cloned();
        if let Some(recorded) = recorded {
            // After that time it is reported anyway.
            let _ = tokio::time::timeout(MAX_WAIT, recorded.cancelled()).await;
        }
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<String, CancellationToken>> {
        // A panic between two statements here leaves a whole map behind, so a poisoned lock is still good.
        self.jobs.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Followed {
    fn drop(&mut self) {
        if let Some(recorded) = self.of.lock().remove(&self.id) {
            recorded.cancel();
        }
    }
}

#[cfg(test)]
mod tests {
    use futures::FutureExt;

    use super::*;

    #[tokio::test]
    async fn an_end_is_waited_for_as_long_as_its_job_is_followed() {
        let unrecorded = Arc::new(Unrecorded::default());
        let followed = unrecorded.begin("1");
        let mut waiting = Box::pin(unrecorded.wait("1"));
        assert!(waiting.as_mut().now_or_never().is_none());
        assert!(unrecorded.wait("2").now_or_never().is_some(), "another job is not waited for");
        drop(followed);
        waiting.await;
        assert!(unrecorded.wait("1").now_or_never().is_some());
    }
}
