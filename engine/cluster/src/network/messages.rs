//! The messages beside stages: how a process is, what a run has read there, its end, registration and draining.

use datafusion_distributed::grpc::BoxCloneSyncChannel;
use http::uri::PathAndQuery;
use tonic::{Request, Response, Status};
use tonic_prost::ProstCodec;

const METHOD: PathAndQuery = PathAndQuery::from_static("/quarry.cluster.Control/Ask");

#[derive(Clone, PartialEq, prost::Message)]
pub(super) struct Question {
    #[prost(oneof = "Ask", tags = "1, 2, 3, 4, 5")]
    pub ask: Option<Ask>,
}

#[derive(Clone, PartialEq, prost::Oneof)]
pub(super) enum Ask {
    /// How the process is.
    #[prost(bool, tag = "1")]
    Status(bool),
    /// What the scans of this run have read.
    #[prost(string, tag = "2")]
    Counts(String),
    /// Ends this run.
    #[prost(string, tag = "3")]
    End(String),
    /// Takes the worker at this address into the cluster.
    #[prost(string, tag = "4")]
    Register(String),
    /// The worker is to end when its queries have.
    #[prost(bool, tag = "5")]
    Drain(bool),
}

#[derive(Clone, PartialEq, prost::Message)]
pub(super) struct Answer {
    #[prost(message, optional, tag = "1")]
    pub status: Option<ProcessStatus>,
    #[prost(uint64, tag = "2")]
    pub rows_read: u64,
    #[prost(uint64, tag = "3")]
    pub bytes_read: u64,
}

/// How a process is.
#[derive(Clone, PartialEq, prost::Message)]
pub(super) struct ProcessStatus {
    #[prost(string, tag = "1")]
    pub build: String,
    /// It ends when its last run has.
    #[prost(bool, tag = "2")]
    pub draining: bool,
    /// Runs of queries with stages there.
    #[prost(uint64, tag = "3")]
    pub runs: u64,
    /// Bytes that operators have reserved.
    #[prost(uint64, tag = "4")]
    pub memory: u64,
    #[prost(uint64, tag = "5")]
    pub memory_limit: u64,
    /// Another one after each start.
    #[prost(string, tag = "6")]
    pub instance: String,
}

/// Asks another process.
///
/// # Errors
///
/// It can't be reached, or refuses.
pub(super) async fn ask(channel: BoxCloneSyncChannel, ask: Ask) -> Result<Answer, Status> {
    let mut client = tonic::client::Grpc::new(channel);
    client.ready().await.map_err(|error| Status::unavailable(error.to_string()))?;
    let question = Request::new(Question { ask: Some(ask) });
    client.unary(question, METHOD, ProstCodec::default()).await.map(Response::into_inner)
}
