//! Serves stages and control calls.

use std::time::Duration;

use quarry_types::{Error, Result};
use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;
use tonic::service::Routes;
use tonic::transport::Server;
use tonic::transport::server::TcpIncoming;

use super::access::Access;
use super::control::{Control, Role};
use super::guard::Guard;
use crate::worker::StageWorker;

/// The largest message that brings a stage: a plan and what belongs to it.
const MAX_REQUEST_BYTES: usize = 65 << 20;
/// A connection without an answer for this long is closed, and its stages end: whoever planned them has vanished.
const KEEP_ALIVE_INTERVAL: Duration = Duration::from_secs(5);
const KEEP_ALIVE_TIMEOUT: Duration = Duration::from_secs(20);

/// What a process of a cluster serves.
pub(super) struct ClusterServer {
    pub stages: StageWorker,
    pub build: String,
    pub access: Access,
    pub role: Role,
}

impl ClusterServer {
    /// Serves until it is stopped.
    ///
    /// # Errors
    ///
    /// Others could reach the address without a secret, a certificate is not valid, or the listener fails.
    pub async fn serve(self, listener: TcpListener, stop: CancellationToken) -> Result<()> {
        let ClusterServer { stages, build, access, role } = self;
        let guard = Guard { access: access.clone(), takes_stages: matches!(role, Role::Worker { .. }) };
        let worker = stages.worker.into_worker_server().max_decoding_message_size(MAX_REQUEST_BYTES);
        let control = Control { build, instance: format!("{:032x}", rand::random::<u128>()), runs: stages.runs, role };
        let mut server = Server::builder()
            .http2_keepalive_interval(Some(KEEP_ALIVE_INTERVAL))
            .http2_keepalive_timeout(Some(KEEP_ALIVE_TIMEOUT));
        if let Some(tls) = access.server_tls() {
            server = server.tls_config(tls).map_err(Error::internal)?;
        }
        server
            .layer(guard)
            .add_routes(Routes::new(worker).add_service(control))
            .serve_with_incoming_shutdown(TcpIncoming::from(listener).with_nodelay(Some(true)), stop.cancelled_owned())
            .await
            .map_err(Error::internal)
    }
}
