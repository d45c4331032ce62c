//! Decides where a plan runs.

use std::sync::Arc;

use async_trait::async_trait;
use datafusion::common::tree_node::{TreeNode, TreeNodeRecursion};
use datafusion::common::{DataFusionError, Result};
use datafusion::datasource::source::DataSourceExec;
use datafusion::execution::TaskContext;
use datafusion::physical_plan::ExecutionPlan;
use datafusion_distributed::NetworkBoundaryExt;
use quarry_lake::remote_scan;
use quarry_sql::running::distribution::{Distribute, Distribution};

use super::remote_run::RemoteRun;
use super::stages::Cut;
use super::{Attempt, Cluster, scalar_subqueries};
use crate::lost_worker;
use crate::run_id::RunId;

#[async_trait]
impl Distribute for Cluster {
    async fn distribute(
        &self,
        plan: Arc<dyn ExecutionPlan>,
        tasks: Arc<TaskContext>,
        lost_workers: usize,
    ) -> Result<Distribution> {
        if lost_workers > 0 {
            self.workers.refresh().await;
        }
        let own = self.workers.own_url().clone();
        let attempt = Attempt { run: RunId::random(), workers: self.workers.processes(), own };
        if let Some(reason) = self.local_reason(&attempt, &plan, lost_workers)? {
            return Ok(here(plan, tasks, reason.note()));
        }
        // Polling starts before anything runs: workers end runs that nobody polls.
        let mut remote = RemoteRun::start(attempt.clone(), &self.workers);
        // A subquery runs before the plan is cut, so first make sure that the rest of the plan can be cut at all.
        let rest = scalar_subqueries::without_subqueries(&plan)?;
        if !Arc::ptr_eq(&rest, &plan)
            && let Err(error) = self.cut(&rest, &tasks, &attempt).await
        {
            return Ok(here(plan, tasks, Some(local(&error))));
        }
        let watched = scalar_subqueries::answered(self, plan, &tasks, &attempt).await?;
        match self.checked(&watched, &tasks, &attempt).await {
            Ok(Cut { plan, tasks }) => {
                let note = Some(summary(&plan, attempt.workers.len())?);
                remote.watch_head(&plan);
                Ok(Distribution { plan, watched, tasks, note, remote: Some(Box::new(remote)) })
            }
            Err(error) => Ok(here(watched, tasks, Some(local(&error)))),
        }
    }

    fn lost_worker(&self, error: &DataFusionError) -> Option<String> {
        lost_worker::find(error)
    }
}

/// Why a plan is not even cut.
enum LocalReason {
    NoWorkers,
    WorkersLost,
    RetriesUsed(usize),
    TooSmall,
}

impl LocalReason {
    /// The line for the log of the job. A server without workers logs none.
    fn note(&self) -> Option<String> {
        let reason = match self {
            LocalReason::NoWorkers => return None,
            LocalReason::WorkersLost => "no worker is left".to_string(),
            LocalReason::RetriesUsed(lost_workers) => format!("it lost a worker {lost_workers} times"),
            LocalReason::TooSmall => "it reads less than cluster_min_bytes".to_string(),
        };
        Some(runs_here(&reason))
    }
}

impl Cluster {
    fn local_reason(
        &self,
        attempt: &Attempt,
        plan: &Arc<dyn ExecutionPlan>,
        lost_workers: usize,
    ) -> Result<Option<LocalReason>> {
        Ok(match () {
            () if lost_workers > self.policy.retries => Some(LocalReason::RetriesUsed(lost_workers)),
            () if attempt.workers.is_empty() && lost_workers > 0 => Some(LocalReason::WorkersLost),
            () if attempt.workers.is_empty() => Some(LocalReason::NoWorkers),
            () if bytes_to_read(plan)? < self.policy.min_bytes => Some(LocalReason::TooSmall),
            () => None,
        })
    }
}

fn runs_here(reason: &str) -> String {
    format!("The query runs on this machine only: {reason}.")
}

fn here(plan: Arc<dyn ExecutionPlan>, tasks: Arc<TaskContext>, note: Option<String>) -> Distribution {
    Distribution { watched: Arc::clone(&plan), plan, tasks, note, remote: None }
}

/// Bytes that the scans of the lake in a plan will read.
fn bytes_to_read(plan: &Arc<dyn ExecutionPlan>) -> Result<u64> {
    let mut bytes = 0;
    plan.apply(|node| {
        bytes += node.downcast_ref::<DataSourceExec>().map_or(0, remote_scan::bytes_to_read);
        Ok(TreeNodeRecursion::Continue)
    })?;
    Ok(bytes)
}

fn summary(plan: &Arc<dyn ExecutionPlan>, workers: usize) -> Result<String> {
    let (mut stages, mut tasks) = (0, 0);
    plan.apply(|node| {
        if let Some(boundary) = node.as_network_boundary() {
            stages += 1;
            tasks += boundary.input_stage().task_count();
        }
        Ok(TreeNodeRecursion::Continue)
    })?;
    let plural = if workers == 1 { "" } else { "s" };
    Ok(format!("Shared out over {workers} worker{plural}: {tasks} tasks in {stages} stages."))
}

/// Why a plan runs in this process: the first line of an error, since DataFusion adds where to report it.
fn local(error: &DataFusionError) -> String {
    let message = error.find_root().message();
    runs_here(message.lines().next().unwrap_or_default())
}
