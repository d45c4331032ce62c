//! One request to several nodes: which of them is asked, and when it is given up.

use std::time::Duration;

use quarry_types::Result;
use tokio::time::Instant;

use super::FetchError;
use super::members::{Member, Members, no_node_answers};

/// How long a node may try by itself when there are others.
pub(super) const ALONE: Duration = Duration::from_secs(1);

/// How often each node is asked before it counts that none of them gives it.
const LOOKS: u32 = 2;

/// One request that goes from node to node until one of them answers it.
pub(super) struct Failover<'a> {
    members: &'a Members,
    /// How long a node that was reached before may be away or too busy.
    patience: Duration,
    started: Instant,
    /// The highest block that it needs.
    last: u64,
    /// How often each failed, by its place.
    failed_at: Vec<u32>,
    /// Which of them wanted a pause when they were asked last.
    busy: Vec<bool>,
    /// What the last one said that answered.
    said: Option<FetchError>,
}

impl<'a> Failover<'a> {
    pub(super) fn of(members: &'a Members, patience: Duration, last: u64) -> Failover<'a> {
        let (failed_at, busy) = (vec![0; members.named()], vec![false; members.named()]);
        Failover { members, patience, started: Instant::now(), last, failed_at, busy, said: None }
    }

    /// The node to ask: one that failed least often at it, is not resting, has the block, and has the most room.
    pub(super) async fn next(&self) -> Result<&'a Member> {
        let rating = |member: &&Member| {
            let behind = member.node.newest() < self.last;
            (self.failed_at[member.place], member.resting(), behind, member.load())
        };
        let best = self.members.iter().min_by_key(rating).ok_or_else(no_node_answers)?;
        if let Some(until) = best.resting() {
            // None of the others is better, so its rest is cut short.
            tokio::time::sleep_until(until.min(Instant::now() + ALONE)).await;
        }
        Ok(best)
    }

    /// After one failed.
    ///
    /// # Errors
    /// The failure, when there is nobody else to ask, no time left, or none of them has it.
    pub(super) fn failed(&mut self, member: &Member, failure: FetchError) -> Result<(), FetchError> {
        let members = self.members;
        // The only node has tried for as long as it may.
        if members.named() == 1 {
            return Err(failure);
        }
        self.failed_at[member.place] += 1;
        self.busy[member.place] = matches!(failure, FetchError::Busy(_));
        let answered = !matches!(failure, FetchError::Away(_) | FetchError::Busy(_));
        let least = members.iter().map(|member| self.failed_at[member.place]).min().unwrap_or_default();
        let is_over = match failure {
            FetchError::TooLarge(_) | FetchError::Unfit(_) => least > 0,
            // Those that are away are looked for as often as the others are asked: what can go on without what they may have
            // does not wait for them. When nobody answers, there is nothing else to wait for.
            _ => least >= LOOKS && (answered || self.said.is_some()) && !self.busy.contains(&true),
        };
        if is_over || (least > 0 && self.started.elapsed() >= self.patience) {
            return Err(if answered { failure } else { self.said.take().unwrap_or(failure) });
        }
        match &failure {
            // It may be behind, and answers everything else.
            FetchError::NotThere(error) => tracing::debug!(%error, "another node is asked"),
            other => members.rest(member, other.error()),
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
