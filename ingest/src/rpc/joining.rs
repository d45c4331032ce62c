//! Reaching nodes: all of them at the start, and those that were away then from time to time later.

use std::sync::Arc;
use std::time::Duration;

use quarry_types::{Error, ErrorCode, Result};

use super::members::Members;
use super::{Node, NodeConfig};

/// How long a node that could not be reached is left alone; twice as long after each time that it is still away.
pub(super) const AGAIN: Duration = Duration::from_secs(30);
const LONGEST_AGAIN: Duration = Duration::from_secs(600);
/// Blocks below the lower head at which two nodes must agree; above it they may be of different opinions for a while.
const SETTLED: u64 = 64;

/// Reaches a node and, where it is to be compared with others, asks for its height.
pub(super) async fn reach(config: NodeConfig, compared: bool) -> Result<Node> {
    let node = Node::connect(config).await?;
    if compared {
        node.head().await?;
    }
    Ok(node)
}

/// Asks a node that is away until it joins the others, or turns out not to belong to them.
pub(super) async fn ask_again(members: Arc<Members>, place: usize, config: NodeConfig, first: Duration) {
    let name = config.name();
    let mut pause = first;
    loop {
        tokio::time::sleep(pause).await;
        pause = (pause * 2).min(LONGEST_AGAIN);
        match join(&members, place, config.clone()).await {
            Ok(()) => {
                tracing::info!(node = name, "a node that could not be reached before has joined");
                return;
            }
            Err(error) if error.code == ErrorCode::Source => {
                tracing::debug!(node = name, %error, "a node is still left out");
            }
            Err(error) => {
                tracing::warn!(node = name, %error, "a node is left out for good");
                members.give_up();
                return;
            }
        }
    }
}

async fn join(members: &Members, place: usize, config: NodeConfig) -> Result<()> {
    let node = reach(config, true).await?;
    if let Some(member) = members.ahead_first().first() {
        check_agreement(&member.node, &node).await?;
    }
    members.add(place, node);
    Ok(())
}

/// That two nodes, both of which reported their height, serve the same chain.
///
/// # Errors
/// `InvalidInput` when they don't, `Source` when one of them does not answer.
pub(super) async fn check_agreement(first: &Node, other: &Node) -> Result<()> {
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
    let settled = first.newest().min(other.newest()).saturating_sub(SETTLED);
    let hashes = (first.hashes_at(&[settled]).await?, other.hashes_at(&[settled]).await?);
    if let ([Some(hash)], [Some(theirs)]) = (hashes.0.as_slice(), hashes.1.as_slice())
        && hash != theirs
    {
        let (first, other) = (first.name(), other.name());
        let message = format!(
            "The nodes at {first} and {other} are not of one chain: block {settled} is {hash} at the first and {theirs} \
             at the second."
        );
        return Err(Error::new(ErrorCode::InvalidInput, message));
    }
    Ok(())
}
