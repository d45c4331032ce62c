//! The part of a query that runs on workers, for the process that waits for it.

use std::ops::Add;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use async_trait::async_trait;
use datafusion::datasource::source::DataSourceExec;
use datafusion::physical_plan::ExecutionPlan;
use datafusion_distributed::NetworkBoundaryExt;
use quarry_sql::running::distribution::RemotePart;
use quarry_sql::running::progress::ScanCounts;
use tokio::time::sleep;
use tokio_util::task::AbortOnDropHandle;

use super::{Attempt, Workers};
use crate::run_id::RunId;

/// Interval of polls of what the scans have read.
const POLL_INTERVAL: Duration = Duration::from_millis(200);

/// A run of a query in several processes. Dropping it ends the run.
pub(super) struct RemoteRun {
    attempt: Attempt,
    workers: Arc<dyn Workers>,
    /// What scans of other processes have read.
    counts: Arc<Mutex<ScanCounts>>,
    /// The part of the plan above all stages, which the job runs itself.
    head: Option<Arc<dyn ExecutionPlan>>,
    _polling: AbortOnDropHandle<()>,
}

impl RemoteRun {
    /// Polls the workers until this is dropped. They end runs that nobody polls.
    pub fn start(attempt: Attempt, workers: &Arc<dyn Workers>) -> RemoteRun {
        let counts = Arc::default();
        let polling = poll_repeatedly(Arc::clone(workers), attempt.run.clone(), Arc::clone(&counts));
        let polling = AbortOnDropHandle::new(workers.network().spawn(polling));
        RemoteRun { attempt, workers: Arc::clone(workers), counts, head: None, _polling: polling }
    }

    /// Counts what the scans above the stages read, too.
    pub fn watch_head(&mut self, plan: &Arc<dyn ExecutionPlan>) {
        self.head = Some(Arc::clone(plan));
    }
}

async fn poll_repeatedly(workers: Arc<dyn Workers>, run: RunId, counts: Arc<Mutex<ScanCounts>>) {
    loop {
        sleep(POLL_INTERVAL).await;
        poll(workers.as_ref(), &run, &counts).await;
    }
}

async fn poll(workers: &dyn Workers, run: &RunId, counts: &Mutex<ScanCounts>) {
    let read = workers.counts(run).await;
    // Progress does not go back when a worker is lost.
    let mut counts = counts.lock().unwrap_or_else(PoisonError::into_inner);
    if read.rows >= counts.rows {
        *counts = read;
    }
}

/// What the scans of a plan have read, without those of its stages.
fn head_counts(plan: &Arc<dyn ExecutionPlan>) -> ScanCounts {
    if plan.is_network_boundary() {
        return ScanCounts::default();
    }
    let own = if plan.is::<DataSourceExec>() { ScanCounts::of_plan(plan) } else { ScanCounts::default() };
    plan.children().into_iter().map(head_counts).fold(own, Add::add)
}

#[async_trait]
impl RemotePart for RemoteRun {
    fn counts(&self) -> ScanCounts {
        let elsewhere = *self.counts.lock().unwrap_or_else(PoisonError::into_inner);
        let here = self.workers.own_stages().runs.counts(&self.attempt.run);
        elsewhere + here + self.head.as_ref().map(head_counts).unwrap_or_default()
    }

    async fn poll(&self) {
        poll(self.workers.as_ref(), &self.attempt.run, &self.counts).await;
    }

    async fn loss(&self) -> String {
        self.workers.gone(&self.attempt.workers).await.to_string()
    }
}

impl Drop for RemoteRun {
    fn drop(&mut self) {
        let (workers, run) = (Arc::clone(&self.workers), self.attempt.run.clone());
        workers.own_stages().runs.end(&run);
        self.workers.network().spawn(async move { workers.end(&run).await });
    }
}
