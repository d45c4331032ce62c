//! Several nodes of one chain as one source: each request goes to the node with the most room, and to the next one when
//! it fails.

use std::cmp::Reverse;
use std::collections::HashMap;
use std::ops::RangeInclusive;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use alloy_primitives::{Address, B256};
use futures::StreamExt;
use futures::stream::FuturesUnordered;
use quarry_engine::{Error, ErrorCode, Result};
use tokio::time::Instant;

use super::{Announcements, Node, NodeConfig};
use crate::chain::{BlockData, TokenFacts};

/// How long a node that failed is left alone when there are others.
const REST: Duration = Duration::from_secs(5);
/// How long a node may try by itself when there are others.
const ALONE: Duration = Duration::from_secs(1);
/// Blocks below the lowest head at which all nodes must agree; above it they may be of different opinions for a while.
const SETTLED: u64 = 64;

/// Nodes that serve the same chain, at least one of which was reached.
pub struct Nodes {
    nodes: Vec<Member>,
    patience: Duration,
}

/// What the nodes say of a block that the lake holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Standing {
    /// It is one of their chain.
    Held,
    /// They have another one at its height.
    Replaced,
    /// None of them has a block of that height, now.
    Unknown,
}

struct Member {
    node: Node,
    /// Ranges it is asked for at the moment.
    busy: AtomicUsize,
    resting_until: Mutex<Option<Instant>>,
}

impl Nodes {
    /// Reaches the nodes. Those that can't be reached are left out, unless it is all of them.
    ///
    /// # Errors
    /// No node answers, or two of them serve different chains.
    pub async fn connect(configs: Vec<NodeConfig>) -> Result<Nodes> {
        let several = configs.len() > 1;
        let patience = configs.iter().map(|config| config.patience).max().unwrap_or_default();
        let connecting = configs.into_iter().map(|mut config| {
            if several {
                config.patience = config.patience.min(ALONE);
            }
            Node::connect(config)
        });
        let mut nodes = Vec::new();
        let mut failed = None;
        for connected in futures::future::join_all(connecting).await {
            match connected {
                Ok(node) => {
                    nodes.push(Member { node, busy: AtomicUsize::new(0), resting_until: Mutex::default() });
                }
                Err(error) if several && error.code == ErrorCode::Source => {
                    tracing::warn!(%error, "a node is left out");
                    failed = Some(error);
                }
                Err(error) => return Err(error),
            }
        }
        if nodes.is_empty() {
            let nothing = || Error::new(ErrorCode::InvalidInput, "No address of a node was given.");
            return Err(failed.unwrap_or_else(nothing));
        }
        let nodes = Nodes { nodes, patience };
        if nodes.nodes.len() > 1 {
            nodes.check_agreement().await?;
        }
        Ok(nodes)
    }

    async fn check_agreement(&self) -> Result<()> {
        let mut members = self.nodes.iter().map(|member| &member.node);
        let Some(first) = members.next() else { return Ok(()) };
        for other in members.clone() {
            if other.chain_id() != first.chain_id() {
                let message = format!(
                    "The node at {} serves chain {} but the one at {} serves chain {}.",
                    first.name(),
                    first.chain_id(),
                    other.name(),
                    other.chain_id()
                );
                return Err(Error::new(ErrorCode::InvalidInput, message));
            }
        }
        let mut lowest = first.head().await?;
        for other in members.clone() {
            lowest = lowest.min(other.head().await?);
        }
        let settled = lowest.saturating_sub(SETTLED);
        let hash = first.hashes_at(&[settled]).await?;
        for other in members {
            let theirs = other.hashes_at(&[settled]).await?;
            if let ([Some(hash)], [Some(theirs)]) = (hash.as_slice(), theirs.as_slice())
                && hash != theirs
            {
                let (first, other) = (first.name(), other.name());
                let message = format!(
                    "The nodes at {first} and {other} are not of one chain: block {settled} is {hash} at the first and \
                     {theirs} at the second."
                );
                return Err(Error::new(ErrorCode::InvalidInput, message));
            }
        }
        Ok(())
    }

    pub fn chain_id(&self) -> u64 {
        self.first().chain_id()
    }

    /// The names of all, for messages.
    pub fn name(&self) -> String {
        self.nodes.iter().map(|member| member.node.name()).collect::<Vec<_>>().join(", ")
    }

    /// Blocks that fill one request.
    pub(crate) fn step(&self) -> u64 {
        self.nodes.iter().map(|member| member.node.step()).max().unwrap_or(1)
    }

    /// Requests that may be under way at once at the moment.
    pub(crate) fn room(&self) -> usize {
        self.nodes.iter().map(|member| member.node.room()).sum()
    }

    /// Height of the newest block that any of them has.
    pub async fn head(&self) -> Result<u64> {
        let asked = self.awake().map(|member| async move { (member, member.node.head().await) });
        let mut asked: FuturesUnordered<_> = asked.collect();
        let mut highest = Err(nobody());
        while let Some((member, head)) = asked.next().await {
            highest = match (highest, head) {
                (Ok(one), Ok(other)) => Ok(u64::max(one, other)),
                (Err(_), Ok(head)) => Ok(head),
                (highest, Err(error)) => {
                    self.rest(member, &error);
                    highest.or(Err(error))
                }
            };
        }
        highest
    }

    /// Height of the newest finalised block, `None` when no node knows of such.
    pub async fn finalised(&self) -> Result<Option<u64>> {
        let mut answers = Answers::of(self);
        for member in self.ahead_first() {
            if let Some(Some(height)) = answers.take(member, member.node.finalised().await) {
                return Ok(Some(height));
            }
        }
        answers.or_failure().map(|()| None)
    }

    /// Hashes of the blocks at these heights, `None` where no node has one.
    pub(crate) async fn hashes_at(&self, numbers: &[u64]) -> Result<Vec<Option<B256>>> {
        let mut hashes = vec![None; numbers.len()];
        let mut answers = Answers::of(self);
        for member in self.ahead_first() {
            let (places, unknown): (Vec<usize>, Vec<u64>) =
                (0..).zip(numbers.iter().copied()).filter(|&(place, _)| hashes[place].is_none()).unzip();
            if unknown.is_empty() {
                return Ok(hashes);
            }
            let theirs = answers.take(member, member.node.hashes_at(&unknown).await);
            for (place, hash) in places.into_iter().zip(theirs.into_iter().flatten()) {
                hashes[place] = hash;
            }
        }
        answers.or_failure().map(|()| hashes)
    }

    /// What has become of a block. The nodes that are furthest ahead decide; of those, one that has it is enough, for at
    /// the same height two blocks may be right for a while. That a node does not have it proves nothing: it may be behind.
    pub(crate) async fn standing(&self, number: u64, hash: B256) -> Result<Standing> {
        let mut answers = Answers::of(self);
        let mut deciding = None;
        for member in self.ahead_first() {
            let height = member.node.newest();
            if deciding.is_some_and(|deciding| height < deciding) {
                break;
            }
            match answers.take(member, member.node.hashes_at(&[number]).await).and_then(|mut hashes| hashes.pop()) {
                Some(Some(theirs)) if theirs == hash => return Ok(Standing::Held),
                Some(Some(_)) => deciding = deciding.or(Some(height)),
                Some(None) | None => {}
            }
        }
        match deciding {
            Some(_) => Ok(Standing::Replaced),
            None => answers.or_failure().map(|()| Standing::Unknown),
        }
    }

    /// What these contracts answer about themselves.
    pub(crate) async fn token_facts(&self, contracts: &[Address]) -> Result<HashMap<Address, TokenFacts>> {
        let mut answers = Answers::of(self);
        for member in self.ahead_first() {
            if let Some(facts) = answers.take(member, member.node.token_facts(contracts).await) {
                return Ok(facts);
            }
        }
        answers.or_failure().map(|()| HashMap::new())
    }

    /// What tells when to look for new blocks.
    pub(crate) fn announcements(&self) -> Announcements<'_> {
        self.first().announcements()
    }

    /// The blocks of this range in order, verified and linked. What one node fails at, the others are asked for.
    pub async fn blocks(&self, range: RangeInclusive<u64>) -> Result<Vec<BlockData>> {
        if let [only] = self.nodes.as_slice() {
            return only.node.blocks(range).await;
        }
        let started = Instant::now();
        let mut failed_at = vec![0; self.nodes.len()];
        loop {
            let (at, member) = self.choose(*range.end(), &failed_at).await;
            member.busy.fetch_add(1, Ordering::Relaxed);
            let blocks = member.node.blocks(range.clone()).await;
            member.busy.fetch_sub(1, Ordering::Relaxed);
            let error = match blocks {
                Ok(blocks) => return Ok(blocks),
                Err(error) => error,
            };
            failed_at[at] += 1;
            let all_failed = failed_at.iter().all(|&times| times > 0);
            if all_failed && (error.code == ErrorCode::Verification || started.elapsed() >= self.patience) {
                return Err(error);
            }
            self.rest(member, &error);
        }
    }

    /// The node to ask: one that has the block, failed least often at it, is not resting, and has the most room.
    async fn choose(&self, last: u64, failed_at: &[u32]) -> (usize, &Member) {
        let rating = |(at, member): &(usize, &Member)| {
            let behind = member.node.newest() < last;
            let room = member.busy.load(Ordering::Relaxed) * 1000 / member.node.room().max(1);
            (failed_at[*at], member.resting(), behind, room)
        };
        let members = self.nodes.iter().enumerate();
        let best = members.min_by_key(rating).unwrap_or((0, &self.nodes[0]));
        if let Some(until) = best.1.resting() {
            tokio::time::sleep_until(until).await;
        }
        best
    }

    /// Nodes that did not fail just now; all when all did.
    fn awake(&self) -> impl Iterator<Item = &Member> {
        let none = self.nodes.iter().all(|member| member.resting().is_some());
        self.nodes.iter().filter(move |member| none || member.resting().is_none())
    }

    /// Whether all of them answered when they were asked last.
    pub(crate) fn are_all_awake(&self) -> bool {
        self.nodes.iter().all(|member| member.resting().is_none())
    }

    /// Nodes that did not fail just now, the one with the newest block first.
    fn ahead_first(&self) -> Vec<&Member> {
        let mut members: Vec<&Member> = self.awake().collect();
        members.sort_by_key(|member| Reverse(member.node.newest()));
        members
    }

    /// Leaves a node that failed alone for a while, when there are others to ask.
    fn rest(&self, member: &Member, why: &Error) {
        if self.nodes.len() > 1 {
            tracing::warn!(error = %why, "another node is asked");
            *member.resting_until.lock().unwrap_or_else(PoisonError::into_inner) = Some(Instant::now() + REST);
        }
    }

    fn first(&self) -> &Node {
        self.awake().next().map_or(&self.nodes[0].node, |member| &member.node)
    }
}

/// What nodes that were asked one after the other brought so far.
struct Answers<'a> {
    nodes: &'a Nodes,
    /// Nothing once one of them answered.
    failure: Option<Error>,
}

impl<'a> Answers<'a> {
    fn of(nodes: &'a Nodes) -> Answers<'a> {
        Answers { nodes, failure: Some(nobody()) }
    }

    /// The answer of one of them; a node that failed rests.
    fn take<T>(&mut self, member: &Member, answer: Result<T>) -> Option<T> {
        match answer {
            Ok(answer) => {
                self.failure = None;
                Some(answer)
            }
            Err(error) => {
                self.nodes.rest(member, &error);
                self.failure = self.failure.take().map(|_| error);
                None
            }
        }
    }

    /// The last failure when all of them failed.
    fn or_failure(self) -> Result<()> {
        self.failure.map_or(Ok(()), Err)
    }
}

fn nobody() -> Error {
    Error::new(ErrorCode::Source, "No node answers.")
}

impl Member {
    /// Until when it is left alone, if it is.
    fn resting(&self) -> Option<Instant> {
        let until = *self.resting_until.lock().unwrap_or_else(PoisonError::into_inner);
        until.filter(|until| *until > Instant::now())
    }
}
