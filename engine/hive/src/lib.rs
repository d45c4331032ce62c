//! The HIVE kind: a script of HiveQL as a batch job. Its text becomes statements (`parse`, with the steps of `rewrite`), which
//! run in order (`statements`). Tables are created in the schema of the user; the rows of the last query are the result.

mod ast;
mod cursor;
mod defaults;
mod dialect;
#[cfg(test)]
#[path = "../../sql/src/testing/function_calls.rs"]
mod function_calls;
#[cfg(test)]
mod function_tests;
mod parse;
mod parse_context;
mod plan;
mod rewrite;
mod script;
mod statements;
mod tables;
mod target_table;
mod tokens;
mod views;

use std::sync::Arc;

use futures::FutureExt;
use futures::future::BoxFuture;

use parse::parse_script;
use quarry_runtime::EngineConfig;
use quarry_runtime::job::{Job, JobContext, JobRequest};
use quarry_sql::context::QueryContext;
use quarry_sql::plan::on_thread;
use quarry_types::Result;
pub use rewrite::{STEPS, Step};
use script::Script;

/// One script of HiveQL as a job.
pub struct HiveJob {
    core: Arc<QueryContext>,
    request: JobRequest,
}

impl HiveJob {
    pub fn new(core: Arc<QueryContext>, request: &JobRequest) -> HiveJob {
        HiveJob { core, request: request.clone() }
    }

    async fn run(self, context: JobContext) -> Result<()> {
        let JobRequest { id, text, parameters, schemas, .. } = self.request;
        let EngineConfig { text_limit, read_files, plan_time_limit, .. } = self.core.config;
        let script_text = text.clone();
        let parse = async move || parse_script(&script_text, &parameters, text_limit, read_files);
        // Everything is parsed before anything runs.
        let statements = on_thread(plan_time_limit, parse).await?;
        let result = statements.iter().rposition(|statement| statement.has_rows());
        let count = statements.len();
        context.log(format!("The script has {count} {}.", if count == 1 { "statement" } else { "statements" }));
        let mut script = Script::new(self.core, id, text, schemas);
        for (index, statement) in statements.into_iter().enumerate() {
            let description = statement.describe();
            context.log(format!("Statement {} of {count}: {description}", index + 1));
            if statement.has_rows() && result != Some(index) {
                context.log("Its rows are not shown: a later query is the result.");
                continue;
            }
            let rows = statement.run(&mut script, &context.stage(index, count)).await?;
            script.done.push((description, rows));
        }
        if result.is_none() { script.finish_without_rows() } else { Ok(()) }
    }
}

impl Job for HiveJob {
    fn run(self: Box<Self>, context: JobContext) -> BoxFuture<'static, Result<()>> {
        (*self).run(context).boxed()
    }
}
