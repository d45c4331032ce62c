//! The messages of the websocket, both ways.

use quarry_lake::Head;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::http::strict::within;
use crate::jobs::model::JobView;
use crate::time::milliseconds;

/// What a client may send.
#[derive(Debug, Deserialize, PartialEq, ToSchema)]
#[serde(tag = "type", content = "data")]
pub enum ClientMessage {
    /// Follow a job: its last state comes at once, then every change until it ends.
    #[serde(rename = "job.subscribe")]
    Subscribe(#[serde(deserialize_with = "within")] JobRef),
    #[serde(rename = "job.unsubscribe")]
    Unsubscribe(#[serde(deserialize_with = "within")] JobRef),
    /// Sends a private letter; answered by `chat.ack` with the same time, or by `error`.
    #[serde(rename = "chat.message")]
    Chat(#[serde(deserialize_with = "within")] ChatSend),
    /// Answered by `pong`.
    #[serde(rename = "ping")]
    Ping(#[serde(deserialize_with = "within")] Empty),
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
    /// What a HIVE job said since the last message about it.
    #[serde(rename = "hive.log")]
    HiveLog(HiveLog),
    /// What a MAPREDUCE job said since the last message about it.
    #[serde(rename = "mr.log")]
    MapReduceLog(HiveLog),
    /// How far a HIVE or MAPREDUCE job is, for the badge on the feedback button.
    #[serde(rename = "yarn.application")]
    YarnApplication(YarnApplication),
    /// A private letter to this user.
    #[serde(rename = "chat.message")]
    Chat(ChatMessage),
    /// A letter of this socket was kept. The same letter may be acknowledged again when it was sent again.
    #[serde(rename = "chat.ack")]
    ChatAck(ChatAck),
    /// A letter that this user sent, for the other tabs of the same user.
    #[serde(rename = "chat.sent")]
    ChatSent(ChatMessage),
    /// Somebody read the letters of this user, or this user read somebody's in another tab.
    #[serde(rename = "chat.read")]
    ChatRead(ChatRead),
    /// The lake has another newest block: more blocks came, or the chain was reorganised.
    #[serde(rename = "chain.head")]
    Head(ChainHead),
    /// A message of the administrators to everybody.
    #[serde(rename = "platform.message")]
    Platform(PlatformMessage),
    /// A transaction that this user asked to decode.
    #[serde(rename = "decoder.state")]
    Decoder(DecoderState),
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

/// Lines of a job's log, oldest first.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct HiveLog {
    pub job_id: String,
    pub lines: Vec<HiveLogLine>,
}

#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct HiveLogLine {
    /// Milliseconds since 1970.
    pub time: i64,
    pub text: String,
}

/// The names are those of the product's documents; there is no Hadoop behind them.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct YarnApplication {
    pub job_id: String,
    /// 0 to 100.
    pub progress: f64,
    /// `HIVE` or `MAPREDUCE`.
    pub websocket_contract_name: String,
}

/// A letter as its sender writes it.
#[derive(Debug, Deserialize, PartialEq, ToSchema)]
pub struct ChatSend {
    /// Name of the receiver, `@@@`, and the text of 1 to 2,000 characters.
    pub msg: String,
    /// `id@@@timestamp`: what the sender calls this letter. The same again is the same letter.
    pub time: String,
}

#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct ChatMessage {
    pub msg: String,
    /// Milliseconds since 1970.
    pub time: i64,
    /// Name of the sender.
    pub from: String,
    /// Name of the receiver.
    pub to: String,
}

#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct ChatAck {
    /// Always `ack`.
    #[serde(rename = "type")]
    pub kind: String,
    /// The time that the letter was sent with.
    pub time: String,
}

#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct ChatRead {
    /// Name of the user who read.
    pub by: String,
    /// Name of the user whose letters were read.
    pub from: String,
}

#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct PlatformMessage {
    pub msg: String,
    /// Milliseconds since 1970.
    pub time: i64,
    /// `info` or `warning`.
    #[serde(rename = "type")]
    pub kind: String,
}

/// One transaction of a request to `POST /api/decoder/decode`.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct DecoderState {
    /// What the client called the request.
    pub request_id: Option<String>,
    pub hash: String,
    /// As in the answer of the call; null when the lake does not hold the transaction.
    pub decoded_result: serde_json::Value,
    /// Transactions of the request that were found so far.
    pub count: usize,
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
    /// The letter that was meant, by the time it was sent with.
    pub time: Option<String>,
}

impl ServerMessage {
    pub fn error(code: &str, message: &str, job_id: Option<String>) -> ServerMessage {
        ServerMessage::Error(SocketError { code: code.to_string(), message: message.to_string(), job_id, time: None })
    }

    /// A letter could not be sent.
    pub fn unsent(code: &str, message: &str, time: String) -> ServerMessage {
        let (code, message) = (code.to_string(), message.to_string());
        ServerMessage::Error(SocketError { code, message, job_id: None, time: Some(time) })
    }
}

/// The newest block.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct ChainHead {
    pub number: i64,
    /// `0x…`
    pub hash: String,
    /// Milliseconds since 1970.
    pub time: i64,
}

impl From<Head> for ChainHead {
    fn from(head: Head) -> ChainHead {
        ChainHead { number: head.number, hash: format!("{:#x}", head.hash), time: milliseconds(head.time) }
    }
}
