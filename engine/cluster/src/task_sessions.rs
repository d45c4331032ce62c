//! The session of a task, on a worker and here.

use std::sync::Arc;

use async_trait::async_trait;
use datafusion::common::Result;
use datafusion::execution::SessionStateBuilder;
use datafusion::execution::session_state::SessionState;
use datafusion_distributed::{ChannelResolver, DistributedExt, WorkerQueryContext, WorkerSessionBuilder};

use crate::settings;
use crate::stage_codec::StageCodec;
use crate::wire::Wire;

/// Starts the sessions of tasks: with the settings of the query, and channels to the tasks that they read from.
pub(crate) struct TaskSessions {
    pub wire: Wire,
    pub channels: Arc<dyn ChannelResolver + Send + Sync>,
}

#[async_trait]
impl WorkerSessionBuilder for TaskSessions {
    async fn build_session_state(&self, context: WorkerQueryContext) -> Result<SessionState> {
        let WorkerQueryContext { mut builder, headers } = context;
        let mut config = builder.config().take().unwrap_or_default();
        let headers = settings::apply(&headers, config.options_mut())?;
        let config = config
            .with_distributed_channel_resolver(Arc::clone(&self.channels))
            .with_distributed_user_codec(StageCodec(self.wire.clone()))
            .with_distributed_passthrough_headers(headers)?;
        // A plan brings its functions, so the session registers none.
        let mut state = SessionStateBuilder::new().with_config(config);
        if let Some(runtime) = builder.runtime_env().take() {
            state = state.with_runtime_env(runtime);
        }
        Ok(state.build())
    }
}
