//! Following the head of a chain beside the server: started and stopped by the settings and by the back office.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use quarry_ingest::{FollowConfig, FollowEvent};
use quarry_lake::Lake;
use quarry_types::{Error, ErrorCode};
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use crate::time::now_ms;
use crate::upkeep;

/// Between two tries while another process writes the lake, or after a failure that may pass.
const AGAIN: Duration = Duration::from_secs(10);

/// Follows the nodes of the settings, or does not.
pub struct Following {
    lake: Lake,
    config: FollowConfig,
    tasks: TaskTracker,
    /// Of the server.
    stop: CancellationToken,
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    /// Ends the run that is under way.
    running: Option<CancellationToken>,
    /// Counts the runs, so that the end of one is not taken for the end of the next.
    run: u64,
    started_at: Option<i64>,
    head: Option<i64>,
    /// Blocks that the nodes have and the lake has not, when it was seen last.
    behind: Option<u64>,
    trouble: Option<(i64, String)>,
}

/// How following fares.
#[derive(Debug, Clone, Default)]
pub struct FollowStatus {
    pub running: bool,
    /// Scheme, host and port of the nodes: without what may be a secret.
    pub nodes: Vec<String>,
    /// Milliseconds since 1970, like the time of trouble.
    pub started_at: Option<i64>,
    /// Newest block that came from the nodes.
    pub head: Option<i64>,
    pub behind: Option<u64>,
    /// What went wrong last in this run, and when.
    pub trouble: Option<(i64, String)>,
}

impl Following {
    /// Follows nothing yet.
    pub fn new(lake: Lake, config: FollowConfig, tasks: TaskTracker, stop: CancellationToken) -> Following {
        Following { lake, config, tasks, stop, state: Mutex::default() }
    }

    /// Whether there are nodes to follow.
    pub fn is_possible(&self) -> bool {
        !self.config.nodes.is_empty()
    }

    /// Begins, unless it has; false when it had.
    pub fn start(self: &std::sync::Arc<Following>) -> bool {
        let run = self.stop.child_token();
        let number = {
            let mut state = self.state();
            if state.running.as_ref().is_some_and(|run| !run.is_cancelled()) {
                return false;
            }
            let number = state.run + 1;
            let running = Some(run.clone());
            *state = State { running, run: number, started_at: Some(now_ms()), ..State::default() };
            number
        };
        let following = self.clone();
        self.tasks.spawn(async move {
            run.run_until_cancelled(following.until_it_can_not()).await;
            let mut state = following.state();
            if state.run == number {
                state.running = None;
            }
        });
        true
    }

    /// Ends; false when it had. A block that is being written is written or not, never half.
    pub fn stop(&self) -> bool {
        let running = self.state().running.clone().filter(|run| !run.is_cancelled());
        running.inspect(CancellationToken::cancel).is_some()
    }

    pub fn status(&self) -> FollowStatus {
        let state = self.state();
        FollowStatus {
            running: state.running.as_ref().is_some_and(|run| !run.is_cancelled()),
            nodes: self.config.nodes.iter().map(quarry_ingest::NodeConfig::name).collect(),
            started_at: state.started_at,
            head: state.head,
            behind: state.behind,
            trouble: state.trouble.clone(),
        }
    }

    /// What goes wrong is logged and tried again, unless it can't pass.
    async fn until_it_can_not(&self) {
        while let Err(error) = self.once().await {
            self.state().trouble = Some((now_ms(), error.to_string()));
            if matches!(error.code, ErrorCode::InvalidInput) {
                tracing::error!(%error, "the head of the chain is not followed");
                return;
            }
            tracing::warn!(%error, "following the head of the chain stopped, it is tried again");
            tokio::time::sleep_until(Instant::now() + AGAIN).await;
        }
    }

    async fn once(&self) -> Result<(), Error> {
        let writer = self.lake.writer().await?;
        let following = quarry_ingest::follow(&self.lake, &writer, self.config.clone(), |event| self.note(&event));
        tokio::select! {
            ended = following => ended,
            // One writer for both: files are merged while the head moves.
            () = upkeep::compact_with(&self.lake, &writer) => Ok(()),
        }
    }

    fn note(&self, event: &FollowEvent) {
        match event {
            FollowEvent::Progress(_) => {}
            FollowEvent::Head { .. } => tracing::debug!("{}", line(event)),
            FollowEvent::Reorg { .. } | FollowEvent::Trouble(_) => tracing::warn!("{}", line(event)),
        }
        let mut state = self.state();
        match event {
            FollowEvent::Progress(progress) => {
                state.behind = Some(progress.blocks_total.saturating_sub(progress.blocks_published));
            }
            FollowEvent::Head { number, .. } => (state.head, state.behind) = (Some(*number), Some(0)),
            FollowEvent::Reorg { .. } => {}
            FollowEvent::Trouble(error) => state.trouble = Some((now_ms(), error.to_string())),
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        // A panic between two statements here leaves a whole value behind, so a poisoned lock is still good.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// What happened, as a sentence.
pub fn line(event: &FollowEvent) -> String {
    match event {
        FollowEvent::Progress(progress) => format!("{} blocks fetched", progress.blocks_done),
        FollowEvent::Head { number, blocks, took } => {
            format!("Block {number} is in the lake: {blocks} new in {:.2} s", took.as_secs_f64())
        }
        FollowEvent::Reorg { fork, depth, finalized: was_final } => {
            let final_too = if *was_final { ", some of them called final before" } else { "" };
            format!("The chain was reorganised after block {fork}: {depth} blocks replaced{final_too}")
        }
        FollowEvent::Trouble(error) => format!("{error} Trying again."),
    }
}
