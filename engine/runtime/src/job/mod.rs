//! Jobs: state, progress, log lines, cancellation, and the queue. Every query kind runs as a job.

mod call;
mod context;
mod handle;
pub mod memory_watchdog;
mod queue;
mod run;
mod table_access;

use std::collections::BTreeMap;
use std::time::SystemTime;

use serde_json::Value;

use quarry_types::{Error, Position};

pub use context::{Job, JobContext};
pub use handle::JobHandle;
pub use queue::{Jobs, QueueLimits};
pub use table_access::{ReadTable, Schemas, SharedTable, TableReads};

/// Values of query parameters by the name between `{{` and `}}`. A value is plain JSON (text, number, boolean, list, or
/// `{"start": …, "end": …}` for a range) or has an explicit type, `{"type": "number", "value": "42"}`: one of `text`, `number`, `date`,
/// `range` and `list`.
pub type Parameters = BTreeMap<String, Value>;

/// Kind of a job, by its name in the API.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "UPPERCASE")]
pub enum JobKind {
    #[default]
    Sql,
    Hive,
    Graph,
    MapReduce,
    Label,
}

/// State of a job, by its name in the API.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "UPPERCASE")]
pub enum JobState {
    Queued,
    Running,
    Succeeded,
    Failed,
    Killed,
}

impl JobState {
    /// Whether the job has ended.
    pub fn is_final(self) -> bool {
        matches!(self, JobState::Succeeded | JobState::Failed | JobState::Killed)
    }
}

/// A job to run.
#[derive(Debug, Clone, Default)]
pub struct JobRequest {
    /// Unique, chosen by the caller: letters, digits, `-` and `_`, at most 64.
    pub id: String,
    pub kind: JobKind,
    /// The text of the query.
    pub text: String,
    /// The owner; the queue is fair between owners.
    pub owner: String,
    /// The user tables that the job may read and write.
    pub schemas: Schemas,
    /// Values for the parameters of the text.
    pub parameters: Parameters,
    /// The spec of the kinds without a text (MAPREDUCE, LABEL); each kind documents its fields.
    pub spec: Option<Value>,
    /// Whether no user waits for it. Such jobs have a queue and a lower priority of their own.
    pub background: bool,
}

/// Progress of a job. Totals, and so a percentage, are known only for some plans.
#[derive(Debug, Clone, Default, PartialEq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Progress {
    /// 0 to 100, never decreases; `None` if the total is unknown.
    pub percent: Option<f64>,
    /// The current stage, a stable word: `queued`, `planning`, `reading`, `aggregating`, `sorting`, `joining`, `writing`,
    /// `done`.
    pub stage: String,
    pub rows_read: u64,
    pub rows_total: Option<u64>,
    pub bytes_read: u64,
    pub bytes_total: Option<u64>,
    /// Rows of the result written so far.
    pub rows_out: u64,
}

/// Why a job failed, for users and programs.
#[derive(Debug, Clone, PartialEq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct JobError {
    /// `ErrorCode::as_str`.
    pub code: String,
    pub message: String,
    pub position: Option<Position>,
    /// The field of the spec with the error; `position` refers to its text.
    pub param: Option<String>,
}

impl From<&Error> for JobError {
    fn from(error: &Error) -> JobError {
        JobError {
            code: error.code.as_str().to_string(),
            message: error.message.clone(),
            position: error.position,
            param: error.param.map(str::to_string),
        }
    }
}

/// A line of the log of a job.
#[derive(Debug, Clone, PartialEq)]
pub struct LogLine {
    pub time: SystemTime,
    pub text: String,
}

/// The public state of a job at one moment. A new subscriber gets it first, and every event has it.
#[derive(Debug, Clone)]
pub struct JobSnapshot {
    pub id: String,
    pub kind: JobKind,
    pub owner: String,
    pub state: JobState,
    pub progress: Progress,
    pub created: SystemTime,
    pub started: Option<SystemTime>,
    pub finished: Option<SystemTime>,
    pub error: Option<JobError>,
    /// Increases with every change, so that subscribers can ignore late messages.
    pub version: u64,
}
