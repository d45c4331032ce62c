//! The nodes that were reached, which of them are left alone for a while, and which is asked.

use std::cmp::Reverse;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, OnceLock, PoisonError};
use std::time::Duration;

use quarry_types::{Error, ErrorCode};
use tokio::time::Instant;

use super::Node;

/// How long a node that failed is left alone when there are others; twice as long each time that it fails again.
const REST: Duration = Duration::from_secs(5);
const LONGEST_REST: Duration = Duration::from_secs(60);

/// Nodes of one chain.
pub(super) struct Members {
    /// By the place of a node among those that were named; empty as long as it could not be reached.
    places: Vec<OnceLock<Member>>,
    /// How many may still come.
    absent: AtomicUsize,
}

/// A node that was reached.
pub(super) struct Member {
    pub(super) node: Node,
    /// Its place among those that were named.
    pub(super) place: usize,
    /// Ranges requested from it at the moment.
    busy: AtomicUsize,
    rest: Mutex<Option<Rest>>,
}

/// A range requested from a node, until it is dropped.
pub(super) struct Busy<'a>(&'a AtomicUsize);

#[derive(Clone, Copy)]
struct Rest {
    until: Instant,
    length: Duration,
}

impl Members {
    /// Places for so many nodes, none of which is here.
    pub(super) fn new(nodes: usize) -> Members {
        let places = std::iter::repeat_with(OnceLock::new).take(nodes).collect();
        Members { places, absent: AtomicUsize::new(nodes) }
    }

    /// The node of this place is here from now on.
    pub(super) fn add(&self, place: usize, node: Node) {
        let member = Member { node, place, busy: AtomicUsize::new(0), rest: Mutex::default() };
        if self.places.get(place).is_some_and(|empty| empty.set(member).is_ok()) {
            self.absent.fetch_sub(1, Ordering::Relaxed);
        }
    }

    /// One that is away is waited for no longer.
    pub(super) fn give_up(&self) {
        self.absent.fetch_sub(1, Ordering::Relaxed);
    }

    /// Nodes that were named, whether they are here or not.
    pub(super) fn named(&self) -> usize {
        self.places.len()
    }

    /// Those that are here.
    pub(super) fn iter(&self) -> impl Iterator<Item = &Member> {
        self.places.iter().filter_map(OnceLock::get)
    }

    /// Those that did not fail just now; all when all did.
    pub(super) fn awake(&self) -> impl Iterator<Item = &Member> {
        let none = self.iter().all(|member| member.resting().is_some());
        self.iter().filter(move |member| none || member.resting().is_none())
    }

    /// Those that did not fail just now, the one with the newest block first.
    pub(super) fn ahead_first(&self) -> Vec<&Member> {
        let mut members: Vec<&Member> = self.awake().collect();
        members.sort_by_key(|member| Reverse(member.node.newest()));
        members
    }

    /// Whether all that were named are here and answered when they were asked last.
    pub(super) fn are_all_awake(&self) -> bool {
        self.absent.load(Ordering::Relaxed) == 0 && self.iter().all(|member| member.resting().is_none())
    }

    /// Height of the newest block of those that did not fail just now, as they last reported it.
    pub(super) fn newest(&self) -> u64 {
        self.awake().map(|member| member.node.newest()).max().unwrap_or_default()
    }

    /// Leaves a node that failed alone for a while, when there are others to ask.
    pub(super) fn rest(&self, member: &Member, why: &Error) {
        if self.named() > 1 {
            tracing::warn!(error = %why, "another node is asked");
            member.rest(Instant::now());
        }
    }
}

impl Member {
    /// Until when it is left alone, if it is.
    pub(super) fn resting(&self) -> Option<Instant> {
        let rest = *self.rest.lock().unwrap_or_else(PoisonError::into_inner);
        rest.map(|rest| rest.until).filter(|until| *until > Instant::now())
    }

    /// Counts a range requested from it.
    pub(super) fn begin(&self) -> Busy<'_> {
        self.busy.fetch_add(1, Ordering::Relaxed);
        Busy(&self.busy)
    }

    /// How much of its room is taken, in thousandths.
    pub(super) fn load(&self) -> usize {
        self.busy.load(Ordering::Relaxed) * 1000 / self.node.room().max(1)
    }

    fn rest(&self, now: Instant) {
        let mut rest = self.rest.lock().unwrap_or_else(PoisonError::into_inner);
        let length = match *rest {
            // What was under way together fails together.
            Some(rest) if rest.until > now => return,
            Some(rest) if rest.until + rest.length > now => (rest.length * 2).min(LONGEST_REST),
            _ => REST,
        };
        *rest = Some(Rest { until: now + length, length });
    }
}

impl Drop for Busy<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

pub(super) fn no_node_answers() -> Error {
    Error::new(ErrorCode::Source, "No node answers.")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rpc::NodeConfig;
    use crate::rpc::stub::{Chain, Stub};

    #[tokio::test]
    async fn a_node_that_fails_again_and_again_rests_longer() {
        let stub = Stub::honest(Chain::new(5, 4, 0)).await;
        let node = Node::connect(NodeConfig::new(&stub.http()).expect("an address")).await.expect("connects");
        let members = Members::new(1);
        members.add(0, node);
        let member = members.iter().next().expect("a node");
        let mut now = Instant::now();
        let mut rest_of = |pause: u64| {
            now += Duration::from_secs(pause);
            member.rest(now);
            // A second failure at the same time changes nothing.
            member.rest(now);
            let rest = *member.rest.lock().expect("a rest");
            (rest.expect("a rest").until - now).as_secs()
        };
        let rests: Vec<u64> = [0, 6, 11, 21, 41, 61, 200].into_iter().map(&mut rest_of).collect();
        assert_eq!(rests, [5, 10, 20, 40, 60, 60, 5]);
    }
}
