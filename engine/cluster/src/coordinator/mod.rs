//! The process that plans queries: what it shares out, and how it cuts a plan.

mod distribute;
mod exchange_order;
mod remote_run;
mod scalar_subqueries;
mod scans;
mod stages;

use std::sync::Arc;

use async_trait::async_trait;
use datafusion_distributed::ChannelResolver;
use quarry_sql::running::progress::ScanCounts;
use tokio::runtime::Handle;
use url::Url;

use crate::run_id::RunId;
use crate::wire::Wire;
use crate::worker::StageWorker;

/// The workers of a cluster.
#[async_trait]
pub(crate) trait Workers: Send + Sync + 'static {
    /// The other processes that take queries.
    fn processes(&self) -> Vec<WorkerProcess>;

    /// The address of this process, which plans the queries and runs stages as well: those of one task, whose rows may be nowhere
    /// else, and one task of each other stage.
    fn own_url(&self) -> &Url;

    /// What runs stages in this process.
    fn own_stages(&self) -> &StageWorker;

    /// Opens channels to all of them.
    fn channels(&self) -> Arc<dyn ChannelResolver + Send + Sync>;

    /// The runtime of background calls.
    fn network(&self) -> &Handle;

    /// Checks which workers are alive.
    async fn refresh(&self);

    /// Waits until one of these workers is gone.
    async fn gone(&self, workers: &[WorkerProcess]) -> Url;

    /// What the scans of a run have read in the other processes.
    async fn counts(&self, run: &RunId) -> ScanCounts;

    /// Ends what is left of a run in the other processes.
    async fn end(&self, run: &RunId);
}

/// Which queries are shared out.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Policy {
    /// Bytes that a query must read. Smaller ones are faster in one process.
    pub min_bytes: u64,
    /// How often a query is shared out again after it has lost a worker.
    pub retries: usize,
}

/// Shares plans out over workers.
pub(crate) struct Cluster {
    wire: Wire,
    workers: Arc<dyn Workers>,
    policy: Policy,
}

impl Cluster {
    pub fn new(wire: Wire, workers: Arc<dyn Workers>, policy: Policy) -> Cluster {
        Cluster { wire, workers, policy }
    }
}

/// One process of a worker. A restart makes it another one.
#[derive(Debug, Clone)]
pub(crate) struct WorkerProcess {
    pub url: Url,
    /// Another one after each start.
    pub instance: String,
}

/// One attempt to run a query, and the workers that it has.
#[derive(Debug, Clone)]
pub(crate) struct Attempt {
    pub run: RunId,
    pub workers: Vec<WorkerProcess>,
    /// The address of this process.
    pub own: Url,
}

impl Attempt {
    /// The addresses of all processes that run stages.
    fn urls(&self) -> Vec<Url> {
        self.workers.iter().map(|worker| &worker.url).chain([&self.own]).cloned().collect()
    }
}
