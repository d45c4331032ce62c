//! Failover of a request: chooses the next node and when to give up.

use std::time::Duration;

use quarry_types::Result;
use tokio::time::Instant;

use super::FetchError;
use super::node_pool::{Member, NodePool, no_node_answers};

/// How long a node may retry by itself if there are others.
pub(super) const ALONE: Duration = Duration::from_secs(1);

/// How many times each node is asked before the request fails.
const ATTEMPTS_PER_NODE: u32 = 2;

/// A request that goes from node to node until one of them answers it.
pub(super) struct Failover<'a> {
    pool: &'a NodePool,
    /// How long a node that was reached before may be unreachable or busy.
    patience: Duration,
    started: Instant,
    /// The highest block that it needs.
    last: u64,
    /// Number of failures by node index.
    failed_at: Vec<u32>,
    /// The nodes that asked for a pause when they were last asked.
    busy: Vec<bool>,
    /// The last error of a node that answered.
    said: Option<FetchError>,
}

impl<'a> Failover<'a> {
    pub(super) fn of(pool: &'a NodePool, patience: Duration, last: u64) -> Failover<'a> {
        let (failed_at, busy) = (vec![0; pool.named()], vec![false; pool.named()]);
        Failover { pool, patience, started: Instant::now(), last, failed_at, busy, said: None }
    }

    /// Chooses the node with the fewest failures for this request that is not suspended, has the block and has the
    /// lowest load.
    pub(super) async fn next(&self) -> Result<&'a Member> {
        let rating = |member: &&Member| {
            let behind = member.node.newest() < self.last;
            (self.failed_at[member.place], member.suspended_until(), behind, member.load())
        };
        let best = self.pool.iter().min_by_key(rating).ok_or_else(no_node_answers)?;
        if let Some(until) = best.suspended_until() {
            // No node is better, so wait for the end of its suspension, but not long.
            tokio::time::sleep_until(until.min(Instant::now() + ALONE)).await;
        }
        Ok(best)
    }

    /// Records a failure.
    ///
    /// # Errors
    /// The failure, if no node is left, the time is over, or all nodes lack the data.
    pub(super) fn failed(&mut self, member: &Member, failure: FetchError) -> Result<(), FetchError> {
        let pool = self.pool;
        // The only node has retried as long as allowed.
        if pool.named() == 1 {
            return Err(failure);
        }
        self.failed_at[member.place] += 1;
        self.busy[member.place] = matches!(failure, FetchError::Busy(_));
        let answered = !matches!(failure, FetchError::Unreachable(_) | FetchError::Busy(_));
        let least = pool.iter().map(|member| self.failed_at[member.place]).min().unwrap_or_default();
        let is_over = match failure {
            FetchError::TooLarge(_) | FetchError::Inconsistent(_) => least > 0,
            // Unreachable nodes are waited for only as often as the others are asked, unless no node answers.
            _ => least >= ATTEMPTS_PER_NODE && (answered || self.said.is_some()) && !self.busy.contains(&true),
        };
        if is_over || (least > 0 && self.started.elapsed() >= self.patience) {
            return Err(if answered { failure } else { self.said.take().unwrap_or(failure) });
        }
        match &failure {
            // It may be behind but healthy otherwise.
            FetchError::NotThere(error) => tracing::debug!(%error, "another node is asked"),
            other => pool.suspend(member, other.error()),
        }
        if answered {
            self.said = Some(failure);
        }
        Ok(())
    }
}

#[cfg(test)]
#[path = "failover_tests.rs"]
mod tests;
