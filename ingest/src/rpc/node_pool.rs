//! The connected nodes: which of them are suspended after a failure, and which is asked next.

use std::cmp::Reverse;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, OnceLock, PoisonError};
use std::time::Duration;

use quarry_types::{Error, ErrorCode};
use tokio::time::Instant;

use super::Node;

/// How long a node is suspended after a failure if there are others; doubled with each further failure.
const SUSPENSION: Duration = Duration::from_secs(5);
const LONGEST_SUSPENSION: Duration = Duration::from_secs(60);

/// The nodes of a chain.
pub(super) struct NodePool {
    /// By index in the configuration; `None` until a node is connected.
    places: Vec<OnceLock<Member>>,
    /// Number of nodes that may still connect.
    absent: AtomicUsize,
}

/// A connected node.
pub(super) struct Member {
    pub(super) node: Node,
    /// Its index in the configuration.
    pub(super) place: usize,
    /// Ranges being requested from it.
    busy: AtomicUsize,
    suspension: Mutex<Option<Suspension>>,
}

/// A range being requested from a node, until it is dropped.
pub(super) struct Busy<'a>(&'a AtomicUsize);

#[derive(Clone, Copy)]
struct Suspension {
    until: Instant,
    length: Duration,
}

impl NodePool {
    /// A pool of `nodes` nodes, none of them connected yet.
    pub(super) fn new(nodes: usize) -> NodePool {
        let places = std::iter::repeat_with(OnceLock::new).take(nodes).collect();
        NodePool { places, absent: AtomicUsize::new(nodes) }
    }

    /// Adds a connected node.
    pub(super) fn add(&self, place: usize, node: Node) {
        let member = Member { node, place, busy: AtomicUsize::new(0), suspension: Mutex::default() };
        if self.places.get(place).is_some_and(|empty| empty.set(member).is_ok()) {
            self.absent.fetch_sub(1, Ordering::Relaxed);
        }
    }

    /// Gives up an unreachable node.
    pub(super) fn give_up(&self) {
        self.absent.fetch_sub(1, Ordering::Relaxed);
    }

    /// Number of configured nodes.
    pub(super) fn named(&self) -> usize {
        self.places.len()
    }

    /// The connected nodes.
    pub(super) fn iter(&self) -> impl Iterator<Item = &Member> {
        self.places.iter().filter_map(OnceLock::get)
    }

    /// The nodes that are not suspended, or all if all are.
    pub(super) fn available(&self) -> impl Iterator<Item = &Member> {
        let none = self.iter().all(|member| member.suspended_until().is_some());
        self.iter().filter(move |member| none || member.suspended_until().is_none())
    }

    /// The nodes that are not suspended, those with the highest head first.
    pub(super) fn ahead_first(&self) -> Vec<&Member> {
        let mut members: Vec<&Member> = self.available().collect();
        members.sort_by_key(|member| Reverse(member.node.newest()));
        members
    }

    /// Whether all configured nodes are connected and answered their last request.
    pub(super) fn are_all_available(&self) -> bool {
        self.absent.load(Ordering::Relaxed) == 0 && self.iter().all(|member| member.suspended_until().is_none())
    }

    /// The highest last reported head of the nodes that are not suspended.
    pub(super) fn newest(&self) -> u64 {
        self.available().map(|member| member.node.newest()).max().unwrap_or_default()
    }

    /// Suspends a node after a failure if there are others.
    pub(super) fn suspend(&self, member: &Member, why: &Error) {
        if self.named() > 1 {
            tracing::warn!(error = %why, "another node is asked");
            member.suspend(Instant::now());
        }
    }
}

impl Member {
    /// When its suspension ends, if it is suspended.
    pub(super) fn suspended_until(&self) -> Option<Instant> {
        let suspension = *self.suspension.lock().unwrap_or_else(PoisonError::into_inner);
        suspension.map(|suspension| suspension.until).filter(|until| *until > Instant::now())
    }

    /// Counts a range being requested from it.
    pub(super) fn begin(&self) -> Busy<'_> {
        self.busy.fetch_add(1, Ordering::Relaxed);
        Busy(&self.busy)
    }

    /// Its load, in thousandths.
    pub(super) fn load(&self) -> usize {
        self.busy.load(Ordering::Relaxed) * 1000 / self.node.room().max(1)
    }

    fn suspend(&self, now: Instant) {
        let mut suspension = self.suspension.lock().unwrap_or_else(PoisonError::into_inner);
        let length = match *suspension {
            // Concurrent requests fail together: count one failure.
            Some(last) if last.until > now => return,
            Some(last) if last.until + last.length > now => (last.length * 2).min(LONGEST_SUSPENSION),
            _ => SUSPENSION,
        };
        *suspension = Some(Suspension { until: now + length, length });
    }
}

impl Drop for Busy<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

pub(super) fn no_node_answers() -> Error {
    Error::new(ErrorCode::Source, "No node responded.")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rpc::NodeConfig;
    use crate::rpc::mock_node::{Chain, MockNode};

    #[tokio::test]
    async fn suspension_grows_with_failures() {
        let mock = MockNode::honest(Chain::new(5, 4, 0)).await;
        let node = Node::connect(NodeConfig::new(&mock.http()).expect("an address")).await.expect("connects");
        let pool = NodePool::new(1);
        pool.add(0, node);
        let member = pool.iter().next().expect("a node");
        let mut now = Instant::now();
        let mut suspended_for = |pause: u64| {
            now += Duration::from_secs(pause);
            member.suspend(now);
            // A second failure at the same time changes nothing.
            member.suspend(now);
            let suspension = *member.suspension.lock().expect("a lock");
            (suspension.expect("a suspension").until - now).as_secs()
        };
        let seconds: Vec<u64> = [0, 6, 11, 21, 41, 61, 200].into_iter().map(&mut suspended_for).collect();
        assert_eq!(seconds, [5, 10, 20, 40, 60, 60, 5]);
    }
}
