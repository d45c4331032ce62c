//! What a batch job says beside its state: the lines of its log, and its progress under the product's own name.

use quarry_runtime::job::JobHandle;

use super::message::{HiveLog, HiveLogLine, ServerMessage, YarnApplication};
use crate::jobs::model::{JobView, Kind};
use crate::jobs::store::JobRow;
use crate::time;

/// A HIVE or MAPREDUCE job that somebody follows.
pub(super) struct Batch {
    handle: JobHandle,
    kind: Kind,
    /// Lines that were sent.
    sent: usize,
}

impl Batch {
    /// Only batch jobs say more than their state.
    pub fn of(handle: &JobHandle, row: &JobRow) -> Option<Batch> {
        matches!(row.kind, Kind::Hive | Kind::MapReduce).then(|| Batch {
            handle: handle.clone(),
            kind: row.kind,
            sent: 0,
        })
    }

    /// What is new since the last time.
    pub fn news(&mut self, view: &JobView) -> Vec<ServerMessage> {
        let mut logs = self.handle.logs();
        let lines = logs.split_off(self.sent.min(logs.len()));
        self.sent += lines.len();
        let mut news = vec![ServerMessage::YarnApplication(YarnApplication {
            job_id: view.job_id.clone(),
            progress: view.progress,
            websocket_contract_name: self.kind.name().to_string(),
        })];
        if !lines.is_empty() {
            let line =
                |line: quarry_runtime::job::LogLine| HiveLogLine { time: time::to_ms(line.time), text: line.text };
            let lines = lines.into_iter().map(line).collect();
            let log = HiveLog { job_id: view.job_id.clone(), lines };
            news.push(match self.kind {
                Kind::MapReduce => ServerMessage::MapReduceLog(log),
                _ => ServerMessage::HiveLog(log),
            });
        }
        news
    }
}
