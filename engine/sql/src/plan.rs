//! Text → physical plan, on a thread of its own with a large stack, a deadline and a way to be stopped.

use std::sync::Arc;
use std::time::{Duration, Instant};

use datafusion::execution::context::SQLOptions;
use datafusion::execution::session_state::SessionState;
use datafusion::logical_expr::LogicalPlan;
use datafusion::physical_plan::{ExecutionPlan, collect};
use datafusion::sql::parser::Statement as DfStatement;
use datafusion::sql::sqlparser::ast::Statement;
use tokio::runtime::Handle;

use super::errors::Names;
use super::parse;
use super::pipeline::{BINDER, Binder};
use super::trace::Trace;
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

/// The same without a job.
pub async fn plan_silently(core: &Arc<QueryContext>, session: &Session, request: &JobRequest) -> Result<Planned> {
    let (state, catalog) = (session.state.clone(), session.catalog.clone());
    let (request, max_bytes) = (request.clone(), core.config.text_limit);
    let work = async move || {
        let names = Names::new(&request.text, catalog.table_names());
        let read = || parse::parse(&request.text, &request.parameters, max_bytes);
        let begun = Instant::now();
        match plan_statement(&state, &catalog, read()?, names.clone()).await {
            // A search for the position plans again, which would take as long.
            Err(error) if error_location::is_missing(&error) && begun.elapsed() < error_location::SEARCH_TIME => {
                let attempt =
                    async |statement| failure(plan_statement(&state, &catalog, statement, names.clone()).await);
                Err(error_location::locate_plan_error(error, &read()?, attempt).await)
            }
            planned => planned,
        }
    };
    on_thread(core.config.plan_time_limit, work).await
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

/// The physical plan of a statement.
pub async fn plan_statement(
    state: &SessionState,
    catalog: &QueryCatalog,
    statement: Statement,
    names: Names,
) -> Result<Planned> {
    let logical = plan_logical(state, catalog, statement, &names, &mut Trace::default()).await?;
    let physical = state.create_physical_plan(&logical).await.map_err(|error| names.explain(&error))?;
    Ok(Planned { physical, names })
}

/// The plan of a statement before the rules of the analyzer.
pub async fn plan_logical(
    state: &SessionState,
    catalog: &QueryCatalog,
    mut statement: Statement,
    names: &Names,
    trace: &mut Trace,
) -> Result<LogicalPlan> {
    let binder = Binder { catalog, state };
    for step in BINDER {
        let before = trace.is_on.then(|| statement.to_string());
        (step.run)(&mut statement, &binder).await?;
        if let Some(before) = before {
            trace.note("names", step, &before, &statement.to_string());
        }
    }
    let logical = state.statement_to_plan(DfStatement::Statement(Box::new(statement))).await;
    let logical = logical.map_err(|error| names.explain(&error))?;
    // The parsed statement was checked already; this checks whatever the planner makes of it.
    let read_only = SQLOptions::new().with_allow_ddl(false).with_allow_dml(false).with_allow_statements(false);
    read_only
        .verify_plan(&logical)
        .map_err(|_| Error::new(ErrorCode::NotAllowed, "Only read-only queries are allowed."))?;
    catalog.with_labels(logical).await.map_err(|error| names.explain(&error))
}

/// The error of a run with the position of the expression that failed, where it can be found.
pub async fn with_position(core: &QueryContext, session: &Session, request: &JobRequest, error: Error) -> Error {
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
                let planned = plan_statement(&state, &catalog, statement, names.clone()).await?;
                let rows = collect(planned.physical, tasks.clone()).await;
                rows.map(drop).map_err(|error| names.explain(&error))
            };
            failure(run.await)
        };
        Ok(error_location::locate_run_error(Error::new(code, message), &statement, attempt).await.position)
    });
    match found.await {
        Ok(Some(position)) => error.at(position),
        _ => error,
    }
}

/// The message that something failed with.
fn failure<T>(outcome: Result<T>) -> Option<String> {
    outcome.err().map(|error| error.message)
}
