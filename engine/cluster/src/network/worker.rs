//! A process that runs stages of queries that others plan.

use std::sync::Arc;
use std::time::Duration;

use quarry_lake::LakeFiles;
use quarry_runtime::job::memory_watchdog::MemoryWatchdog;
use quarry_sql::session::Sessions;
use quarry_types::{Error, Result};
use tokio::net::TcpListener;
use tokio::time::{Instant, sleep, timeout};
use tokio_util::sync::CancellationToken;
use tokio_util::task::AbortOnDropHandle;
use url::Url;

use super::access::Access;
use super::build_id;
use super::channels::Channels;
use super::control::Role;
use super::members::HEARTBEAT;
use super::messages::{Ask, ask};
use super::server::ClusterServer;
use crate::wire::Wire;
use crate::worker::{Origin, Runs, StageRuntime, StageWorker};

/// Interval of checks whether the last run has ended.
const CHECK_INTERVAL: Duration = Duration::from_millis(100);

/// How a worker joins a cluster.
pub struct WorkerOptions {
    pub listener: TcpListener,
    /// The address at which the other processes of the cluster reach the listener.
    pub advertise: Url,
    /// Servers at which it registers; none if they name it in their settings.
    pub coordinators: Vec<Url>,
    pub access: Access,
    /// How long running queries may take to end after it is stopped.
    pub drain: Duration,
    /// Canceled by whoever stops it, here or from the server.
    pub stop: CancellationToken,
}

/// Runs stages until it is stopped and its last run has ended.
///
/// # Errors
///
/// Two functions of the sessions have one id, others could reach the listener without a secret, or the listener fails.
pub async fn run_worker(
    sessions: &Sessions,
    lake: LakeFiles,
    runtime: &StageRuntime,
    watchdog: &MemoryWatchdog,
    options: WorkerOptions,
) -> Result<()> {
    let WorkerOptions { listener, advertise, coordinators, access, drain, stop } = options;
    access.check_address(listener.local_addr().map_err(Error::internal)?)?;
    let wire = Wire::new(sessions.base(), sessions.hive(), lake).map_err(Error::internal)?;
    let channels = Channels::new(access.clone(), runtime.network.clone());
    let stages = StageWorker::new(&wire, runtime, Arc::new(channels.clone()), Origin::Wire);
    watchdog.watch(stages.runs.clone());
    let runs = stages.runs.clone();
    let server = ClusterServer {
        stages,
        build: build_id::read(&wire.version())?,
        access,
        role: Role::Worker { drain: stop.clone() },
    };
    let closed = CancellationToken::new();
    let served = AbortOnDropHandle::new(runtime.network.spawn(server.serve(listener, closed.clone())));
    let registered: Vec<AbortOnDropHandle<()>> = coordinators
        .into_iter()
        .map(|coordinator| register(channels.clone(), coordinator, advertise.clone()))
        .map(|registering| AbortOnDropHandle::new(runtime.network.spawn(registering)))
        .collect();
    tokio::pin!(served);
    tokio::select! {
        () = stop.cancelled() => {}
        outcome = &mut served => return outcome.map_err(Error::internal)?,
    }
    drain_runs(&runs, drain).await;
    drop(registered);
    closed.cancel();
    outcome_of(served.await)
}

fn outcome_of(served: Result<Result<()>, tokio::task::JoinError>) -> Result<()> {
    served.map_err(Error::internal)?
}

/// Waits for the last run to end, after heartbeats have told the coordinators to start no new ones.
async fn drain_runs(runs: &Runs, within: Duration) {
    let deadline = Instant::now() + within;
    sleep(HEARTBEAT * 2).await;
    while runs.count() > 0 && Instant::now() < deadline {
        sleep(CHECK_INTERVAL).await;
    }
    if runs.count() > 0 {
        tracing::warn!(runs = runs.count(), "queries still run and are cut off");
    }
}

/// Registers this worker at a coordinator and keeps the registration alive.
async fn register(channels: Channels, coordinator: Url, own: Url) {
    let mut was_registered = None;
    loop {
        let asked = match channels.channel(&coordinator) {
            Ok(channel) => timeout(HEARTBEAT, ask(channel, Ask::Register(own.to_string()))).await,
            Err(error) => Ok(Err(tonic::Status::unavailable(error.to_string()))),
        };
        let failure = match asked {
            Ok(Ok(_)) => None,
            Ok(Err(status)) => Some(status.message().to_string()),
            Err(_) => Some("it does not answer".to_string()),
        };
        if was_registered != Some(failure.is_none()) {
            was_registered = Some(failure.is_none());
            match failure {
                None => tracing::info!(%coordinator, "registered"),
                Some(failure) => tracing::warn!(%coordinator, failure, "can't register; trying again"),
            }
        }
        sleep(HEARTBEAT).await;
    }
}
