//! One SQL query as a job: text → limits → tokens → statement → plan → run into the result store.

pub mod context;
mod declarations;
pub mod error_location;
pub mod errors;
pub mod expansion;
mod explain_steps;
pub mod lambdas;
pub mod lead_lag_defaults;
pub mod limits;
mod macros;
pub mod name_resolution;
pub mod named_windows;
mod names;
pub mod outer_aggregates;
pub mod parameters;
mod parse;
pub mod pipeline;
pub mod plan;
mod read_only;
mod rewrite;
pub mod running;
pub mod session;
pub mod session_states;
pub mod syntax;
#[cfg(test)]
mod testing;
pub mod tokens;
mod trace;
pub mod unsupported_clauses;
mod variant;
pub mod views;
mod volatility;

pub use explain_steps::plan_changes;
pub use macros::{FunctionDoc, function_docs};
pub use rewrite::{name_outer_columns, rename_shadowed_ctes};
pub use trace::{PlanChange, Step};
pub use variant::{Variant, VariantRunner};

// `testing/function_calls.rs` is a part of the tests of quarry-hive too.
#[cfg(test)]
extern crate self as quarry_sql;

use std::sync::Arc;

use chrono::Utc;
use futures::FutureExt;
use futures::future::BoxFuture;

use crate::context::QueryContext;
use crate::running::execute::{Execution, execute, with_retries};
use crate::running::shared_runs::{RunKey, Turn};
use crate::session::Session;
use quarry_functions::now;
use quarry_lake::Snapshot;
use quarry_runtime::job::{Job, JobContext, JobRequest, Progress};
use quarry_runtime::results::ResultLimits;
use quarry_types::type_names::ResultColumn;
use quarry_types::{Result, type_names};

/// One SQL query as a job.
pub struct SqlJob {
    core: Arc<QueryContext>,
    request: JobRequest,
}

impl SqlJob {
    pub fn new(core: Arc<QueryContext>, request: &JobRequest) -> SqlJob {
        SqlJob { core, request: request.clone() }
    }

    /// Runs the query, or takes the result of an equal one.
    async fn run(self, context: JobContext) -> Result<()> {
        let snapshot = self.core.lake.snapshot().await?;
        let Some(key) = self.key(&snapshot).await? else { return self.plan_and_run(&snapshot, &context).await };
        loop {
            match self.core.shared.turn(&key).await {
                Turn::Run(claim) => {
                    self.plan_and_run(&snapshot, &context).await?;
                    claim.done(&self.request.id, self.request.schemas.reads.all());
                    return Ok(());
                }
                Turn::Reuse(id, reads) => match self.core.results.share(&id, &self.request.id) {
                    Ok(stored) => {
                        self.request.schemas.reads.add(reads);
                        context.log(format!("{} rows, taken from an equal query.", stored.total()));
                        context.progress(taken(stored.total()));
                        return Ok(());
                    }
                    // Its result was removed meanwhile.
                    Err(_) => self.core.shared.forget(&key, &id),
                },
            }
        }
    }

    /// What equal queries have in common; `None` when the result may be another one each time.
    async fn key(&self, snapshot: &Snapshot) -> Result<Option<RunKey>> {
        let request = &self.request;
        if !self.core.attached.all().is_empty() || self.is_volatile(snapshot.head.is_none()).await? {
            return Ok(None);
        }
        let mut seen = Vec::new();
        if let Some(own) = &request.schemas.own {
            let tables = self.core.user_tables.list(own)?;
            seen.extend(tables.into_iter().map(|table| (table.schema, table.name, table.modified)));
        }
        for shared in &request.schemas.shared {
            if let Ok(table) = self.core.user_tables.get(&shared.schema, &shared.table) {
                seen.push((table.schema, table.name, table.modified));
            }
        }
        let parameters = serde_json::to_string(&request.parameters).map_err(quarry_types::Error::internal)?;
        let labels = self.core.labels.version(&request.schemas)?;
        Ok(Some(RunKey(format!("{} {seen:?} {labels} {parameters} {}", snapshot.id, request.text))))
    }

    /// Whether the result may be another one each time; what can't be parsed is refused when it is planned.
    async fn is_volatile(&self, clock: bool) -> Result<bool> {
        let (request, base) = (self.request.clone(), self.core.sessions.base().clone());
        let max_bytes = self.core.config.text_limit;
        let read = async move || {
            let statement = parse::parse(&request.text, &request.parameters, max_bytes);
            Ok(statement.is_ok_and(|statement| volatility::is_volatile(&statement, &base, clock)))
        };
        plan::on_thread(self.core.config.plan_time_limit, read).await
    }

    async fn plan_and_run(&self, snapshot: &Arc<Snapshot>, context: &JobContext) -> Result<()> {
        let outcome = with_retries(context, |context| async move { self.attempt(snapshot, &context).await }).await;
        context.log_peak_memory();
        outcome
    }

    async fn attempt(&self, snapshot: &Arc<Snapshot>, context: &JobContext) -> Result<()> {
        let session = session(&self.core, snapshot, &self.request).await?;
        let planned = plan::plan(&self.core, &session, &self.request, context).await?;
        let tasks = session.tasks();
        let config = &self.core.config;
        let explain = |error: &_| planned.names.explain(error);
        let execution = Execution {
            plan: planned.physical.clone(),
            tasks: tasks.clone(),
            results: &self.core.results,
            limits: ResultLimits { rows: config.result_rows_limit, bytes: config.result_bytes_limit },
            explain: &explain,
        };
        let outcome = execute(&self.request.id, execution, context).await;
        match outcome {
            Ok(_) => Ok(()),
            Err(error) => {
                let error = errors::name_damaged_file(error, &planned.physical, &tasks.runtime_env()).await;
                Err(plan::with_position(&self.core, &session, &self.request, error).await)
            }
        }
    }
}

/// The columns of the result of a query, which is planned and not run.
pub async fn columns(core: &Arc<QueryContext>, request: &JobRequest) -> Result<Vec<ResultColumn>> {
    let session = session(core, &core.lake.snapshot().await?, request).await?;
    let planned = plan::plan_silently(core, &session, request).await?;
    Ok(type_names::columns(&planned.physical.schema()))
}

/// A session with the tables and functions that a query may name.
async fn session(core: &Arc<QueryContext>, snapshot: &Arc<Snapshot>, request: &JobRequest) -> Result<Session> {
    let mut session = core.sessions.start(core.tables_at(snapshot, &request.schemas).await?);
    let time = snapshot.head.map_or_else(|| Utc::now().timestamp_micros(), |head| head.time);
    now::at(time).into_iter().try_for_each(|function| session.register(function))?;
    Ok(session)
}

/// The progress of a job that read nothing itself.
fn taken(rows: u64) -> Progress {
    Progress { percent: Some(100.0), stage: "done".to_string(), rows_out: rows, ..Progress::default() }
}

impl Job for SqlJob {
    fn run(self: Box<Self>, context: JobContext) -> BoxFuture<'static, Result<()>> {
        (*self).run(context).boxed()
    }
}
