//! Several nodes of one chain as one source: each request goes to the node with the most room, and to the next one when
//! it fails. A node that could not be reached at first joins when it can be.

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

use super::allowance::{Allowance, MAX_ANSWER_BYTES};
use super::failover::{ALONE, Failover};
use super::joining::{AGAIN, ask_again, check_agreement, reach};
use super::members::{Member, Members, no_node_answers};
use super::{Announcements, FetchError, NodeConfig};
use crate::chain::{BlockData, TokenFacts};

/// How long to wait for the others once one has reported its height.
const LATE: Duration = Duration::from_secs(2);

/// How long to wait for the others once one was reached. They join later.
const LATE_TO_JOIN: Duration = Duration::from_secs(5);

/// Nodes that serve the same chain, at least one of which was reached.
pub struct Nodes {
    pub(super) members: Arc<Members>,
    chain_id: u64,
    pub(super) patience: Duration,
    /// Asks those that are away again; ends with the rest.
    _asking: JoinSet<()>,
}

/// Blocks as they came.
pub(crate) struct FetchedBlocks {
    pub(crate) blocks: Vec<BlockData>,
    /// Of the answers that they were in, where that was limited.
    pub(crate) bytes: usize,
}

/// What the nodes say of a block that the lake holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum BlockStatus {
    /// It is one of their chain.
    Canonical,
    /// They have another one at its height.
    Replaced,
    /// None of them has a block of that height, now.
    Unknown,
}

impl Nodes {
    /// Reaches the nodes. Those that can't be reached are left out until they can be, unless it is all of them.
    ///
    /// # Errors
    /// No node answers, or two of them serve different chains.
    pub async fn connect(configs: Vec<NodeConfig>) -> Result<Nodes> {
        Nodes::connect_again(configs, AGAIN).await
    }

    /// As `connect`; a node that is away is asked again after so long.
    pub(super) async fn connect_again(mut configs: Vec<NodeConfig>, again: Duration) -> Result<Nodes> {
        let several = configs.len() > 1;
        let patience = configs.iter().map(|config| config.patience).max().unwrap_or_default();
        if several {
            configs.iter_mut().for_each(|config| config.patience = config.patience.min(ALONE));
        }
        let reaching = configs.iter().map(|config| reach(config.clone(), several)).enumerate();
        let mut reaching: FuturesUnordered<_> =
            reaching.map(|(place, reaching)| async move { (place, reaching.await) }).collect();
        let members = Members::new(configs.len());
        let mut absent: Vec<usize> = (0..configs.len()).collect();
        let mut failed = None;
        let mut until = None;
        while let Some((place, reached)) = next_until(&mut reaching, until).await {
            match reached {
                Ok(node) => {
                    members.add(place, node);
                    absent.retain(|other| *other != place);
                    until = until.or_else(|| Some(Instant::now() + LATE_TO_JOIN));
                }
                Err(error) if several && error.code == ErrorCode::Source => {
                    tracing::warn!(%error, "a node is left out");
                    failed = Some(error);
                }
                Err(error) => return Err(error),
            }
        }
        if !reaching.is_empty() {
            tracing::warn!(nodes = reaching.len(), "nodes that keep silent are left out until they answer");
        }
        drop(reaching);
        let Some(first) = members.iter().next() else {
            let nothing = || Error::new(ErrorCode::InvalidInput, "No address of a node was given.");
            return Err(failed.unwrap_or_else(nothing));
        };
        for other in members.iter().skip(1) {
            check_agreement(&first.node, &other.node).await?;
        }
        let chain_id = first.node.chain_id();
        let members = Arc::new(members);
        let mut asking = JoinSet::new();
        for (place, config) in configs.into_iter().enumerate().filter(|(place, _)| absent.contains(place)) {
            asking.spawn(ask_again(Arc::clone(&members), place, config, again));
        }
        Ok(Nodes { members, chain_id, patience, _asking: asking })
    }

    pub fn chain_id(&self) -> u64 {
        self.chain_id
    }

    /// The names of all, for messages.
    pub fn name(&self) -> String {
        self.members.iter().map(|member| member.node.name()).collect::<Vec<_>>().join(", ")
    }

    /// Blocks that fill one request.
    pub(crate) fn step(&self) -> u64 {
        self.members.iter().map(|member| member.node.step()).max().unwrap_or(1)
    }

    /// Requests that may be under way at once at the moment.
    pub(crate) fn room(&self) -> usize {
        self.members.iter().map(|member| member.node.room()).sum()
    }

    /// Height of the newest block that any of them has. Once one has reported it, the wait for those that keep
    /// silent is short.
    pub async fn head(&self) -> Result<u64> {
        let mut late: Vec<&Member> = self.members.awake().collect();
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
                    until = until.or_else(|| Some(Instant::now() + LATE));
                }
                Err(error) => {
                    self.members.rest(member, &error);
                    failure = Some(error);
                }
            }
        }
        for member in late {
            let name = member.node.name();
            let message = format!("The node at {name} does not tell its height within {} s.", LATE.as_secs());
            self.members.rest(member, &Error::new(ErrorCode::Source, message));
        }
        highest.ok_or_else(|| failure.unwrap_or_else(no_node_answers))
    }

    /// Height of the newest finalised block, `None` when no node knows of such.
    pub async fn finalised(&self) -> Result<Option<u64>> {
        let mut answers = Answers::of(self);
        for member in self.members.ahead_first() {
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
        for member in self.members.ahead_first() {
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
    pub(crate) async fn block_status(&self, number: u64, hash: B256) -> Result<BlockStatus> {
        let mut answers = Answers::of(self);
        let mut deciding = None;
        for member in self.members.ahead_first() {
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

    /// What these contracts answer about themselves, in answers of at most so many bytes; `newest` is the highest block
    /// that created one of them. What one node fails at is requested from the others.
    pub(crate) async fn token_facts(
        &self,
        contracts: &[Address],
        newest: u64,
        most: usize,
    ) -> Result<HashMap<Address, TokenFacts>, FetchError> {
        let mut failover = Failover::of(&self.members, self.patience, newest);
        loop {
            let member = failover.next().await?;
            match member.node.token_facts(contracts, &Allowance::of(most)).await {
                Ok(facts) => return Ok(facts),
                Err(error) if exceeds_share(&error, most) => return Err(error),
                Err(error) => failover.failed(member, error)?,
            }
        }
    }

    /// Announcements of new blocks.
    pub(crate) fn announcements(&self) -> Announcements<'_> {
        Announcements::of(&self.members)
    }

    /// The blocks of this range in order, verified and linked. What one node fails at is requested from the others.
    pub async fn blocks(&self, range: RangeInclusive<u64>) -> Result<Vec<BlockData>> {
        Ok(self.ask(range, None).await?.blocks)
    }

    /// The same, when the answers have at most so many bytes.
    pub(crate) async fn fetch_blocks(
        &self,
        range: RangeInclusive<u64>,
        most: usize,
    ) -> Result<FetchedBlocks, FetchError> {
        self.ask(range, Some(most)).await
    }

    async fn ask(&self, range: RangeInclusive<u64>, most: Option<usize>) -> Result<FetchedBlocks, FetchError> {
        let mut failover = Failover::of(&self.members, self.patience, *range.end());
        loop {
            let member = failover.next().await?;
            let busy = member.begin();
            let brought = member.node.fetch_blocks(range.clone(), most).await;
            drop(busy);
            match brought {
                Ok(brought) => return Ok(brought),
                Err(error) if most.is_some_and(|most| exceeds_share(&error, most)) => return Err(error),
                Err(error) => failover.failed(member, error)?,
            }
        }
    }

    /// Whether all of them are here and answered when they were asked last.
    pub(crate) fn are_all_awake(&self) -> bool {
        self.members.are_all_awake()
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
        Answers { nodes, failure: Some(no_node_answers()) }
    }

    /// The answer of one of them; a node that failed rests.
    fn take<T>(&mut self, member: &Member, answer: Result<T>) -> Option<T> {
        match answer {
            Ok(answer) => {
                self.failure = None;
                Some(answer)
            }
            Err(error) => {
                self.nodes.members.rest(member, &error);
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

/// Whether the answers are too large only for the bytes that the caller allowed: with more it may ask again, any node.
fn exceeds_share(error: &FetchError, most: usize) -> bool {
    matches!(error, FetchError::TooLarge(_)) && most < MAX_ANSWER_BYTES
}

/// The next of them, unless it is too late.
async fn next_until<T>(asked: &mut (impl Stream<Item = T> + Unpin), until: Option<Instant>) -> Option<T> {
    match until {
        Some(until) => tokio::time::timeout_at(until, asked.next()).await.ok().flatten(),
        None => asked.next().await,
    }
}
