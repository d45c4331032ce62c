//! Workers inside this process, for tests and benchmarks. Stages reach them encoded, as they would over a network.

use std::collections::BTreeMap;
use std::sync::{Arc, Weak};

use arrow::record_batch::RecordBatch;
use async_trait::async_trait;
use datafusion::common::{DataFusionError, Result, internal_datafusion_err};
use datafusion::execution::TaskContext;
use datafusion::physical_plan::metrics::ExecutionPlanMetricsSet;
use datafusion_distributed::{
    ChannelResolver, CoordinatorToWorkerMsg, ExecuteTaskRequest, GetWorkerInfoRequest, GetWorkerInfoResponse,
    SetPlanRequest, Worker, WorkerChannel, WorkerToCoordinatorMsg,
};
use futures::StreamExt;
use futures::stream::BoxStream;
use http::HeaderMap;
use quarry_lake::LakeFiles;
use quarry_sql::running::distribution::Distributor;
use quarry_sql::running::progress::ScanCounts;
use quarry_sql::session::Sessions;
use tokio::runtime::Handle;
use url::Url;

use crate::coordinator::{Cluster, Policy, WorkerProcess, Workers};
use crate::run_id::RunId;
use crate::stage_codec::encoded;
use crate::wire::Wire;
use crate::worker::{Origin, StageRuntime, StageWorker};

/// Shares the queries of sessions that start from now on out over new workers in this process. Only the first call counts.
///
/// # Errors
///
/// Two functions of the sessions have one id.
pub fn add_workers(sessions: &Sessions, lake: LakeFiles, runtime: &StageRuntime, count: usize) -> Result<()> {
    let wire = Wire::new(sessions.base(), sessions.hive(), lake)?;
    let workers = InProcessWorkers::start(count, &wire, runtime)?;
    let policy = Policy { min_bytes: 0, retries: 0 };
    sessions.distribute_over(Distributor(Arc::new(Cluster::new(wire, workers, policy))));
    Ok(())
}

/// Workers that share the memory and the files of this process.
struct InProcessWorkers {
    workers: BTreeMap<Url, StageWorker>,
    coordinator: (Url, StageWorker),
    network: Handle,
    this: Weak<InProcessWorkers>,
}

impl InProcessWorkers {
    /// Starts `count` workers, and one for the process itself.
    fn start(count: usize, wire: &Wire, runtime: &StageRuntime) -> Result<Arc<InProcessWorkers>> {
        let url = |name: String| Url::parse(&format!("http://{name}"));
        let urls = (0..count).map(|number| url(format!("worker-{number}"))).collect::<Result<Vec<Url>, _>>();
        let urls = urls.map_err(|error| DataFusionError::External(error.into()))?;
        let own_url = url("coordinator".to_string()).map_err(|error| DataFusionError::External(error.into()))?;
        Ok(Arc::new_cyclic(|this: &Weak<InProcessWorkers>| {
            let worker = |url: Url, origin: Origin| {
                (url, StageWorker::new(wire, runtime, Arc::new(Channels(this.clone())), origin))
            };
            let coordinator = worker(own_url, Origin::Process);
            InProcessWorkers {
                workers: urls.into_iter().map(|url| worker(url, Origin::Wire)).collect(),
                coordinator,
                network: runtime.network.clone(),
                this: this.clone(),
            }
        }))
    }

    fn worker(&self, url: &Url) -> Option<&StageWorker> {
        let (own_url, coordinator) = &self.coordinator;
        self.workers.get(url).or_else(|| (url == own_url).then_some(coordinator))
    }
}

#[async_trait]
impl Workers for InProcessWorkers {
    fn processes(&self) -> Vec<WorkerProcess> {
        let process = |url: &Url| WorkerProcess { url: url.clone(), instance: String::new() };
        self.workers.keys().map(process).collect()
    }

    fn own_url(&self) -> &Url {
        &self.coordinator.0
    }

    fn own_stages(&self) -> &StageWorker {
        &self.coordinator.1
    }

    fn channels(&self) -> Arc<dyn ChannelResolver + Send + Sync> {
        Arc::new(Channels(self.this.clone()))
    }

    fn network(&self) -> &Handle {
        &self.network
    }

    async fn refresh(&self) {}

    async fn gone(&self, _: &[WorkerProcess]) -> Url {
        std::future::pending().await
    }

    async fn counts(&self, run: &RunId) -> ScanCounts {
        self.workers.values().map(|stages| stages.runs.counts(run)).fold(ScanCounts::default(), std::ops::Add::add)
    }

    async fn end(&self, run: &RunId) {
        self.workers.values().for_each(|stages| stages.runs.end(run));
    }
}

/// Opens channels to workers in this process.
struct Channels(Weak<InProcessWorkers>);

#[async_trait]
impl ChannelResolver for Channels {
    async fn get_worker_client_for_url(&self, url: &Url) -> Result<Box<dyn WorkerChannel>> {
        let workers = self.0.upgrade().ok_or_else(|| internal_datafusion_err!("the workers are gone"))?;
        let stages = workers.worker(url).ok_or_else(|| internal_datafusion_err!("no worker {url}"))?;
        Ok(Box::new(Channel { worker: stages.worker.clone() }))
    }
}

struct Channel {
    worker: Worker,
}

#[async_trait]
impl WorkerChannel for Channel {
    async fn coordinator_channel(
        &mut self,
        headers: HeaderMap,
        request: SetPlanRequest,
        messages: BoxStream<'static, CoordinatorToWorkerMsg>,
        _: ExecutionPlanMetricsSet,
        tasks: &Arc<TaskContext>,
    ) -> Result<BoxStream<'static, Result<WorkerToCoordinatorMsg>>> {
        self.worker.coordinator_channel(headers, encoded(request, tasks)?, messages.map(Ok).boxed()).await
    }

    async fn execute_task(
        &mut self,
        _: HeaderMap,
        request: ExecuteTaskRequest,
        _: ExecutionPlanMetricsSet,
        _: &Arc<TaskContext>,
    ) -> Result<Vec<BoxStream<'static, Result<RecordBatch>>>> {
        let (streams, _) = self.worker.execute_task(request).await?;
        Ok(streams.into_iter().map(|stream| stream.boxed()).collect())
    }

    async fn get_worker_info(&mut self, _: GetWorkerInfoRequest) -> Result<GetWorkerInfoResponse> {
        Ok(GetWorkerInfoResponse { version: self.worker.version().to_string() })
    }
}
