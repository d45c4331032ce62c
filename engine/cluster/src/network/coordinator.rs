//! The process that plans queries and shares them out over workers in other processes.

use std::sync::Arc;

use async_trait::async_trait;
use datafusion_distributed::ChannelResolver;
use quarry_lake::LakeFiles;
use quarry_runtime::job::memory_watchdog::MemoryWatchdog;
use quarry_sql::running::distribution::Distributor;
use quarry_sql::running::progress::ScanCounts;
use quarry_sql::session::Sessions;
use quarry_types::{Error, Result};
use tokio::net::TcpListener;
use tokio::runtime::Handle;
use tokio_util::sync::CancellationToken;
use url::Url;

use super::access::Access;
use super::build_id;
use super::channels::Channels;
use super::control::Role;
use super::members::Members;
use super::server::ClusterServer;
use crate::coordinator::{Cluster, Policy, WorkerProcess, Workers};
use crate::run_id::RunId;
use crate::wire::Wire;
use crate::worker::{Origin, StageRuntime, StageWorker};

/// How a process shares its queries out.
pub struct CoordinatorOptions {
    /// Where workers read stages of this process, and register.
    pub listener: TcpListener,
    /// The address at which workers reach the listener.
    pub advertise: Url,
    /// Workers that need not register.
    pub workers: Vec<Url>,
    pub access: Access,
    /// Bytes that a query must read to be shared out.
    pub min_bytes: u64,
    /// How often a query is shared out again after it has lost a worker.
    pub retries: usize,
    /// Ends the listener and the heartbeats.
    pub stop: CancellationToken,
}

/// Shares the queries of sessions that start from now on out over the workers of a cluster. Returns its members.
///
/// # Errors
///
/// Two functions of the sessions have one id, or others could reach the listener without a secret.
pub fn start_coordinator(
    sessions: &Sessions,
    lake: LakeFiles,
    runtime: &StageRuntime,
    watchdog: &MemoryWatchdog,
    options: CoordinatorOptions,
) -> Result<Members> {
    let CoordinatorOptions { listener, advertise, workers, access, min_bytes, retries, stop } = options;
    access.check_address(listener.local_addr().map_err(Error::internal)?)?;
    let wire = Wire::new(sessions.base(), sessions.hive(), lake).map_err(Error::internal)?;
    let build = build_id::read(&wire.version())?;
    let channels = Channels::new(access.clone(), runtime.network.clone());
    let stages = StageWorker::new(&wire, runtime, Arc::new(channels.clone()), Origin::Process);
    watchdog.watch(stages.runs.clone());
    let members = Members::new(build.clone(), channels.clone(), runtime.network.clone(), workers);
    let server =
        ClusterServer { stages: stages.clone(), build, access, role: Role::Coordinator { members: members.clone() } };
    let remote =
        RemoteWorkers { members: members.clone(), stages, advertise, channels, network: runtime.network.clone() };
    let policy = Policy { min_bytes, retries };
    sessions.distribute_over(Distributor(Arc::new(Cluster::new(wire, Arc::new(remote), policy))));
    let heartbeats = stop.clone().run_until_cancelled_owned(members.clone().watch());
    runtime.network.spawn(async move {
        if let Err(error) = server.serve(listener, stop).await {
            tracing::error!(%error, "the cluster is no longer served");
        }
    });
    runtime.network.spawn(heartbeats);
    Ok(members)
}

/// The workers of a cluster for its coordinator.
struct RemoteWorkers {
    members: Members,
    stages: StageWorker,
    advertise: Url,
    channels: Channels,
    network: Handle,
}

#[async_trait]
impl Workers for RemoteWorkers {
    fn processes(&self) -> Vec<WorkerProcess> {
        self.members.alive()
    }

    fn own_url(&self) -> &Url {
        &self.advertise
    }

    fn own_stages(&self) -> &StageWorker {
        &self.stages
    }

    fn channels(&self) -> Arc<dyn ChannelResolver + Send + Sync> {
        Arc::new(self.channels.clone())
    }

    fn network(&self) -> &Handle {
        &self.network
    }

    async fn refresh(&self) {
        self.members.refresh().await;
    }

    async fn gone(&self, workers: &[WorkerProcess]) -> Url {
        self.members.gone(workers).await
    }

    async fn counts(&self, run: &RunId) -> ScanCounts {
        self.members.counts(run).await
    }

    async fn end(&self, run: &RunId) {
        self.members.end(run).await;
    }
}
