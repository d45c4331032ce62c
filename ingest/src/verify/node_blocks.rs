//! Blocks of nodes for a comparison with the lake's, as many of them at once as the memory holds.

use quarry_lake::BlockRange;
use quarry_types::{Error, Result};
use tokio::sync::{Semaphore, SemaphorePermit};

use crate::chain::BlockData;
use crate::rpc::{FetchError, MAX_ANSWER_BYTES, MAX_BYTES_IN_FLIGHT, Nodes};

/// What is counted: a semaphore has no room for bytes.
const UNIT: usize = 1 << 20;
/// What the answers to a step may have at least.
const LEAST: usize = 16 << 20;
/// How much longer the answers may be than the rows of their blocks, which are bytes where they are hexadecimal.
const LONGER: usize = 4;

/// Nodes to compare with.
pub(super) struct NodeBlocks {
    nodes: Nodes,
    memory: Semaphore,
}

impl NodeBlocks {
    pub(super) fn new(nodes: Nodes) -> NodeBlocks {
        NodeBlocks { nodes, memory: Semaphore::new(MAX_BYTES_IN_FLIGHT / UNIT) }
    }

    /// The blocks of a step whose rows have so many bytes in the lake. Waits for the memory that is theirs until the second
    /// value is dropped.
    pub(super) async fn blocks(&self, step: BlockRange, bytes: usize) -> Result<(Vec<BlockData>, SemaphorePermit<'_>)> {
        let range = step.from.unsigned_abs()..=step.to.unsigned_abs();
        let mut most = share(bytes);
        loop {
            let memory = self.take(most).await?;
            match self.nodes.fetch_blocks(range.clone(), most).await {
                Ok(brought) => return Ok((brought.blocks, memory)),
                // What does not fit the share of such a step may be right all the same.
                Err(FetchError::TooLarge(_)) if most < MAX_ANSWER_BYTES => most = MAX_ANSWER_BYTES,
                Err(error) => return Err(error.into()),
            }
        }
    }

    async fn take(&self, bytes: usize) -> Result<SemaphorePermit<'_>> {
        let units = u32::try_from(bytes.div_ceil(UNIT)).unwrap_or(u32::MAX);
        self.memory.acquire_many(units).await.map_err(Error::internal)
    }
}

/// Bytes that the answers to a step may have. A power of two: connections are reused by the size of
/// the answers that they take.
fn share(bytes: usize) -> usize {
    bytes.saturating_mul(LONGER).clamp(LEAST, MAX_ANSWER_BYTES).next_power_of_two()
}

#[cfg(test)]
mod tests {
    use futures::FutureExt;

    use super::*;
    use crate::rpc::NodeConfig;
    use crate::rpc::stub::{Chain, Reply, Stub};

    /// NodeBlocks a node whose blocks have so many bytes more than they need.
    async fn beside(padding: usize) -> (NodeBlocks, Stub) {
        let behaviour = move |_: &crate::rpc::stub::Request| {
            Reply::Changed(std::sync::Arc::new(move |method: &str, result: &mut serde_json::Value| {
                if method == "eth_getBlockByNumber" {
                    result["padding"] = "x".repeat(padding).into();
                }
            }))
        };
        let stub = Stub::start(Chain::new(5, 4, 0), behaviour).await;
        let config = NodeConfig::new(&stub.http()).expect("an address");
        (NodeBlocks::new(Nodes::connect(vec![config]).await.expect("connects")), stub)
    }

    #[test]
    fn shares_follow_the_rows() {
        assert_eq!(share(0), LEAST);
        assert_eq!(share(5 << 20), 32 << 20);
        assert_eq!(share(usize::MAX), MAX_ANSWER_BYTES);
    }

    #[tokio::test]
    async fn blocks_wait_for_the_memory_of_those_before_them() {
        let (beside, _stub) = beside(0).await;
        let step = BlockRange { from: 0, to: 1 };
        let (blocks, first) = beside.blocks(step, usize::MAX).await.expect("blocks");
        assert_eq!(blocks.len(), 2);
        assert!(beside.take(MAX_ANSWER_BYTES).now_or_never().is_none(), "two of the largest are too much together");
        assert_eq!(beside.blocks(step, 0).await.expect("small ones fit beside it").0.len(), 2);
        drop(first);
        assert!(beside.take(MAX_ANSWER_BYTES).now_or_never().is_some());
    }

    #[tokio::test]
    async fn blocks_that_are_larger_than_their_rows_get_more() {
        let (beside, stub) = beside(10 << 20).await;
        let (blocks, _memory) = beside.blocks(BlockRange { from: 0, to: 1 }, 0).await.expect("blocks");
        assert_eq!(blocks.len(), 2);
        let requests = stub.requests();
        let asked = requests.iter().filter(|request| request.has("eth_getBlockByNumber") && request.has_block(1));
        assert_eq!(asked.count(), 2, "once for too little");
        assert_eq!(beside.memory.available_permits(), (MAX_BYTES_IN_FLIGHT - MAX_ANSWER_BYTES) / UNIT);
    }
}
