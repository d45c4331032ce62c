//! The messages of the websocket, both ways.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::jobs::model::JobView;

/// What a client may send.
#[derive(Debug, Deserialize, PartialEq, ToSchema)]
#[serde(tag = "type", content = "data")]
pub enum ClientMessage {
    /// Follow a job: its last state comes at once, then every change until it ends.
    #[serde(rename = "job.subscribe")]
    Subscribe(JobRef),
    #[serde(rename = "job.unsubscribe")]
    Unsubscribe(JobRef),
    /// Answered by `pong`.
    #[serde(rename = "ping")]
    Ping(Empty),
}

/// What the server sends.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[serde(tag = "type", content = "data")]
pub enum ServerMessage {
    /// The state of a subscribed job, at most ten times a second, and the last state always.
    #[serde(rename = "job.progress")]
    Progress(Box<JobView>),
    /// Another state of any job of this user.
    #[serde(rename = "job.state")]
    State(Box<JobView>),
    /// Messages were lost because the client read too slowly: load again what is shown.
    #[serde(rename = "resync")]
    Resync(Empty),
    /// A message could not be used.
    #[serde(rename = "error")]
    Error(SocketError),
    #[serde(rename = "pong")]
    Pong(Empty),
}

#[derive(Debug, Deserialize, PartialEq, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct JobRef {
    pub job_id: String,
}

#[derive(Debug, Clone, Default, Serialize, Deserialize, PartialEq, ToSchema)]
pub struct Empty {}

#[derive(Debug, Clone, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SocketError {
    /// Stable name of what went wrong.
    pub code: String,
    pub message: String,
    /// The job that was meant.
    pub job_id: Option<String>,
}

impl ServerMessage {
    pub fn error(code: &str, message: &str, job_id: Option<String>) -> ServerMessage {
        ServerMessage::Error(SocketError { code: code.to_string(), message: message.to_string(), job_id })
    }
}
