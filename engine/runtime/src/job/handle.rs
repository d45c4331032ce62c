//! The handle of a job: state, log lines, and cancellation.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::SystemTime;

use tokio::sync::watch;
use tokio_util::sync::CancellationToken;

use super::{ReadTable, TableReads};
use quarry_types::{Error, ErrorCode};

use super::{JobError, JobRequest, JobSnapshot, JobState, LogLine, Progress};

/// Log lines that are kept of a job.
const MAX_LOG_LINES: usize = 1_000;

/// A running, waiting or ended job. Clones are the same job.
#[derive(Clone)]
pub struct JobHandle {
    shared: Arc<Shared>,
}

struct Shared {
    state: watch::Sender<JobSnapshot>,
    logs: Mutex<Vec<LogLine>>,
    /// Why the engine stopped the job; `None` if a user did.
    reason: Mutex<Option<Error>>,
    reads: TableReads,
    cancel: CancellationToken,
}

impl JobHandle {
    pub(super) fn new(request: &JobRequest) -> JobHandle {
        let snapshot = JobSnapshot {
            id: request.id.clone(),
            kind: request.kind,
            owner: request.owner.clone(),
            state: JobState::Queued,
            progress: Progress { stage: "queued".to_string(), ..Progress::default() },
            created: SystemTime::now(),
            started: None,
            finished: None,
            error: None,
            version: 1,
        };
        let (state, _) = watch::channel(snapshot);
        let cancel = CancellationToken::new();
        let reads = request.schemas.reads.clone();
        let shared = Shared { state, logs: Mutex::default(), reason: Mutex::default(), reads, cancel };
        JobHandle { shared: Arc::new(shared) }
    }

    /// The state now.
    pub fn snapshot(&self) -> JobSnapshot {
        self.shared.state.borrow().clone()
    }

    /// A receiver of the newest state that wakes on every change.
    pub fn watch(&self) -> watch::Receiver<JobSnapshot> {
        self.shared.state.subscribe()
    }

    /// The log lines so far, oldest first.
    pub fn logs(&self) -> Vec<LogLine> {
        self.shared.logs.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// The user tables that the job has read so far, including those of its owner. Complete once the job has ended.
    pub fn tables_read(&self) -> Vec<ReadTable> {
        self.shared.reads.all()
    }

    /// Stops the job: a waiting one at once, a running one shortly after. Has no effect on an ended one.
    pub fn kill(&self) {
        self.shared.cancel.cancel();
        let queued = self.shared.state.borrow().state == JobState::Queued;
        if queued {
            self.finish_killed();
        }
    }

    /// Stops the job with an error.
    pub fn stop(&self, reason: Error) {
        *self.shared.reason.lock().unwrap_or_else(PoisonError::into_inner) = Some(reason);
        self.kill();
    }

    pub(super) fn take_reason(&self) -> Option<Error> {
        self.shared.reason.lock().unwrap_or_else(PoisonError::into_inner).take()
    }

    /// Waits until the job has ended and returns its last state.
    pub async fn wait(&self) -> JobSnapshot {
        let mut watch = self.watch();
        // The sender lives in `self`, so waiting can't fail.
        let _ = watch.wait_for(|snapshot| snapshot.state.is_final()).await;
        self.snapshot()
    }

    pub(super) fn cancel(&self) -> &CancellationToken {
        &self.shared.cancel
    }

    /// Changes the state from queued to running; false if the job was killed meanwhile.
    pub(super) fn start(&self) -> bool {
        self.change(|snapshot| {
            if snapshot.state != JobState::Queued {
                return false;
            }
            snapshot.state = JobState::Running;
            snapshot.started = Some(SystemTime::now());
            snapshot.progress.stage = "planning".to_string();
            true
        })
    }

    pub(super) fn finish_killed(&self) {
        let error = Error::new(ErrorCode::Killed, "The query was stopped.");
        self.finish(JobState::Killed, Some(JobError::from(&error)));
    }

    /// Ends the job with an error. Details of internal errors only go to the log.
    pub(super) fn finish_failed(&self, error: &Error) {
        if matches!(error.code, ErrorCode::Internal | ErrorCode::StorageFull) {
            let source = std::error::Error::source(error).map(ToString::to_string).unwrap_or_default();
            tracing::error!(job = self.snapshot().id, source, "a job failed with an internal error");
        }
        self.log(error.to_string());
        self.finish(JobState::Failed, Some(JobError::from(error)));
    }

    /// Ends the job. Only the first call has an effect.
    pub(super) fn finish(&self, state: JobState, error: Option<JobError>) {
        self.change(|snapshot| {
            if snapshot.state.is_final() {
                return false;
            }
            snapshot.state = state;
            snapshot.finished = Some(SystemTime::now());
            snapshot.error = error;
            if state == JobState::Succeeded {
                snapshot.progress.stage = "done".to_string();
                snapshot.progress.percent = Some(100.0);
            }
            true
        });
    }

    /// Reports progress of a running job. The percentage never decreases and stays below 100 until the job has succeeded.
    pub(super) fn progress(&self, mut progress: Progress) {
        self.change(|snapshot| {
            if snapshot.state != JobState::Running {
                return false;
            }
            let before = snapshot.progress.percent.unwrap_or(0.0);
            progress.percent = match progress.percent {
                Some(percent) => Some(percent.min(99.9).max(before)),
                None => snapshot.progress.percent,
            };
            if snapshot.progress == progress {
                return false;
            }
            snapshot.progress = progress;
            true
        });
    }

    pub(super) fn log(&self, text: String) {
        let mut logs = self.shared.logs.lock().unwrap_or_else(PoisonError::into_inner);
        if logs.len() < MAX_LOG_LINES {
            logs.push(LogLine { time: SystemTime::now(), text });
        }
    }

    fn change(&self, update: impl FnOnce(&mut JobSnapshot) -> bool) -> bool {
        self.shared.state.send_if_modified(|snapshot| {
            let changed = update(snapshot);
            if changed {
                snapshot.version += 1;
            }
            changed
        })
    }
}
