//! A job as the API and the websocket show it.

use quarry_runtime::job::{JobKind, JobSnapshot, JobState, Parameters, Progress};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::ToSchema;

use super::store::{Ended, JobRow};
use crate::http::envelope::TextPosition;
use crate::time;

/// Newer than every version of a job that runs: what only the database remembers has ended. The largest whole number that
/// JavaScript holds.
const LAST_VERSION: u64 = (1 << 53) - 1;

/// Characters of a job's title, and of its text that lists show.
pub const TITLE: usize = 200;

/// Kind of a job.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "UPPERCASE")]
pub enum Kind {
    Sql,
    Hive,
    Graph,
    MapReduce,
    Label,
}

impl Kind {
    pub const ALL: [Kind; 5] = [Kind::Sql, Kind::Hive, Kind::Graph, Kind::MapReduce, Kind::Label];

    pub fn name(self) -> &'static str {
        match self {
            Kind::Sql => "SQL",
            Kind::Hive => "HIVE",
            Kind::Graph => "GRAPH",
            Kind::MapReduce => "MAPREDUCE",
            Kind::Label => "LABEL",
        }
    }

    pub fn parse(name: &str) -> Option<Kind> {
        Kind::ALL.into_iter().find(|kind| kind.name() == name)
    }

    /// Whether jobs of it run a spec, not a text.
    pub fn has_spec(self) -> bool {
        matches!(self, Kind::MapReduce | Kind::Label)
    }
}

/// What a job runs: a text with its parameters, or a spec.
#[derive(Debug, Clone)]
pub struct Work {
    pub kind: Kind,
    pub text: String,
    pub spec: Option<Value>,
    pub parameters: Parameters,
    /// What lists call it; empty where its text speaks for itself.
    pub title: String,
}

impl Work {
    /// The text that is remembered: a spec as JSON.
    pub fn remembered(&self) -> String {
        match &self.spec {
            Some(spec) if self.kind.has_spec() => spec.to_string(),
            _ => self.text.clone(),
        }
    }
}

/// The spec of a remembered job, if its kind has one.
pub fn spec_of(kind: Kind, text: &str) -> Option<Value> {
    if kind.has_spec() { serde_json::from_str(text).ok() } else { None }
}

/// State of a job.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "UPPERCASE")]
pub enum State {
    Queued,
    Running,
    Succeeded,
    Failed,
    Killed,
}

impl State {
    pub const ALL: [State; 5] = [State::Queued, State::Running, State::Succeeded, State::Failed, State::Killed];

    pub fn name(self) -> &'static str {
        match self {
            State::Queued => "QUEUED",
            State::Running => "RUNNING",
            State::Succeeded => "SUCCEEDED",
            State::Failed => "FAILED",
            State::Killed => "KILLED",
        }
    }

    pub fn parse(name: &str) -> Option<State> {
        State::ALL.into_iter().find(|state| state.name() == name)
    }

    /// Whether the job has ended.
    pub fn is_final(self) -> bool {
        matches!(self, State::Succeeded | State::Failed | State::Killed)
    }
}

/// What a job has read and written so far.
#[derive(Debug, Clone, Default, PartialEq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Detail {
    /// 0 to 100; null as long as the total is unknown.
    pub percent: Option<f64>,
    /// What happens now: `queued`, `planning`, `reading`, `aggregating`, `sorting`, `joining`, `writing`; `done`.
    pub stage: String,
    pub rows_read: u64,
    pub rows_total: Option<u64>,
    pub bytes_read: u64,
    pub bytes_total: Option<u64>,
    /// Rows of the result so far.
    pub rows_out: u64,
}

impl From<JobState> for State {
    fn from(state: JobState) -> State {
        match state {
            JobState::Queued => State::Queued,
            JobState::Running => State::Running,
            JobState::Succeeded => State::Succeeded,
            JobState::Failed => State::Failed,
            JobState::Killed => State::Killed,
        }
    }
}

impl From<Kind> for JobKind {
    fn from(kind: Kind) -> JobKind {
        match kind {
            Kind::Sql => JobKind::Sql,
            Kind::Hive => JobKind::Hive,
            Kind::Graph => JobKind::Graph,
            Kind::MapReduce => JobKind::MapReduce,
            Kind::Label => JobKind::Label,
        }
    }
}

impl From<Progress> for Detail {
    fn from(from: Progress) -> Detail {
        Detail {
            percent: from.percent,
            stage: from.stage,
            rows_read: from.rows_read,
            rows_total: from.rows_total,
            bytes_read: from.bytes_read,
            bytes_total: from.bytes_total,
            rows_out: from.rows_out,
        }
    }
}

/// A job at one moment.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct JobView {
    pub job_id: String,
    pub kind: Kind,
    pub state: State,
    /// 0 to 100; 0 as long as it is unknown (`detail.percent` tells these apart), 100 when the job succeeded.
    pub progress: f64,
    /// What was read and written; null for a job of an earlier start of the server.
    pub detail: Option<Detail>,
    /// Milliseconds since 1970, like every time here.
    pub create_time: i64,
    pub start_time: Option<i64>,
    pub finish_time: Option<i64>,
    /// From start to finish, or to now; 0 while the job waits.
    pub elapsed_ms: i64,
    /// Rows of the result; null until the job succeeded.
    pub rows: Option<i64>,
    /// Why the job failed, as a sentence; empty otherwise.
    pub message: String,
    /// Stable name of the failure.
    pub code: Option<String>,
    /// Where in the text the failure is.
    pub position: Option<TextPosition>,
    /// The field of the spec that the failure is about; `position` is one in its text.
    pub param: Option<String>,
    /// The title of the saved query or the one that the job was run with; else the name of the table or label where there
    /// is a spec, the comment that the text starts with, or its first characters.
    pub title: String,
    /// The whole text; only where one job is asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    /// What a MAPREDUCE or LABEL job runs, in place of a text.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<Object>)]
    pub spec: Option<Value>,
    /// The values it ran with, by their names; only where one job is asked for that ran with some.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<std::collections::HashMap<String, serde_json::Value>>)]
    pub parameters: Option<Value>,
    /// Who ran it.
    pub user_name: String,
    /// Grows with every change of the job while it runs, so that a late message can be told from a new one.
    pub version: u64,
}

impl JobView {
    /// The job as the database remembers it, brought up to date by what the engine says of it.
    pub fn new(row: &JobRow, live: Option<&JobSnapshot>) -> JobView {
        let state = live.map_or(row.state, |live| live.state.into());
        let ended = live.map_or_else(|| row.ended.clone(), ended);
        let until = ended.finished_at.unwrap_or_else(time::now_ms);
        JobView {
            job_id: row.id.clone(),
            kind: row.kind,
            state,
            progress: ended.progress,
            detail: live.map(|live| live.progress.clone().into()),
            create_time: row.created_at,
            start_time: ended.started_at,
            finish_time: ended.finished_at,
            elapsed_ms: ended.started_at.map_or(0, |started| (until - started).max(0)),
            rows: ended.rows,
            message: ended.message,
            code: ended.code,
            position: ended
                .position
                .map(|(line, column)| TextPosition { line: unsigned(line), column: unsigned(column) }),
            param: ended.param,
            title: title(row),
            text: None,
            spec: None,
            parameters: None,
            user_name: row.owner_name.clone(),
            version: live.map_or(LAST_VERSION, |live| live.version),
        }
    }
}

/// What a snapshot of the engine says, as the database keeps it.
pub fn ended(snapshot: &JobSnapshot) -> Ended {
    let succeeded = snapshot.state == JobState::Succeeded;
    let error = snapshot.error.as_ref();
    let position = error.and_then(|error| error.position);
    Ended {
        started_at: snapshot.started.map(time::to_ms),
        finished_at: snapshot.finished.map(time::to_ms),
        progress: if succeeded { 100.0 } else { snapshot.progress.percent.unwrap_or(0.0) },
        rows: succeeded.then(|| signed(snapshot.progress.rows_out)),
        message: error.map(|error| error.message.clone()).unwrap_or_default(),
        code: error.map(|error| error.code.clone()),
        position: position.map(|at| (signed(at.line), signed(at.column))),
        param: error.and_then(|error| error.param.clone()),
    }
}

/// What lists show of a job.
fn title(row: &JobRow) -> String {
    let named = || {
        let spec = spec_of(row.kind, &row.text)?;
        ["tableName", "label"].iter().find_map(|name| spec.get(name)?.as_str().map(str::to_string))
    };
    let given = Some(row.title.clone()).filter(|title| !title.is_empty());
    let found = given.or_else(named).or_else(|| first_comment(&row.text).map(str::to_string));
    let title = found.filter(|title| !title.is_empty()).unwrap_or_else(|| row.text.clone());
    title.chars().take(TITLE).collect()
}

/// What the comment says that a text starts with, of SQL, HIVE or GRAPH.
fn first_comment(text: &str) -> Option<&str> {
    let line = text.trim_start().lines().next()?;
    line.strip_prefix("--").or_else(|| line.strip_prefix("//")).map(str::trim)
}

fn signed(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}

fn unsigned(number: i64) -> u64 {
    u64::try_from(number).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn called(kind: Kind, title: &str, text: &str) -> String {
        let row = JobRow {
            id: String::new(),
            owner_id: 1,
            owner_name: String::new(),
            kind,
            state: State::Queued,
            title: title.to_string(),
            text: text.to_string(),
            created_at: 0,
            ended: Ended::default(),
        };
        JobView::new(&row, None).title
    }

    #[test]
    fn a_job_is_called_by_its_title_its_form_its_first_comment_or_its_text() {
        assert_eq!(called(Kind::Sql, "Fees by day", "-- Fees\nselect 1"), "Fees by day");
        assert_eq!(called(Kind::Sql, "", "\n-- Fees by hour\nselect 1"), "Fees by hour");
        assert_eq!(called(Kind::Graph, "", "// Who pays whom\nMATCH (a) RETURN a"), "Who pays whom");
        assert_eq!(called(Kind::Hive, "", "--\nselect 1"), "--\nselect 1");
        assert_eq!(called(Kind::Sql, "", "select 1 -- one"), "select 1 -- one");
        assert_eq!(called(Kind::MapReduce, "", r#"{"tableName":"fees"}"#), "fees");
        assert_eq!(called(Kind::Sql, "", &"x".repeat(300)).len(), TITLE);
    }
}
