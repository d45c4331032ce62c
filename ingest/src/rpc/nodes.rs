//! Several nodes of a chain as one source: each request goes to the least loaded node, and to the next one if it fails.
//! An unreachable node joins later.

use std::collections::HashMap;
use std::ops::RangeInclusive;
use std::sync::Arc;
use std::time::Duration;

use alloy_primitives::{Address, B256};
use futures::stream::FuturesUnordered;
use futures::{Stream, StreamExt};
use quarry_types::{Error, ErrorCode, Result};
use tokio::task::JoinSet;
use tokio::time::Instant;

use super::byte_budget::{ByteBudget, MAX_ANSWER_BYTES};
use super::connect::{RETRY_DELAY, check_agreement, reach, reconnect};
use super::failover::{ALONE, Failover};
use super::node_pool::{Member, NodePool, no_node_answers};
use super::{Announcements, FetchError, NodeConfig};
use crate::chain::{BlockData, TokenFacts};

/// How long to wait for the other nodes after the first one reported its height.
const HEAD_GRACE: Duration = Duration::from_secs(2);

/// How long to wait for the other nodes after the first one was reached. They join later.
const CONNECT_GRACE: Duration = Duration::from_secs(5);

/// Nodes of the same chain, at least one of them reachable.
pub struct Nodes {
    pub(super) pool: Arc<NodePool>,
    chain_id: u64,
    pub(super) patience: Duration,
    /// The task that connects unreachable nodes; aborted on drop.
    _asking: JoinSet<()>,
}

/// Fetched blocks.
pub(crate) struct FetchedBlocks {
    pub(crate) blocks: Vec<BlockData>,
    /// Bytes of their responses, if they were limited.
    pub(crate) bytes: usize,
}

/// How a block of the lake relates to the chain of the nodes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum BlockStatus {
    /// It is part of the chain.
    Canonical,
    /// The chain has another block at its height.
    Replaced,
    /// No node has a block of its height at the moment.
    Unknown,
}

impl Nodes {
    /// Connects to nodes. Unreachable ones are skipped and join later, unless all are unreachable.
    ///
    /// # Errors
    /// No node answers, or two nodes serve different chains.
    pub async fn connect(configs: Vec<NodeConfig>) -> Result<Nodes> {
        Nodes::connect_again(configs, RETRY_DELAY).await
    }

    /// Like `connect`, with a delay before unreachable nodes are tried again.
    pub(super) async fn connect_again(mut configs: Vec<NodeConfig>, again: Duration) -> Result<Nodes> {
        let several = configs.len() > 1;
        let patience = configs.iter().map(|config| config.patience).max().unwrap_or_default();
        if several {
            configs.iter_mut().for_each(|config| config.patience = config.patience.min(ALONE));
        }
        let reaching = configs.iter().map(|config| reach(config.clone(), several)).enumerate();
        let mut reaching: FuturesUnordered<_> =
            reaching.map(|(place, reaching)| async move { (place, reaching.await) }).collect();
        let pool = NodePool::new(configs.len());
        let mut absent: Vec<usize> = (0..configs.len()).collect();
        let mut failed = None;
        let mut until = None;
        while let Some((place, reached)) = next_until(&mut reaching, until).await {
            match reached {
                Ok(node) => {
                    pool.add(place, node);
                    absent.retain(|other| *other != place);
                    until = until.or_else(|| Some(Instant::now() + CONNECT_GRACE));
                }
                Err(error) if several && error.code == ErrorCode::Source => {
                    tracing::warn!(%error, "a node can't be used yet");
                    failed = Some(error);
                }
                Err(error) => return Err(error),
            }
        }
        if !reaching.is_empty() {
            tracing::warn!(nodes = reaching.len(), "nodes that do not answer join later");
        }
        drop(reaching);
        let Some(first) = pool.iter().next() else {
            let nothing = || Error::new(ErrorCode::InvalidInput, "No node address was given.");
            return Err(failed.unwrap_or_else(nothing));
        };
        for other in pool.iter().skip(1) {
            check_agreement(&first.node, &other.node).await?;
        }
        let chain_id = first.node.chain_id();
        let pool = Arc::new(pool);
        let mut asking = JoinSet::new();
        for (place, config) in configs.into_iter().enumerate().filter(|(place, _)| absent.contains(place)) {
            asking.spawn(reconnect(Arc::clone(&pool), place, config, again));
        }
        Ok(Nodes { pool, chain_id, patience, _asking: asking })
    }

    pub fn chain_id(&self) -> u64 {
        self.chain_id
    }

    /// The names of all nodes, for messages.
    pub fn name(&self) -> String {
        self.pool.iter().map(|member| member.node.name()).collect::<Vec<_>>().join(", ")
    }

    /// Number of blocks that fill a request.
    pub(crate) fn step(&self) -> u64 {
        self.pool.iter().map(|member| member.node.step()).max().unwrap_or(1)
    }

    /// Current maximum of concurrent requests.
    pub(crate) fn room(&self) -> usize {
        self.pool.iter().map(|member| member.node.room()).sum()
    }

    /// The highest head of all nodes. Once a node has reported its head, the wait for the others is short.
    pub async fn head(&self) -> Result<u64> {
        let mut late: Vec<&Member> = self.pool.available().collect();
        let asked = late.iter().map(|&member| async move { (member, member.node.head().await) });
        let mut asked: FuturesUnordered<_> = asked.collect();
        let mut failure = None;
        let mut highest: Option<u64> = None;
        let mut until = None;
        while let Some((member, head)) = next_until(&mut asked, until).await {
            late.retain(|other| other.place != member.place);
            match head {
                Ok(head) => {
                    highest = highest.max(Some(head));
                    until = until.or_else(|| Some(Instant::now() + HEAD_GRACE));
                }
                Err(error) => {
                    self.pool.suspend(member, &error);
                    failure = Some(error);
                }
            }
        }
        for member in late {
            let name = member.node.name();
            let message = format!("The node at {name} did not report its height within {} s.", HEAD_GRACE.as_secs());
            self.pool.suspend(member, &Error::new(ErrorCode::Source, message));
        }
        highest.ok_or_else(|| failure.unwrap_or_else(no_node_answers))
    }

    /// The highest finalized block; `None` if no node knows one.
    pub async fn finalized(&self) -> Result<Option<u64>> {
        let mut answers = Answers::of(self);
        for member in self.pool.ahead_first() {
            if let Some(Some(height)) = answers.take(member, member.node.finalized().await) {
                return Ok(Some(height));
            }
        }
        answers.or_failure().map(|()| None)
    }

    /// The hashes of the blocks at these heights; `None` where no node has one.
    pub(crate) async fn hashes_at(&self, numbers: &[u64]) -> Result<Vec<Option<B256>>> {
        let mut hashes = vec![None; numbers.len()];
        let mut answers = Answers::of(self);
        for member in self.pool.ahead_first() {
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

    /// Looks up a block on the nodes with the highest head. One of them with the block is enough, as two blocks of a
    /// height may both be valid for a while. A node without it may be behind.
    pub(crate) async fn block_status(&self, number: u64, hash: B256) -> Result<BlockStatus> {
        let mut answers = Answers::of(self);
        let mut deciding = None;
        for member in self.pool.ahead_first() {
            let height = member.node.newest();
            if deciding.is_some_and(|deciding| height < deciding) {
                break;
            }
            match answers.take(member, member.node.hashes_at(&[number]).await).and_then(|mut hashes| hashes.pop()) {
                Some(Some(theirs)) if theirs == hash => return Ok(BlockStatus::Canonical),
                Some(Some(_)) => deciding = deciding.or(Some(height)),
                Some(None) | None => {}
            }
        }
        match deciding {
            Some(_) => Ok(BlockStatus::Replaced),
            None => answers.or_failure().map(|()| BlockStatus::Unknown),
        }
    }

    /// Reads the metadata of these contracts with responses of at most `max_bytes` bytes; `newest` is the highest block
    /// that created one. Requests that fail on a node go to the others.
    pub(crate) async fn token_facts(
        &self,
        contracts: &[Address],
        newest: u64,
        max_bytes: usize,
    ) -> Result<HashMap<Address, TokenFacts>, FetchError> {
        let mut failover = Failover::of(&self.pool, self.patience, newest);
        loop {
            let member = failover.next().await?;
            match member.node.token_facts(contracts, &ByteBudget::of(max_bytes)).await {
                Ok(facts) => return Ok(facts),
                Err(error) if exceeds_share(&error, max_bytes) => return Err(error),
                Err(error) => failover.failed(member, error)?,
            }
        }
    }

    /// Announcements of new blocks.
    pub(crate) fn announcements(&self) -> Announcements<'_> {
        Announcements::of(&self.pool)
    }

    /// Fetches the blocks of a range in order, verified and linked. Requests that fail on a node go to the others.
    pub async fn blocks(&self, range: RangeInclusive<u64>) -> Result<Vec<BlockData>> {
        Ok(self.ask(range, None).await?.blocks)
    }

    /// The same, with responses of at most `max_bytes` bytes.
    pub(crate) async fn fetch_blocks(
        &self,
        range: RangeInclusive<u64>,
        max_bytes: usize,
    ) -> Result<FetchedBlocks, FetchError> {
        self.ask(range, Some(max_bytes)).await
    }

    async fn ask(&self, range: RangeInclusive<u64>, max_bytes: Option<usize>) -> Result<FetchedBlocks, FetchError> {
        let mut failover = Failover::of(&self.pool, self.patience, *range.end());
        loop {
            let member = failover.next().await?;
            let busy = member.begin();
            let fetched = member.node.fetch_blocks(range.clone(), max_bytes).await;
            drop(busy);
            match fetched {
                Ok(fetched) => return Ok(fetched),
                Err(error) if max_bytes.is_some_and(|max_bytes| exceeds_share(&error, max_bytes)) => return Err(error),
                Err(error) => failover.failed(member, error)?,
            }
        }
    }

    /// Whether all nodes are connected and answered their last request.
    pub(crate) fn are_all_available(&self) -> bool {
        self.pool.are_all_available()
    }
}

/// The results of asking nodes one after the other.
struct Answers<'a> {
    nodes: &'a Nodes,
    /// `None` once a node answered.
    failure: Option<Error>,
}

impl<'a> Answers<'a> {
    fn of(nodes: &'a Nodes) -> Answers<'a> {
        Answers { nodes, failure: Some(no_node_answers()) }
    }

    /// Returns the response of a node. A node that failed is suspended.
    fn take<T>(&mut self, member: &Member, answer: Result<T>) -> Option<T> {
        match answer {
            Ok(answer) => {
                self.failure = None;
                Some(answer)
            }
            Err(error) => {
                self.nodes.pool.suspend(member, &error);
                self.failure = self.failure.take().map(|_| error);
                None
            }
        }
    }

    /// The last failure if all nodes failed.
    fn or_failure(self) -> Result<()> {
        self.failure.map_or(Ok(()), Err)
    }
}

/// Whether only the byte limit of the caller failed the request, so that a retry with more could succeed on any node.
fn exceeds_share(error: &FetchError, max_bytes: usize) -> bool {
    matches!(error, FetchError::TooLarge(_)) && max_bytes < MAX_ANSWER_BYTES
}

/// The next result, until the deadline.
async fn next_until<T>(asked: &mut (impl Stream<Item = T> + Unpin), until: Option<Instant>) -> Option<T> {
    match until {
        Some(until) => tokio::time::timeout_at(until, asked.next()).await.ok().flatten(),
        None => asked.next().await,
    }
}
