//! Checking the lake again beside the server: started by the back office, one check at a time.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use quarry_ingest::verify::{self, Mismatch, VerifyConfig, VerifyProgress};
use quarry_lake::Lake;
use quarry_types::{Error, ErrorCode};
use serde::Serialize;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;
use utoipa::ToSchema;

use crate::time::now_ms;

/// Mismatches of a check that are kept whole; the rest are counted.
const KEPT: usize = 50;

/// Blocks `from` to `to`, both included.
#[derive(Debug, Serialize, ToSchema)]
pub struct Blocks {
    pub from: i64,
    pub to: i64,
}

/// Proves the blocks of the lake from what is stored, when somebody asks for it.
pub struct Checking {
    lake: Lake,
    tasks: TaskTracker,
    /// Of the server.
    stop: CancellationToken,
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    /// Ends the check that is under way.
    running: Option<CancellationToken>,
    check: Option<CheckStatus>,
}

/// The check that is under way, or the last one.
#[derive(Debug, Clone)]
pub struct CheckStatus {
    pub end: CheckEnd,
    /// Milliseconds since 1970, like `finished_at`.
    pub started_at: i64,
    pub finished_at: Option<i64>,
    /// First and last block of it; `None` until the lake was read.
    pub blocks: Option<(i64, i64)>,
    pub blocks_total: u64,
    pub blocks_done: u64,
    /// What did not pass, all of it.
    pub mismatches: u64,
    /// The first of them, in the order of the chain.
    pub found: Vec<Mismatch>,
}

/// How a check ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CheckEnd {
    /// It is under way.
    Running,
    /// Every block was looked at.
    Done,
    /// Somebody stopped it, or the server.
    Stopped,
    /// It could not go on.
    Failed(String),
}

impl Checking {
    /// Checks nothing yet.
    pub fn new(lake: Lake, tasks: TaskTracker, stop: CancellationToken) -> Checking {
        Checking { lake, tasks, stop, state: Mutex::default() }
    }

    /// Begins with the newest blocks, or with all of them; false when a check is under way.
    pub fn start(self: &Arc<Checking>, newest: Option<u64>) -> bool {
        let run = self.stop.child_token();
        {
            let mut state = self.state();
            if state.running.is_some() {
                return false;
            }
            state.running = Some(run.clone());
            state.check = Some(CheckStatus {
                end: CheckEnd::Running,
                started_at: now_ms(),
                finished_at: None,
                blocks: None,
                blocks_total: 0,
                blocks_done: 0,
                mismatches: 0,
                found: Vec::new(),
            });
        }
        let checking = self.clone();
        self.tasks.spawn(async move {
            let end = match run.run_until_cancelled(checking.check(newest)).await {
                None => CheckEnd::Stopped,
                Some(Ok(())) => CheckEnd::Done,
                Some(Err(error)) => {
                    tracing::error!(%error, "the lake could not be checked");
                    CheckEnd::Failed(error.to_string())
                }
            };
            checking.state().running = None;
            checking.note(|check| (check.end, check.finished_at) = (end, Some(now_ms())));
        });
        true
    }

    /// Ends the check that is under way; false when there is none.
    pub fn stop(&self) -> bool {
        let running = self.state().running.clone().filter(|run| !run.is_cancelled());
        running.inspect(CancellationToken::cancel).is_some()
    }

    /// `None` before the first check.
    pub fn status(&self) -> Option<CheckStatus> {
        self.state().check.clone()
    }

    async fn check(&self, newest: Option<u64>) -> Result<(), Error> {
        let Some(head) = self.lake.snapshot().await?.head else {
            return Err(Error::new(ErrorCode::InvalidInput, "The lake holds no blocks."));
        };
        let from = newest.map(|blocks| head.number.unsigned_abs().saturating_sub(blocks.saturating_sub(1)));
        let to = Some(head.number.unsigned_abs());
        let config = VerifyConfig { from, to, nodes: Vec::new() };
        let progress = |VerifyProgress { blocks_total, blocks_done }| {
            self.note(|check| (check.blocks_total, check.blocks_done) = (blocks_total, blocks_done));
        };
        let found = |mismatch: &Mismatch| {
            tracing::error!(%mismatch, "the lake holds a block that does not prove itself");
            self.note(|check| {
                check.mismatches += 1;
                if check.found.len() < KEPT {
                    check.found.push(mismatch.clone());
                }
            });
        };
        let done = verify::run(&self.lake, config, progress, found).await?;
        self.note(|check| check.blocks = Some((done.range.from, done.range.to)));
        Ok(())
    }

    fn note(&self, change: impl FnOnce(&mut CheckStatus)) {
        if let Some(check) = self.state().check.as_mut() {
            change(check);
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        // A panic between two statements here leaves a whole value behind, so a poisoned lock is still good.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
