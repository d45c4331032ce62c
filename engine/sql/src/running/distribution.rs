//! Plans that run on workers. Without workers, and for plans that can't be shared out, everything runs in this process.

use std::fmt;
use std::sync::Arc;

use async_trait::async_trait;
use datafusion::common::Result as PlanResult;
use datafusion::execution::TaskContext;
use datafusion::physical_plan::ExecutionPlan;

use quarry_runtime::job::JobContext;

/// A plan as it runs, with the settings that it needs.
pub struct Distribution {
    pub plan: Arc<dyn ExecutionPlan>,
    pub tasks: Arc<TaskContext>,
    /// A sentence for the log of the job: what runs on workers, or why nothing does.
    pub note: String,
}

/// Shares plans out over workers.
#[async_trait]
pub trait Distribute: Send + Sync + 'static {
    /// The plan cut into stages for workers, or a plan that runs in this process. The plan that comes in must not run any more.
    ///
    /// # Errors
    ///
    /// A subquery of the plan fails.
    async fn distribute(&self, plan: Arc<dyn ExecutionPlan>, tasks: Arc<TaskContext>) -> PlanResult<Distribution>;
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
pub async fn distributed(
    plan: Arc<dyn ExecutionPlan>,
    tasks: Arc<TaskContext>,
    context: &JobContext,
) -> PlanResult<(Arc<dyn ExecutionPlan>, Arc<TaskContext>)> {
    let Some(distributor) = tasks.session_config().get_extension::<Distributor>() else { return Ok((plan, tasks)) };
    let Distribution { plan, tasks, note } = distributor.0.distribute(plan, tasks).await?;
    context.log(note);
    Ok((plan, tasks))
}
