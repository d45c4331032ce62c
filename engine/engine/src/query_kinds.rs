//! The registry of query kinds.

use std::sync::Arc;

use datafusion::execution::memory_pool::MemoryPool;
use datafusion::prelude::SessionContext;
use futures::FutureExt;
use quarry_cypher::{GraphJob, Graphs};
use quarry_hive::HiveJob;
use quarry_label_rules::LabelJob;
use quarry_mapreduce::MapReduceJob;
use quarry_runtime::job::{Job, JobKind, JobRequest, Schemas};
use quarry_sql::SqlJob;
use quarry_sql::context::QueryContext;
use quarry_sql::session::Session;
use quarry_types::Result;

/// The job of a request.
pub(crate) fn job(context: &Arc<QueryContext>, graphs: &Arc<Graphs>, request: &JobRequest) -> Result<Box<dyn Job>> {
    let context = context.clone();
    Ok(match request.kind {
        JobKind::Sql => Box::new(SqlJob::new(context, request)),
        JobKind::Graph => Box::new(GraphJob::new(graphs.clone(), graph_session(context).boxed(), request)),
        JobKind::Hive => Box::new(HiveJob::new(context, request)),
        JobKind::MapReduce => Box::new(MapReduceJob::new(context, request)?),
        JobKind::Label => Box::new(LabelJob::new(context, request)?),
    })
}

/// The session in which a graph query reads the chain.
struct GraphSession(Session);

async fn graph_session(context: Arc<QueryContext>) -> Result<Box<dyn quarry_cypher::Session>> {
    let session = context.sessions.start(context.tables(&Schemas::default()).await?);
    Ok(Box::new(GraphSession(session)))
}

impl quarry_cypher::Session for GraphSession {
    fn context(&self) -> SessionContext {
        self.0.context()
    }

    fn pool(&self) -> Arc<dyn MemoryPool> {
        self.0.pool.clone()
    }
}
