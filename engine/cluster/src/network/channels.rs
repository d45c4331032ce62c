//! Channels to other processes.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use arrow::record_batch::RecordBatch;
use async_trait::async_trait;
use datafusion::common::{DataFusionError, Result};
use datafusion::execution::TaskContext;
use datafusion::physical_plan::metrics::ExecutionPlanMetricsSet;
use datafusion_distributed::grpc::{BoxCloneSyncChannel, create_worker_client};
use datafusion_distributed::{
    ChannelResolver, CoordinatorToWorkerMsg, ExecuteTaskRequest, GetWorkerInfoRequest, GetWorkerInfoResponse,
    SetPlanRequest, WorkerChannel, WorkerToCoordinatorMsg,
};
use futures::StreamExt;
use futures::stream::BoxStream;
use http::HeaderMap;
use tokio::runtime::Handle;
use tonic::body::Body;
use tonic::transport::Endpoint;
use tower::ServiceExt;
use url::Url;

use super::access::Access;
use crate::lost_worker;
use crate::stage_codec::encoded;

const CONNECT_TIMEOUT: Duration = Duration::from_secs(2);
/// A connection without an answer for this long is given up. Heartbeats notice a lost worker sooner.
const KEEP_ALIVE_TIMEOUT: Duration = Duration::from_secs(20);
const KEEP_ALIVE_INTERVAL: Duration = Duration::from_secs(5);
/// Bytes that may be on their way, of one stream and of a connection.
const STREAM_WINDOW: u32 = 4 << 20;
const CONNECTION_WINDOW: u32 = 32 << 20;

/// Opens channels to processes of the cluster. Clones share their connections.
#[derive(Clone)]
pub(super) struct Channels {
    access: Access,
    network: Handle,
    open: Arc<Mutex<HashMap<Url, BoxCloneSyncChannel>>>,
}

impl Channels {
    pub fn new(access: Access, network: Handle) -> Channels {
        Channels { access, network, open: Arc::default() }
    }

    /// A channel, which connects at the first call, and again after the connection is lost.
    ///
    /// # Errors
    ///
    /// The address or a certificate is not valid.
    pub fn channel(&self, url: &Url) -> Result<BoxCloneSyncChannel, tonic::transport::Error> {
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(channel) = open.get(url) {
            return Ok(channel.clone());
        }
        let channel = self.new_channel(url)?;
        open.insert(url.clone(), channel.clone());
        Ok(channel)
    }

    /// Closes the connection to a process once the last call of it ends.
    pub fn forget(&self, url: &Url) {
        self.open.lock().unwrap_or_else(PoisonError::into_inner).remove(url);
    }

    fn new_channel(&self, url: &Url) -> Result<BoxCloneSyncChannel, tonic::transport::Error> {
        let mut endpoint = Endpoint::new(url.to_string())?
            .connect_timeout(CONNECT_TIMEOUT)
            .http2_keep_alive_interval(KEEP_ALIVE_INTERVAL)
            .keep_alive_timeout(KEEP_ALIVE_TIMEOUT)
            .keep_alive_while_idle(true)
            .initial_stream_window_size(STREAM_WINDOW)
            .initial_connection_window_size(CONNECTION_WINDOW);
        if let Some(tls) = self.access.client_tls() {
            endpoint = endpoint.tls_config(tls)?;
        }
        // Connections are driven where no query runs.
        let _network = self.network.enter();
        let access = self.access.clone();
        let signed = endpoint.connect_lazy().map_request(move |mut request: http::Request<Body>| {
            access.sign(request.headers_mut());
            request
        });
        Ok(BoxCloneSyncChannel::new(signed))
    }
}

#[async_trait]
impl ChannelResolver for Channels {
    async fn get_worker_client_for_url(&self, url: &Url) -> Result<Box<dyn WorkerChannel>> {
        let channel = self.channel(url).map_err(|error| DataFusionError::External(error.into()))?;
        Ok(Box::new(StageChannel { url: url.clone(), client: create_worker_client(channel) }))
    }
}

/// Brings stages in our encoding, and says in errors which worker was lost.
struct StageChannel {
    url: Url,
    client: Box<dyn WorkerChannel>,
}

#[async_trait]
impl WorkerChannel for StageChannel {
    async fn coordinator_channel(
        &mut self,
        headers: HeaderMap,
        request: SetPlanRequest,
        messages: BoxStream<'static, CoordinatorToWorkerMsg>,
        metrics: ExecutionPlanMetricsSet,
        tasks: &Arc<TaskContext>,
    ) -> Result<BoxStream<'static, Result<WorkerToCoordinatorMsg>>> {
        let request = encoded(request, tasks)?;
        let url = self.url.clone();
        let answers = self.client.coordinator_channel(headers, request, messages, metrics, tasks).await;
        let answers = answers.map_err(|error| lost_worker::of_call(&url, error))?;
        Ok(answers.map(move |answer| answer.map_err(|error| lost_worker::of_call(&url, error))).boxed())
    }

    async fn execute_task(
        &mut self,
        headers: HeaderMap,
        request: ExecuteTaskRequest,
        metrics: ExecutionPlanMetricsSet,
        tasks: &Arc<TaskContext>,
    ) -> Result<Vec<BoxStream<'static, Result<RecordBatch>>>> {
        let url = self.url.clone();
        let streams = self.client.execute_task(headers, request, metrics, tasks).await;
        let streams = streams.map_err(|error| lost_worker::of_call(&url, error))?;
        let marked = |stream: BoxStream<'static, Result<RecordBatch>>| {
            let url = url.clone();
            stream.map(move |batch| batch.map_err(|error| lost_worker::of_call(&url, error))).boxed()
        };
        Ok(streams.into_iter().map(marked).collect())
    }

    async fn get_worker_info(&mut self, request: GetWorkerInfoRequest) -> Result<GetWorkerInfoResponse> {
        self.client.get_worker_info(request).await
    }
}
