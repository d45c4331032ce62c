//! Blocking calls that run like jobs: reading uploads and pages of results, writing exports. They run on threads whose memory is
//! counted, so that they end before they use up the memory of the process.

use futures::FutureExt;
use futures::future::BoxFuture;
use rand::Rng;
use tokio::sync::oneshot;

use super::{Job, JobContext, JobRequest, Jobs};
use quarry_types::{Error, ErrorCode, Result};

struct Call<T, W> {
    work: W,
    sender: oneshot::Sender<Result<T>>,
}

impl<T: Send + 'static, W: FnOnce() -> Result<T> + Send + 'static> Job for Call<T, W> {
    fn run(self: Box<Self>, _: JobContext) -> BoxFuture<'static, Result<()>> {
        let Call { work, sender } = *self;
        async move {
            // It fails if the caller has gone away.
            let _ = sender.send(tokio::task::block_in_place(work));
            Ok(())
        }
        .boxed()
    }
}

impl Jobs {
    /// Runs blocking work when the queue has room, even if the future is not polled, and returns its result. Long work calls
    /// [`check_stopped`](crate::check_stopped) from time to time.
    ///
    /// # Errors
    /// `Busy` at once if the queue is full. The future fails with the error of the work, or with `MemoryLimit` or `TimeLimit` if
    /// the work was stopped.
    pub fn call<T: Send + 'static>(
        &self,
        owner: &str,
        work: impl FnOnce() -> Result<T> + Send + 'static,
    ) -> Result<BoxFuture<'static, Result<T>>> {
        let (sender, receiver) = oneshot::channel();
        let id = format!("{:032x}", rand::rng().random::<u128>());
        let request = JobRequest { id, owner: owner.to_string(), ..JobRequest::default() };
        let handle = self.submit(&request, Box::new(Call { work, sender }))?;
        let ended = async move {
            match receiver.await {
                Ok(Err(error)) if !matches!(error.code, ErrorCode::Killed | ErrorCode::MemoryLimit) => Err(error),
                Ok(Ok(value)) => Ok(value),
                // The work was stopped, or it panicked.
                _ => Err(stopped(handle.wait().await.error.map(|error| error.code))),
            }
        };
        Ok(ended.boxed())
    }
}

fn stopped(code: Option<String>) -> Error {
    let is = |expected: ErrorCode| code.as_deref() == Some(expected.as_str());
    if is(ErrorCode::TimeLimit) {
        return Error::new(ErrorCode::TimeLimit, "This took too long; use a smaller file, or fewer rows at once.");
    }
    if is(ErrorCode::Internal) {
        return Error::internal("a call panicked");
    }
    Error::new(
        ErrorCode::MemoryLimit,
        "This needs more memory than the server can provide; use a smaller file, or fewer rows at once.",
    )
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::job::QueueLimits;
    use crate::{JobThreadPool, Rank, check_stopped};

    fn calls(memory: usize, time: Duration) -> Jobs {
        let limits = QueueLimits { concurrency: 2, waiting: 4, time, keep: 0 };
        let pool = JobThreadPool::new(Rank::Interactive, 1, memory);
        Jobs::new(tokio::runtime::Handle::current(), pool, limits)
    }

    fn spin() -> Result<()> {
        loop {
            check_stopped()?;
        }
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn calls_return_results() {
        let calls = calls(usize::MAX, Duration::from_secs(60));
        assert_eq!(calls.call("ada", || Ok(7)).unwrap().await.unwrap(), 7);
        let wrong = || Err::<(), _>(Error::new(ErrorCode::InvalidInput, "There is no header."));
        assert_eq!(calls.call("ada", wrong).unwrap().await.unwrap_err().message, "There is no header.");
        let panics = calls.call("ada", || -> Result<()> { panic!("index out of bounds") });
        assert_eq!(panics.unwrap().await.unwrap_err().code, ErrorCode::Internal);
        assert!(calls.active().is_empty());
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn memory_and_time_limits_stop_a_call() {
        let grow = || {
            let mut held = Vec::new();
            loop {
                held.push(vec![1_u8; 1 << 20]);
                check_stopped()?;
            }
        };
        let memory = calls(16 << 20, Duration::from_secs(60)).call::<()>("ada", grow).unwrap().await;
        assert_eq!(memory.unwrap_err().code, ErrorCode::MemoryLimit);
        let late = calls(usize::MAX, Duration::from_millis(10)).call("ada", spin).unwrap().await;
        assert_eq!(late.unwrap_err().code, ErrorCode::TimeLimit);
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn the_queue_is_bounded() {
        let calls = calls(usize::MAX, Duration::from_secs(60));
        let begun: Vec<_> = (0..8).map_while(|_| calls.call("ada", spin).ok()).collect();
        assert!(begun.len() < 8);
        assert_eq!(calls.call("ada", || Ok(())).err().unwrap().code, ErrorCode::Busy);
        calls.active().iter().for_each(crate::job::JobHandle::kill);
        for call in begun {
            call.await.unwrap_err();
        }
    }
}
