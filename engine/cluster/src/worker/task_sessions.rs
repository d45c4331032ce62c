//! The session of a task: with the settings of the query, the memory of its run, and channels to the tasks that it reads from.

use std::sync::{Arc, Weak};

use async_trait::async_trait;
use datafusion::common::{Result, internal_err};
use datafusion::execution::SessionStateBuilder;
use datafusion::execution::config::SessionConfig;
use datafusion::execution::session_state::SessionState;
use datafusion::physical_plan::ExecutionPlan;
use datafusion_distributed::{
    ChannelResolver, DistributedExt, DistributedTaskContext, WorkerPlanRewriteEvent, WorkerPlanRewriteEventResponse,
    WorkerPlanRewriteHandler, WorkerQueryContext, WorkerSessionBuilder,
};

use super::runs::{Run, Runs};
use super::stage_root::StageRootExec;
use crate::headers;
use crate::stage_codec::{StageCodec, StageExec};
use crate::wire::Wire;

/// Where the stages of a process come from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Origin {
    /// Those that arrive encoded, which have only files of the lake and known functions.
    Wire,
    /// Its own. They are not encoded, since they don't leave the process.
    Process,
}

/// Starts the sessions of tasks.
pub(crate) struct TaskSessions {
    pub wire: Wire,
    pub channels: Arc<dyn ChannelResolver + Send + Sync>,
    pub runs: Runs,
    pub origin: Origin,
}

#[async_trait]
impl WorkerSessionBuilder for TaskSessions {
    async fn build_session_state(&self, context: WorkerQueryContext) -> Result<SessionState> {
        let WorkerQueryContext { mut builder, headers } = context;
        let mut config = builder.config().take().unwrap_or_default();
        let (run, headers) = headers::apply(&headers, config.options_mut())?;
        let run = self.runs.join(&run)?;
        let runtime = Arc::clone(run.runtime());
        let roots = Roots { run: Arc::downgrade(&run), origin: self.origin, wire: self.wire.clone() };
        let config = config
            .with_distributed_channel_resolver(Arc::clone(&self.channels))
            .with_distributed_user_codec(StageCodec(self.wire.clone()))
            .with_distributed_worker_plan_rewrite_handler(roots)
            .with_distributed_passthrough_headers(headers)?;
        // A plan brings its functions, so the session registers none.
        Ok(SessionStateBuilder::new().with_config(config).with_runtime_env(runtime).build())
    }
}

/// Puts stages under roots.
struct Roots {
    run: Weak<Run>,
    origin: Origin,
    wire: Wire,
}

impl WorkerPlanRewriteHandler for Roots {
    fn rewrite_worker_plan(&self, event: WorkerPlanRewriteEvent<'_>) -> Result<WorkerPlanRewriteEventResponse> {
        let Some(run) = self.run.upgrade() else { return internal_err!("the run has ended") };
        let stage = match (event.plan.downcast_ref::<StageExec>(), self.origin) {
            (Some(StageExec(stage)), Origin::Wire) => Arc::clone(stage),
            (None, Origin::Process) if is_shared(event.session_config) => self.copy(&event, &run)?,
            (None, Origin::Process) => event.plan,
            // A plan that did not come in our encoding could read any file.
            _ => return internal_err!("a plan in another encoding"),
        };
        Ok(WorkerPlanRewriteEventResponse::new(Arc::new(StageRootExec::new(&run, stage))))
    }
}

impl Roots {
    /// A copy of a stage. The stages of a plan share filters that its joins fill while they run. A join that is shared out has a part
    /// of its rows, so a filter that it fills here would drop rows of a scan that other tasks need.
    fn copy(&self, event: &WorkerPlanRewriteEvent<'_>, run: &Run) -> Result<Arc<dyn ExecutionPlan>> {
        let state = SessionStateBuilder::new()
            .with_config(event.session_config.clone())
            .with_runtime_env(Arc::clone(run.runtime()))
            .build();
        self.wire.decode(&self.wire.encode(&event.plan)?, &state.task_ctx())
    }
}

/// Whether a stage has tasks in several processes.
fn is_shared(config: &SessionConfig) -> bool {
    config.get_extension::<DistributedTaskContext>().is_some_and(|task| task.task_count > 1)
}
