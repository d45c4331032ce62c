//! The SQL kind: text → bounds → parse → sandbox → plan → run into the result store.

mod bounds;
mod errors;
mod nearest;
mod parse;
mod plan;
mod rewrite;

use std::sync::Arc;

use futures::FutureExt;
use futures::future::BoxFuture;

use crate::engine::Core;
use crate::error::Result;
use crate::exec::results::ResultLimits;
use crate::exec::run::{Execution, execute};
use crate::job::{Job, JobContext, JobRequest};
use crate::user_tables::Schemas;

/// One SQL query as a job.
pub(crate) struct SqlJob {
    core: Arc<Core>,
    id: String,
    text: String,
    schemas: Schemas,
}

impl SqlJob {
    pub fn new(core: Arc<Core>, request: &JobRequest) -> SqlJob {
        SqlJob { core, id: request.id.clone(), text: request.text.clone(), schemas: request.schemas.clone() }
    }

    async fn run(self, context: JobContext) -> Result<()> {
        let session = self.core.sessions.start(self.core.tables(&self.schemas).await?)?;
        self.core.pools.add(&self.id, &session.pool);
        let planned = plan::plan(&self.core, &session, &self.text, &context).await?;
        let tasks = session.context.task_ctx();
        let config = &self.core.config;
        let explain = |error: &_| planned.names.explain(error);
        let execution = Execution {
            plan: planned.physical.clone(),
            tasks: tasks.clone(),
            results: &self.core.results,
            limits: ResultLimits { rows: config.result_rows_limit, bytes: config.result_bytes_limit },
            explain: &explain,
        };
        let outcome = execute(&self.id, execution, &context).await;
        context.log(format!("{} MB of memory at the peak.", session.pool.peak() >> 20));
        match outcome {
            Ok(_) => Ok(()),
            Err(error) => Err(errors::name_damaged_file(error, &planned.physical, &tasks.runtime_env()).await),
        }
    }
}

impl Job for SqlJob {
    fn run(self: Box<Self>, context: JobContext) -> BoxFuture<'static, Result<()>> {
        (*self).run(context).boxed()
    }
}
