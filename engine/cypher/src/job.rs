//! The job of one graph query: parse → semantic analysis → execution → result.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use futures::FutureExt;
use futures::future::BoxFuture;

use crate::executor::{Executor, Row};
use crate::graph::{AddressGraph, Flow, PropertyGraph, chain_graph};
use crate::graphs::Graphs;
use crate::memory_budget::MemoryBudget;
use crate::query_text::QueryText;
use crate::semantic_analysis::analyze;
use crate::session::Session;
use crate::{parser, result, values};
use quarry_runtime::charge_new_thread;
use quarry_runtime::job::{Job, JobContext, JobRequest, Parameters, Progress, Schemas};
use quarry_types::{Error, ErrorCode, Result};

/// Stack of the thread of a query: expressions are evaluated by recursion. Untouched pages cost nothing.
pub(crate) const STACK: usize = 512 << 20;
/// Rows between two reports of progress.
const REPORT_EVERY: usize = 1_024;

/// One graph query as a job.
pub struct GraphJob {
    graphs: Arc<Graphs>,
    session: BoxFuture<'static, Result<Box<dyn Session>>>,
    query: Query,
}

/// The request of a job.
struct Query {
    id: String,
    text: String,
    parameters: Parameters,
    /// Whose labels the nodes have.
    schemas: Schemas,
}

impl GraphJob {
    /// A job whose session is opened when it starts.
    pub fn new(
        graphs: Arc<Graphs>,
        session: BoxFuture<'static, Result<Box<dyn Session>>>,
        request: &JobRequest,
    ) -> GraphJob {
        let (id, text, schemas) = (request.id.clone(), request.text.clone(), request.schemas.clone());
        GraphJob { graphs, session, query: Query { id, text, parameters: request.parameters.clone(), schemas } }
    }

    async fn run(self, context: JobContext) -> Result<()> {
        let GraphJob { graphs, session, query } = self;
        let session = session.await?;
        let graph: Arc<dyn PropertyGraph> = match graphs.file() {
            Some(graph) => graph,
            None => {
                let chain =
                    chain_graph(&graphs.chain, &graphs.lake, graphs.limits.memory, session.as_ref(), &context).await?;
                let labels = graphs.labels.index(&query.schemas).await?;
                Arc::new(AddressGraph::new(chain, labels))
            }
        };
        let stop = Arc::new(AtomicBool::new(false));
        let _stop_when_dropped = StopOnDrop(stop.clone());
        let (sender, receiver) = tokio::sync::oneshot::channel();
        let pool = session.pool();
        let thread = context.clone();
        let charge = charge_new_thread();
        std::thread::Builder::new()
            .name("graph".to_string())
            .stack_size(STACK)
            .spawn(move || {
                charge();
                let budget = MemoryBudget::new(&pool, stop);
                // The receiver is gone when the job was killed or timed out.
                let _ = sender.send(query.execute(&graphs, &*graph, &budget, &thread));
            })
            .map_err(Error::internal)?;
        let outcome = receiver.await.map_err(|_| Error::internal("a graph query panicked"))?;
        context.log_peak_memory();
        outcome
    }
}

impl Query {
    /// Parses, analyzes and executes the query, and writes its result. Runs on its own thread.
    fn execute(
        &self,
        graphs: &Graphs,
        graph: &dyn PropertyGraph,
        budget: &MemoryBudget,
        context: &JobContext,
    ) -> Result<()> {
        let started = Instant::now();
        let parsed = parser::parse(&self.text, graphs.limits.text)?;
        let parameters = values::parameters(&self.parameters)?;
        let query = analyze(QueryText(&self.text), &parsed, graph, &parameters)?;
        context.log("Planned.");
        let progress = |stage: &str, rows: usize| {
            context.progress(Progress { stage: stage.to_string(), rows_out: rows as u64, ..Progress::default() });
        };
        progress("reading", 0);
        let mut rows: Vec<Row> = Vec::new();
        let limit = graphs.limits.result.rows;
        let _ = Executor::new(QueryText(&self.text), graph, budget).query(&query, &Row::new(), &mut |row| {
            budget.hold_row(row)?;
            rows.push(std::mem::take(row));
            if rows.len() as u64 > limit {
                let message = format!("The result has more than {limit} rows; add a LIMIT or aggregate more.");
                return Err(Error::new(ErrorCode::ResultLimit, message));
            }
            if rows.len().is_multiple_of(REPORT_EVERY) {
                progress("reading", rows.len());
            }
            Ok(Flow::Continue(()))
        })?;
        progress("writing", rows.len());
        let (schema, batches) = result::batches(&query.columns, &rows, graph);
        let mut writer = graphs.results.writer(&self.id, &schema, graphs.limits.result)?;
        for batch in batches {
            budget.check_stop()?;
            writer.write(batch?)?;
        }
        if let Some(drawing) = result::drawing(&rows, graph)? {
            writer.draw(drawing);
        }
        let count = writer.finish()?;
        context.log(format!("{count} rows in {:.3} s.", started.elapsed().as_secs_f64()));
        Ok(())
    }
}

impl Job for GraphJob {
    fn run(self: Box<Self>, context: JobContext) -> BoxFuture<'static, Result<()>> {
        (*self).run(context).boxed()
    }
}

/// Stops the thread of a query when its job is dropped.
struct StopOnDrop(Arc<AtomicBool>);

impl Drop for StopOnDrop {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}
