//! The GRAPH kind: read-only openCypher, text → syntax → plan → rows, over the address graph or a graph file.

mod functions;
mod output;
mod parse;
mod plan;
mod procedures;
mod run;
mod store;
#[cfg(test)]
mod tests;
mod value;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use datafusion::execution::memory_pool::MemoryPool;
use futures::FutureExt;
use futures::future::BoxFuture;

use crate::engine::Core;
use crate::error::{Error, ErrorCode, Result};
use crate::exec::results::ResultLimits;
use crate::job::{Job, JobContext, JobRequest, Parameters, Progress};
use crate::runtime::charge_new_thread;
use crate::user_tables::Schemas;
use run::{Budget, Machine, Row};
use store::{Flow, PropertyGraph};

/// Stack of the thread of a query: expressions are evaluated by recursion. Untouched pages cost nothing.
const STACK: usize = 512 << 20;
/// Rows between two reports of progress.
const REPORT_EVERY: usize = 1_024;

/// A small property graph that queries of this engine run on in place of the chain.
#[derive(Clone, Default)]
pub(crate) struct GraphFile(Arc<std::sync::Mutex<Option<Arc<store::JsonGraph>>>>);

impl GraphFile {
    /// Reads the text of a graph file.
    pub fn load(&self, text: &str) -> Result<()> {
        let graph = store::JsonGraph::parse(text)?;
        *self.0.lock().unwrap_or_else(std::sync::PoisonError::into_inner) = Some(Arc::new(graph));
        Ok(())
    }

    fn get(&self) -> Option<Arc<store::JsonGraph>> {
        self.0.lock().unwrap_or_else(std::sync::PoisonError::into_inner).clone()
    }
}

/// The address graph of the newest state of the lake that was asked for; `None` until then.
#[derive(Default)]
pub(crate) struct ChainGraphs(tokio::sync::Mutex<Option<Arc<store::ChainGraph>>>);

/// One graph query as a job.
pub(crate) struct GraphJob {
    core: Arc<Core>,
    id: String,
    text: String,
    parameters: Parameters,
    /// Whose labels the nodes have.
    schemas: Schemas,
}

impl GraphJob {
    pub fn new(core: Arc<Core>, request: &JobRequest) -> GraphJob {
        let (id, text, schemas) = (request.id.clone(), request.text.clone(), request.schemas.clone());
        GraphJob { core, id, text, parameters: request.parameters.clone(), schemas }
    }

    async fn run(self, context: JobContext) -> Result<()> {
        let session = self.core.sessions.start(self.core.tables(&Schemas::default()).await?);
        let graph: Arc<dyn PropertyGraph> = match self.core.graph_file.get() {
            Some(graph) => graph,
            None => {
                let chain = store::chain_graph(&self.core, &session, &context).await?;
                let labels = self.core.labels.index(&self.schemas).await?;
                Arc::new(store::LabelledGraph::new(chain, labels))
            }
        };
        let stop = Arc::new(AtomicBool::new(false));
        let _stop_when_dropped = StopOnDrop(stop.clone());
        let (sender, receiver) = tokio::sync::oneshot::channel();
        let pool = session.pool.clone();
        let thread = context.clone();
        let charge = charge_new_thread();
        std::thread::Builder::new()
            .name("graph".to_string())
            .stack_size(STACK)
            .spawn(move || {
                charge();
                let pool: Arc<dyn MemoryPool> = pool;
                let budget = Budget::new(&pool, stop);
                // Nobody waits any more when the job was killed or its time was up.
                let _ = sender.send(self.work(&*graph, &budget, &thread));
            })
            .map_err(Error::internal)?;
        let outcome = receiver.await.map_err(|_| Error::internal("a graph query panicked"))?;
        context.log_peak_memory();
        outcome
    }

    /// The whole query, on the thread of its own.
    fn work(&self, graph: &dyn PropertyGraph, budget: &Budget, context: &JobContext) -> Result<()> {
        let started = Instant::now();
        let config = &self.core.config;
        let parsed = parse::parse(&self.text, config.text_limit)?;
        let parameters = value::parameters(&self.parameters)?;
        let query = plan::plan(&self.text, &parsed, graph, &parameters)?;
        context.log("Planned.");
        let progress = |stage: &str, rows: usize| {
            context.progress(Progress { stage: stage.to_string(), rows_out: rows as u64, ..Progress::default() });
        };
        progress("reading", 0);
        let mut rows: Vec<Row> = Vec::new();
        let limit = config.result_rows_limit;
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
        let limits = ResultLimits { rows: limit, bytes: config.result_bytes_limit };
        let (schema, batches) = output::batches(&query.columns, &rows, graph);
        let mut writer = self.core.results.writer(&self.id, &schema, limits)?;
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
