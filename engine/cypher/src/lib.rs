//! The GRAPH kind: read-only openCypher, text → syntax → plan → rows, over the address graph or a graph file.

mod budget;
mod functions;
mod output;
mod parse;
mod plan;
mod procedures;
mod run;
mod session;
mod store;
#[cfg(test)]
mod tests;
mod value;

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

use futures::FutureExt;
use futures::future::BoxFuture;

use budget::Budget;
use quarry_labels::Labels;
use quarry_lake::Lake;
use quarry_runtime::charge_new_thread;
use quarry_runtime::job::{Job, JobContext, JobRequest, Parameters, Progress, Schemas};
use quarry_runtime::results::{ResultLimits, ResultStore};
use quarry_types::{Error, ErrorCode, Result};
use run::{Machine, Row};
pub use session::Session;
use store::{Flow, PropertyGraph};

/// Stack of the thread of a query: expressions are evaluated by recursion. Untouched pages cost nothing.
const STACK: usize = 512 << 20;
/// Rows between two reports of progress.
const REPORT_EVERY: usize = 1_024;

/// How much one graph query may take.
#[derive(Debug, Clone, Copy)]
pub struct GraphLimits {
    /// Bytes of its text.
    pub text: usize,
    /// Bytes of memory that the address graph may take.
    pub memory: usize,
    pub result: ResultLimits,
}

/// The graphs that queries of one engine run on: a graph file where one was loaded, else the chain's address graph.
pub struct Graphs {
    lake: Lake,
    labels: Arc<Labels>,
    results: ResultStore,
    limits: GraphLimits,
    /// A small property graph in place of the chain.
    file: Mutex<Option<Arc<store::JsonGraph>>>,
    /// The address graph of the newest snapshot that a query read; `None` before the first query.
    chain: store::NewestGraph,
}

impl Graphs {
    pub fn new(lake: Lake, labels: Arc<Labels>, results: ResultStore, limits: GraphLimits) -> Graphs {
        Graphs { lake, labels, results, limits, file: Mutex::default(), chain: store::NewestGraph::default() }
    }

    /// Reads the text of a graph file; queries run on it from now on.
    ///
    /// # Errors
    ///
    /// The text is no graph file.
    pub fn load(&self, text: &str) -> Result<()> {
        let graph = store::JsonGraph::parse(text)?;
        *self.file.lock().unwrap_or_else(PoisonError::into_inner) = Some(Arc::new(graph));
        Ok(())
    }

    fn file(&self) -> Option<Arc<store::JsonGraph>> {
        self.file.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

/// One graph query as a job.
pub struct GraphJob {
    graphs: Arc<Graphs>,
    session: BoxFuture<'static, Result<Box<dyn Session>>>,
    query: Query,
}

/// What is asked, and by whom.
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
                    store::chain_graph(&graphs.chain, &graphs.lake, graphs.limits.memory, session.as_ref(), &context)
                        .await?;
                let labels = graphs.labels.index(&query.schemas).await?;
                Arc::new(store::LabelledGraph::new(chain, labels))
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
                let budget = Budget::new(&pool, stop);
                // Nobody waits any more when the job was killed or its time was up.
                let _ = sender.send(query.work(&graphs, &*graph, &budget, &thread));
            })
            .map_err(Error::internal)?;
        let outcome = receiver.await.map_err(|_| Error::internal("a graph query panicked"))?;
        context.log_peak_memory();
        outcome
    }
}

impl Query {
    /// The whole query, on the thread of its own.
    fn work(&self, graphs: &Graphs, graph: &dyn PropertyGraph, budget: &Budget, context: &JobContext) -> Result<()> {
        let started = Instant::now();
        let parsed = parse::parse(&self.text, graphs.limits.text)?;
        let parameters = value::parameters(&self.parameters)?;
        let query = plan::plan(&self.text, &parsed, graph, &parameters)?;
        context.log("Planned.");
        let progress = |stage: &str, rows: usize| {
            context.progress(Progress { stage: stage.to_string(), rows_out: rows as u64, ..Progress::default() });
        };
        progress("reading", 0);
        let mut rows: Vec<Row> = Vec::new();
        let limit = graphs.limits.result.rows;
        let _ = Machine::new(&self.text, graph, budget).query(&query, &Row::new(), &mut |row| {
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
        let (schema, batches) = output::batches(&query.columns, &rows, graph);
        let mut writer = graphs.results.writer(&self.id, &schema, graphs.limits.result)?;
        for batch in batches {
            budget.look()?;
            writer.write(batch?)?;
        }
        if let Some(drawing) = output::drawing(&rows, graph)? {
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

/// Tells the thread of a query that nobody waits for it any more.
struct StopOnDrop(Arc<AtomicBool>);

impl Drop for StopOnDrop {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}
