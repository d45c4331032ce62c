//! Jobs: what runs, how far it is, what it said, and how to stop it. Every query kind, ingest and the sample chain are jobs.

mod call;
mod context;
mod handle;
pub mod memory_watchdog;
mod parameters;
mod queue;
mod run;
mod user_tables;

use std::time::SystemTime;

use quarry_types::{Error, Position};

pub use context::{Job, JobContext};
pub use handle::JobHandle;
pub use parameters::Parameters;
pub use queue::{Jobs, QueueLimits};
pub use user_tables::{ReadTable, Schemas, SharedTable, TableReads};

/// Kind of a job; the names are the contract's.
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

/// State of a job; the names are the contract's.
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
    /// Whether the job has ended and will not change any more.
    pub fn is_final(self) -> bool {
        matches!(self, JobState::Succeeded | JobState::Failed | JobState::Killed)
    }
}

/// What a caller hands in.
#[derive(Debug, Clone, Default)]
pub struct JobRequest {
    /// Chosen by the caller, unique: letters, digits, `-` and `_`, at most 64.
    pub id: String,
    pub kind: JobKind,
    /// The text of the query.
    pub text: String,
    /// Whose job it is; the queue is fair between owners.
    pub owner: String,
    /// The tables of users that it may read and write.
    pub schemas: Schemas,
    /// Values for the parameters of the text.
    pub parameters: Parameters,
    /// What the kinds without a text (MAPREDUCE, LABEL) run; an object whose members each kind documents.
    pub spec: Option<serde_json::Value>,
    /// Whether nobody waits for it: it has a queue of its own, and queries that somebody waits for go first.
    pub background: bool,
}

/// How far a job is. Totals are known only where the plan has them; a percentage exists only then.
#[derive(Debug, Clone, Default, PartialEq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Progress {
    /// 0 to 100, never falls; `None` when the total is unknown.
    pub percent: Option<f64>,
    /// What happens now, as a stable word: `queued`, `planning`, `reading`, `aggregating`, `sorting`, `joining`, `writing`,
    /// `done`.
    pub stage: String,
    pub rows_read: u64,
    pub rows_total: Option<u64>,
    pub bytes_read: u64,
    pub bytes_total: Option<u64>,
    /// Rows of the result written so far.
    pub rows_out: u64,
}

/// Why a job failed, as a person and a program read it.
#[derive(Debug, Clone, PartialEq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct JobError {
    /// `ErrorCode::as_str`.
    pub code: String,
    pub message: String,
    pub position: Option<Position>,
    /// The field of the spec that it is about; the position is one in its text.
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

/// One line a job said, for the person who watches it.
#[derive(Debug, Clone, PartialEq)]
pub struct LogLine {
    pub time: SystemTime,
    pub text: String,
}

/// The whole public state of a job at one moment: what a new subscriber gets first and what every event carries.
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
    /// Grows by one with every change, so that a late message can be distinguished from a new one.
    pub version: u64,
}
