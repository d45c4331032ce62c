//! Plans that run on workers. Without workers, and for plans that can't be shared out, everything runs in this process.

use std::fmt;
use std::sync::Arc;

use async_trait::async_trait;
use datafusion::common::{DataFusionError, Result as PlanResult};
use datafusion::execution::TaskContext;
use datafusion::physical_plan::ExecutionPlan;

use super::progress::ScanCounts;

/// A plan as it runs, with the settings that it needs.
pub struct Distribution {
    pub plan: Arc<dyn ExecutionPlan>,
    /// The same plan before it was cut, for its progress.
    pub watched: Arc<dyn ExecutionPlan>,
    pub tasks: Arc<TaskContext>,
    /// A sentence for the log of the job: what runs on workers, or why nothing does.
    pub note: Option<String>,
    /// The part that runs on workers, if any does. Dropping it ends that part.
    pub remote: Option<Box<dyn RemotePart>>,
}

/// The part of a query that runs on workers.
#[async_trait]
pub trait RemotePart: Send + Sync {
    /// What all scans of the query have read, in other processes up to the last poll.
    fn counts(&self) -> ScanCounts;

    /// Polls what the scans of other processes have read.
    async fn poll(&self);

    /// Waits until one of its workers is gone. Returns its address.
    async fn loss(&self) -> String;
}

/// Shares plans out over workers.
#[async_trait]
pub trait Distribute: Send + Sync + 'static {
    /// The plan cut into stages for workers, or a plan that runs in this process. The plan that comes in must not run any more.
    /// `lost_workers`: how many attempts to run the query have lost a worker.
    ///
    /// # Errors
    ///
    /// A subquery of the plan fails.
    async fn distribute(
        &self,
        plan: Arc<dyn ExecutionPlan>,
        tasks: Arc<TaskContext>,
        lost_workers: usize,
    ) -> PlanResult<Distribution>;

    /// The address of the worker that is gone, or can't be reached, if that is what an error means.
    fn lost_worker(&self, error: &DataFusionError) -> Option<String>;
}

/// An extension of a session's settings: plans of the session are shared out.
#[derive(Clone)]
pub struct Distributor(pub Arc<dyn Distribute>);

impl fmt::Debug for Distributor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Distributor")
    }
}

/// What runs of a plan: its stages on workers if the session has any, or the plan itself.
///
/// # Errors
///
/// As [`Distribute::distribute`].
pub(super) async fn distributed(
    plan: Arc<dyn ExecutionPlan>,
    tasks: Arc<TaskContext>,
    distributor: Option<&Distributor>,
    lost_workers: usize,
) -> PlanResult<Distribution> {
    match distributor {
        Some(distributor) => distributor.0.distribute(plan, tasks, lost_workers).await,
        None => Ok(Distribution { watched: Arc::clone(&plan), plan, tasks, note: None, remote: None }),
    }
}
