//! Runs a job on its threads until it finishes, panics, is killed, or exceeds its time or memory.

use std::time::Duration;

use tokio::task::JoinError;

use super::{Job, JobContext, JobHandle, JobState};
use crate::JobThreads;
use quarry_types::{Error, ErrorCode, Result};

/// Panic messages of Arrow's builders and of collections when a value or column is too large.
const OVERFLOWS: [&str; 4] = ["offset overflow", "byte array offset", "capacity overflow", "overflow: offsets"];

/// How a job ended; `None` if a user killed it.
pub(super) type Outcome = Option<Result<()>>;

/// Runs the job until it ends or is stopped. Its threads may still be busy afterwards, since calls can't be interrupted.
pub(super) async fn run(job: Box<dyn Job>, handle: &JobHandle, threads: &JobThreads, time: Duration) -> Outcome {
    let context = JobContext::new(handle.clone(), threads.memory().clone());
    let mut work = threads.spawn(job.run(context));
    let outcome = tokio::select! {
        biased;
        () = handle.cancel().cancelled() => handle.take_reason().map(Err),
        () = tokio::time::sleep(time) => Some(Err(Error::new(
            ErrorCode::TimeLimit,
            format!("The query ran longer than {} seconds and was stopped.", time.as_secs()),
        ))),
        outcome = &mut work => Some(outcome.unwrap_or_else(|error| Err(panicked(error)))),
    };
    // Also ends loops inside one call, through `check_stopped`.
    threads.memory().stop();
    work.abort();
    outcome
}

/// Sets the final state of the job.
pub(super) fn finish(handle: &JobHandle, outcome: Outcome) {
    match outcome {
        None => handle.finish_killed(),
        Some(Ok(())) => handle.finish(JobState::Succeeded, None),
        Some(Err(error)) if error.code == ErrorCode::Killed => handle.finish_killed(),
        Some(Err(error)) => handle.finish_failed(&error),
    }
}

/// The error of a job whose work panicked.
fn panicked(error: JoinError) -> Error {
    let Ok(panic) = error.try_into_panic() else { return Error::new(ErrorCode::Killed, "The query was stopped.") };
    let text = panic.downcast_ref::<String>().map(String::as_str).or_else(|| panic.downcast_ref::<&str>().copied());
    let text = text.unwrap_or("without a message");
    let lower = text.to_lowercase();
    if OVERFLOWS.iter().any(|overflow| lower.contains(overflow)) {
        let message =
            "A string, a list or a column of them grew beyond 2 GB; make it smaller, or read fewer rows at a time.";
        return Error::new(ErrorCode::TooComplex, message);
    }
    Error::internal(format!("panic: {text}"))
}

#[cfg(test)]
mod tests {
    use futures::FutureExt;
    use futures::future::BoxFuture;

    use super::*;
    use crate::job::JobRequest;
    use crate::{JobThreadPool, Rank};

    const LONG: Duration = Duration::from_secs(60);

    struct Work<F>(F);

    impl<F: FnOnce() -> Result<()> + Send + 'static> Job for Work<F> {
        fn run(self: Box<Self>, _: JobContext) -> BoxFuture<'static, Result<()>> {
            async move { (self.0)() }.boxed()
        }
    }

    async fn outcome(
        handle: &JobHandle,
        time: Duration,
        work: impl FnOnce() -> Result<()> + Send + 'static,
    ) -> Outcome {
        let threads = JobThreadPool::new(Rank::Interactive, 1, usize::MAX).take().unwrap();
        run(Box::new(Work(work)), handle, &threads, time).await
    }

    #[tokio::test]
    async fn panics_are_errors_with_reasons() {
        for (panic, code) in [
            ("byte array offset overflow", ErrorCode::TooComplex),
            ("capacity overflow", ErrorCode::TooComplex),
            ("index out of bounds", ErrorCode::Internal),
        ] {
            let handle = JobHandle::new(&JobRequest::default());
            let outcome = outcome(&handle, LONG, move || panic!("{panic}")).await;
            assert_eq!(outcome.unwrap().unwrap_err().code, code, "{panic}");
        }
    }

    #[tokio::test]
    async fn endless_calls_end_by_timeout_and_kill() {
        let spin = || loop {
            crate::check_stopped()?;
        };
        let handle = JobHandle::new(&JobRequest::default());
        let late = outcome(&handle, Duration::from_millis(10), spin).await;
        assert_eq!(late.unwrap().unwrap_err().code, ErrorCode::TimeLimit);
        handle.kill();
        assert!(outcome(&handle, LONG, spin).await.is_none(), "a kill has no error");
    }
}
