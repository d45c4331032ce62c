//! One request to several nodes: which of them is asked, and when it is given up.

use quarry_types::Result;
use tokio::time::Instant;

use super::members::Member;
use super::nodes::{ALONE, nobody};
use super::{Nodes, Trouble};

/// How often each node is asked before it counts that none of them gives it.
const LOOKS: u32 = 2;

/// One request that goes from node to node until one of them answers it.
pub(super) struct Asking<'a> {
    nodes: &'a Nodes,
    started: Instant,
    /// The highest block that it needs.
    last: u64,
    /// How often each failed, by its place.
    failed_at: Vec<u32>,
    /// Which of them wanted a pause when they were asked last.
    busy: Vec<bool>,
    /// What the last one said that answered.
    said: Option<Trouble>,
}

impl<'a> Asking<'a> {
    pub(super) fn of(nodes: &'a Nodes, last: u64) -> Asking<'a> {
        let named = nodes.members.named();
        Asking { nodes, started: Instant::now(), last, failed_at: vec![0; named], busy: vec![false; named], said: None }
    }

    /// The node to ask: one that failed least often at it, is not resting, has the block, and has the most room.
    pub(super) async fn next(&self) -> Result<&'a Member> {
        let rating = |member: &&Member| {
            let behind = member.node.newest() < self.last;
            (self.failed_at[member.place], member.resting(), behind, member.load())
        };
        let best = self.nodes.members.iter().min_by_key(rating).ok_or_else(nobody)?;
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
    pub(super) fn failed(&mut self, member: &Member, trouble: Trouble) -> Result<(), Trouble> {
        let Nodes { members, patience, .. } = self.nodes;
        // The only node has tried for as long as it may.
        if members.named() == 1 {
            return Err(trouble);
        }
        self.failed_at[member.place] += 1;
        self.busy[member.place] = matches!(trouble, Trouble::Busy(_));
        let answered = !matches!(trouble, Trouble::Away(_) | Trouble::Busy(_));
        let least = members.iter().map(|member| self.failed_at[member.place]).min().unwrap_or_default();
        let is_over = match trouble {
            Trouble::TooLarge(_) | Trouble::Unfit(_) => least > 0,
            // Those that are away are looked for as often as the others are asked: what can go on without what they may have
            // does not wait for them. When nobody answers, there is nothing else to wait for.
            _ => least >= LOOKS && (answered || self.said.is_some()) && !self.busy.contains(&true),
        };
        if is_over || (least > 0 && self.started.elapsed() >= *patience) {
            return Err(if answered { trouble } else { self.said.take().unwrap_or(trouble) });
        }
        match &trouble {
            // It may be behind, and answers everything else.
            Trouble::NotThere(error) => tracing::debug!(%error, "another node is asked"),
            other => members.rest(member, other.error()),
        }
        if answered {
            self.said = Some(trouble);
        }
        Ok(())
    }
}

#[cfg(test)]
#[path = "asking_tests.rs"]
mod tests;
