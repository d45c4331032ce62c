//! Text → physical plan, on a thread of its own with a large stack, a deadline and a way to be stopped.

use std::sync::Arc;
use std::time::{Duration, Instant};

use datafusion::execution::context::SQLOptions;
use datafusion::execution::session_state::SessionState;
use datafusion::logical_expr::LogicalPlan;
use datafusion::physical_plan::{ExecutionPlan, collect};
use datafusion::sql::sqlparser::ast::Statement as ParsedStatement;
use tokio::runtime::Handle;

use super::errors::Names;
use super::{mended, parse};
use crate::context::QueryContext;
use crate::error_location;
use crate::session::Session;
use crate::session::tables::QueryCatalog;
use quarry_planner::cancellation::Waiting;
use quarry_runtime::charge_new_thread;
use quarry_runtime::job::{JobContext, JobRequest};
use quarry_types::{Error, ErrorCode, Result};

/// Stack of a planning thread. It is only reserved: untouched pages cost nothing.
const PLAN_STACK: usize = 512 << 20;

/// A query that is ready to run.
pub struct Planned {
    pub physical: Arc<dyn ExecutionPlan>,
    /// Names for the errors of its run.
    pub names: Names,
}

/// Plans a text. Ends by the deadline or when the future is dropped; the thread follows at its next step.
pub async fn plan(
    core: &Arc<QueryContext>,
    session: &Session,
    request: &JobRequest,
    context: &JobContext,
) -> Result<Planned> {
    let planned = plan_silently(core, session, request).await?;
    context.log("Planned.");
    Ok(planned)
}

/// The same without a job that is told.
pub async fn plan_silently(core: &Arc<QueryContext>, session: &Session, request: &JobRequest) -> Result<Planned> {
    let state = session.state.clone();
    let names = Names::new(&request.text, session.catalog.table_names());
    let (request, max_bytes, catalog) = (request.clone(), core.config.text_limit, session.catalog.clone());
    on_thread(core.config.plan_time_limit, async move || plan_here(&state, &catalog, &request, max_bytes, names).await)
        .await
}

/// Runs the work of planning on a thread of its own with a large stack, until the deadline. What it awaits runs on the
/// runtime of the caller, and what it allocates is the caller's.
pub async fn on_thread<T: Send + 'static>(
    limit: Duration,
    work: impl AsyncFnOnce() -> Result<T> + Send + 'static,
) -> Result<T> {
    let (sender, receiver) = tokio::sync::oneshot::channel();
    let runtime = Handle::current();
    let charge = charge_new_thread();
    let waiting = Waiting::default();
    let begin = waiting.work();
    std::thread::Builder::new()
        .name("plan".to_string())
        .stack_size(PLAN_STACK)
        .spawn(move || {
            charge();
            begin();
            let outcome = runtime.block_on(work());
            // Nobody waits any more when the job was killed or its deadline passed.
            let _ = sender.send(outcome);
        })
        .map_err(Error::internal)?;
    match tokio::time::timeout(limit, receiver).await {
        Ok(Ok(outcome)) => outcome,
        Ok(Err(_)) => Err(Error::internal("planning panicked")),
        Err(_) => {
            let message = format!("The query is too complex: planning took more than {} seconds.", limit.as_secs());
            Err(Error::new(ErrorCode::TooComplex, message))
        }
    }
}

pub async fn plan_here(
    state: &SessionState,
    catalog: &QueryCatalog,
    request: &JobRequest,
    max_bytes: usize,
    names: Names,
) -> Result<Planned> {
    let read = || parse::parse(&request.text, &request.parameters, max_bytes);
    let begun = Instant::now();
    match ready(state, catalog, read()?, names.clone()).await {
        // What was long to refuse would be as long again.
        Err(error) if error_location::is_missing(&error) && begun.elapsed() < error_location::SEARCH_TIME => {
            let attempt = async |statement| sentence(ready(state, catalog, statement, names.clone()).await);
            Err(error_location::of_plan(error, &read()?, attempt).await)
        }
        planned => planned,
    }
}

/// The physical plan of a statement.
pub async fn ready(
    state: &SessionState,
    catalog: &QueryCatalog,
    statement: ParsedStatement,
    mut names: Names,
) -> Result<Planned> {
    let logical = logical(state, catalog, statement, &names).await?;
    names.add_columns(&logical);
    let physical = state.create_physical_plan(&logical).await.map_err(|error| names.explain(&error))?;
    Ok(Planned { physical, names })
}

/// The plan of a statement before the rules of the analyzer.
pub async fn logical(
    state: &SessionState,
    catalog: &QueryCatalog,
    mut statement: ParsedStatement,
    names: &Names,
) -> Result<LogicalPlan> {
    crate::name_resolution::resolve(&mut statement, catalog)?;
    crate::unsupported_clauses::calls(&statement, state)?;
    let logical = mended::logical(state, statement).await.map_err(|error| names.explain(&error))?;
    // The parsed statement was checked already; this holds whatever the planner makes of it.
    let read_only = SQLOptions::new().with_allow_ddl(false).with_allow_dml(false).with_allow_statements(false);
    read_only
        .verify_plan(&logical)
        .map_err(|_| Error::new(ErrorCode::NotAllowed, "Only queries that read are allowed."))?;
    catalog.with_labels(logical).await.map_err(|error| names.explain(&error))
}

/// The error of a run with the place of the expression that failed, when it can be told.
pub async fn placed(core: &QueryContext, session: &Session, request: &JobRequest, error: Error) -> Error {
    if !error_location::is_missing(&error) {
        return error;
    }
    let (state, tasks) = (session.state.clone(), session.tasks());
    let (catalog, request) = (session.catalog.clone(), request.clone());
    let (code, message) = (error.code, error.message.clone());
    let max_bytes = core.config.text_limit;
    let found = on_thread(core.config.plan_time_limit, async move || {
        let names = Names::new(&request.text, catalog.table_names());
        let statement = parse::parse(&request.text, &request.parameters, max_bytes)?;
        let attempt = async |statement| {
            let run = async {
                let planned = ready(&state, &catalog, statement, names.clone()).await?;
                let rows = collect(planned.physical, tasks.clone()).await;
                rows.map(drop).map_err(|error| names.explain(&error))
            };
            sentence(run.await)
        };
        Ok(error_location::of_run(Error::new(code, message), &statement, attempt).await.position)
    });
    match found.await {
        Ok(Some(position)) => error.at(position),
        _ => error,
    }
}

/// What a statement was refused with.
fn sentence<T>(outcome: Result<T>) -> Option<String> {
    outcome.err().map(|error| error.message)
}
