//! Several nodes of one chain as one source: each request goes to the node with the most room, and to the next one when
//! it fails.

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

    /// Ranges that may be asked for at once.
    pub(crate) fn room(&self) -> usize {
        self.nodes.iter().map(|member| member.node.config.requests).sum()
    }

    /// Height of the newest block that any of them has.
    pub async fn head(&self) -> Result<u64> {
        let mut asked: FuturesUnordered<_> = self.awake().map(|member| member.node.head()).collect();
        let mut highest = Err(Error::new(ErrorCode::Source, "No node answers."));
        while let Some(head) = asked.next().await {
            highest = match (highest, head) {
                (Ok(one), Ok(other)) => Ok(u64::max(one, other)),
                (Ok(one), Err(_)) => Ok(one),
                (Err(_), other) => other,
            };
        }
        highest
    }

    /// Height of the newest finalised block, `None` when no node knows of such.
    pub async fn finalised(&self) -> Result<Option<u64>> {
        self.first().finalised().await
    }

    /// Hashes of the blocks at these heights, `None` where there is none.
    pub(crate) async fn hashes_at(&self, numbers: &[u64]) -> Result<Vec<Option<B256>>> {
        self.first().hashes_at(numbers).await
    }

    /// Hash of the block at this height, `None` where there is none.
    pub(crate) async fn hash_at(&self, number: u64) -> Result<Option<B256>> {
        Ok(self.hashes_at(&[number]).await?.pop().flatten())
    }

    /// What these contracts answer about themselves.
    pub(crate) async fn token_facts(&self, contracts: &[Address]) -> Result<HashMap<Address, TokenFacts>> {
        self.first().token_facts(contracts).await
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
            tracing::warn!(%error, "another node is asked");
            *member.resting_until.lock().unwrap_or_else(PoisonError::into_inner) = Some(Instant::now() + REST);
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

    fn first(&self) -> &Node {
        self.awake().next().map_or(&self.nodes[0].node, |member| &member.node)
    }
}

impl Member {
    /// Until when it is left alone, if it is.
    fn resting(&self) -> Option<Instant> {
        let until = *self.resting_until.lock().unwrap_or_else(PoisonError::into_inner);
        until.filter(|until| *until > Instant::now())
    }
}
