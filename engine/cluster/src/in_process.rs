//! Workers inside this process. Plans reach them encoded, as they would over a network.

use std::collections::BTreeMap;
use std::sync::{Arc, Weak};

use arrow::record_batch::RecordBatch;
use async_trait::async_trait;
use datafusion::common::{DataFusionError, Result, internal_datafusion_err};
use datafusion::execution::TaskContext;
use datafusion::execution::runtime_env::RuntimeEnv;
use datafusion::physical_plan::ExecutionPlan;
use datafusion::physical_plan::metrics::ExecutionPlanMetricsSet;
use datafusion_distributed::{
    ChannelResolver, CoordinatorToWorkerMsg, ExecuteTaskRequest, GetWorkerInfoRequest, GetWorkerInfoResponse,
    LocalWorkerContext, MaybeEncoded, SetPlanRequest, Worker, WorkerChannel, WorkerToCoordinatorMsg,
};
use futures::StreamExt;
use futures::stream::BoxStream;
use http::HeaderMap;
use quarry_lake::Lake;
use quarry_sql::running::distribution::Distributor;
use quarry_sql::session::Sessions;
use url::Url;

use crate::stage_codec::StageExec;
use crate::stages::{Cluster, Workers};
use crate::task_sessions::TaskSessions;
use crate::wire::Wire;

/// Shares the queries of sessions that start from now on out over new workers in this process. Only the first call counts.
///
/// # Errors
///
/// Two functions of the sessions have one id.
pub fn add_workers(sessions: &Sessions, lake: Lake, count: usize) -> Result<()> {
    let wire = Wire::new(sessions.base(), sessions.hive(), lake)?;
    let workers = InProcessWorkers::start(count, &wire, sessions.runtime())?;
    sessions.distribute_over(Distributor(Arc::new(Cluster::new(wire, workers))));
    Ok(())
}

/// Workers that share the memory and the files of this process.
pub struct InProcessWorkers {
    workers: BTreeMap<Url, Worker>,
    coordinator: (Url, Worker),
    this: Weak<InProcessWorkers>,
}

impl InProcessWorkers {
    /// Starts `count` workers, and one for the process itself.
    ///
    /// # Errors
    ///
    /// An address is not a valid URL.
    pub fn start(count: usize, wire: &Wire, runtime: &Arc<RuntimeEnv>) -> Result<Arc<InProcessWorkers>> {
        let url = |name: String| Url::parse(&format!("http://{name}"));
        let urls = (0..count).map(|number| url(format!("worker-{number}"))).collect::<Result<Vec<Url>, _>>();
        let urls = urls.map_err(|error| DataFusionError::External(error.into()))?;
        let own_url = url("coordinator".to_string()).map_err(|error| DataFusionError::External(error.into()))?;
        Ok(Arc::new_cyclic(|this: &Weak<InProcessWorkers>| {
            let worker = |url: Url| {
                let channels = Arc::new(Channels(this.clone()));
                let sessions = TaskSessions { wire: wire.clone(), channels };
                let worker = Worker::from_session_builder(sessions).with_runtime_env(Arc::clone(runtime));
                (url, worker.with_version(wire.version()))
            };
            let coordinator = worker(own_url);
            InProcessWorkers { workers: urls.into_iter().map(worker).collect(), coordinator, this: this.clone() }
        }))
    }

    fn worker(&self, url: &Url) -> Option<&Worker> {
        let (own_url, coordinator) = &self.coordinator;
        self.workers.get(url).or_else(|| (url == own_url).then_some(coordinator))
    }
}

impl Workers for InProcessWorkers {
    fn urls(&self) -> Vec<Url> {
        self.workers.keys().cloned().collect()
    }

    fn coordinator(&self) -> LocalWorkerContext {
        let (url, worker) = &self.coordinator;
        worker.to_local_worker_context(url.clone())
    }

    fn channels(&self) -> Arc<dyn ChannelResolver + Send + Sync> {
        Arc::new(Channels(self.this.clone()))
    }
}

/// Opens channels to workers in this process.
struct Channels(Weak<InProcessWorkers>);

#[async_trait]
impl ChannelResolver for Channels {
    async fn get_worker_client_for_url(&self, url: &Url) -> Result<Box<dyn WorkerChannel>> {
        let workers = self.0.upgrade().ok_or_else(|| internal_datafusion_err!("the workers are gone"))?;
        let worker = workers.worker(url).ok_or_else(|| internal_datafusion_err!("no worker {url}"))?;
        Ok(Box::new(Channel { worker: worker.clone() }))
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
        let plan = match request.plan {
            MaybeEncoded::Decoded(plan) => {
                let stage: Arc<dyn ExecutionPlan> = Arc::new(StageExec(plan));
                MaybeEncoded::Decoded(stage).encode(tasks)?
            }
            MaybeEncoded::Encoded(bytes) => bytes,
        };
        let request = SetPlanRequest { plan: MaybeEncoded::Encoded(plan), ..request };
        self.worker.coordinator_channel(headers, request, messages.map(Ok).boxed()).await
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
