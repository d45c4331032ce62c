//! Connects to nodes at the start, and later to those that were unreachable.

use std::sync::Arc;
use std::time::Duration;

use quarry_types::{Error, ErrorCode, Result};

use super::node_pool::NodePool;
use super::{Node, NodeConfig};

/// Delay before an unreachable node is tried again; doubled after each failure.
pub(super) const RETRY_DELAY: Duration = Duration::from_secs(30);
const LONGEST_RETRY_DELAY: Duration = Duration::from_secs(600);
/// Two nodes must agree at this depth below the lower head; above it their chains may differ for a while.
const SETTLED: u64 = 64;

/// Connects to a node and, for a comparison with others, reads its head.
pub(super) async fn reach(config: NodeConfig, compared: bool) -> Result<Node> {
    let node = Node::connect(config).await?;
    if compared {
        node.head().await?;
    }
    Ok(node)
}

/// Tries an unreachable node until it joins or turns out to serve another chain.
pub(super) async fn reconnect(pool: Arc<NodePool>, place: usize, config: NodeConfig, first: Duration) {
    let name = config.name();
    let mut pause = first;
    loop {
        tokio::time::sleep(pause).await;
        pause = (pause * 2).min(LONGEST_RETRY_DELAY);
        match join(&pool, place, config.clone()).await {
            Ok(()) => {
                tracing::info!(node = name, "an unreachable node has joined");
                return;
            }
            Err(error) if error.code == ErrorCode::Source => {
                tracing::debug!(node = name, %error, "a node is still unreachable");
            }
            Err(error) => {
                tracing::warn!(node = name, %error, "a node is rejected");
                pool.give_up();
                return;
            }
        }
    }
}

async fn join(pool: &NodePool, place: usize, config: NodeConfig) -> Result<()> {
    let node = reach(config, true).await?;
    if let Some(member) = pool.ahead_first().first() {
        check_agreement(&member.node, &node).await?;
    }
    pool.add(place, node);
    Ok(())
}

/// Checks that two nodes with known heads serve the same chain.
///
/// # Errors
/// `InvalidInput` if they don't, `Source` if one of them does not answer.
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
            "The nodes at {first} and {other} are not on the same chain: block {settled} is {hash} on the first and \
             {theirs} on the second."
        );
        return Err(Error::new(ErrorCode::InvalidInput, message));
    }
    Ok(())
}
