//! Reads the metadata of token contracts that blocks create.

use crate::chain::BlockData;
use crate::decode;
use crate::rpc::{FetchError, Nodes};

/// Adds token metadata to the blocks, with responses of at most `max_bytes` bytes. Requests nothing if they create no
/// token contract.
pub(super) async fn ask(nodes: &Nodes, blocks: &mut [BlockData], max_bytes: usize) -> Result<(), FetchError> {
    let created: Vec<_> = blocks.iter().map(decode::token_contracts).collect();
    let all: Vec<_> = created.iter().flatten().copied().collect();
    if all.is_empty() {
        return Ok(());
    }
    let newest = blocks.last().map_or(0, |block| block.header.number);
    let facts = nodes.token_facts(&all, newest, max_bytes).await?;
    for (block, created) in blocks.iter_mut().zip(created) {
        let answered = created.into_iter().filter_map(|contract| Some((contract, facts.get(&contract)?.clone())));
        block.tokens = answered.collect();
    }
    Ok(())
}
