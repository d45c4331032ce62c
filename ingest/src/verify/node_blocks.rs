//! Fetches blocks of nodes for comparison, as many at once as the memory allows.

use quarry_lake::BlockRange;
use quarry_types::{Error, Result};
use tokio::sync::{Semaphore, SemaphorePermit};

use crate::chain::BlockData;
use crate::rpc::{FetchError, MAX_ANSWER_BYTES, MAX_BYTES_IN_FLIGHT, Nodes};

/// The unit of the semaphore, whose permits are too few for bytes.
const UNIT: usize = 1 << 20;
/// Minimum bytes of responses for a step.
const LEAST: usize = 16 << 20;
/// Maximum ratio of the size of responses to that of rows, as responses are hexadecimal.
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

    /// Fetches the blocks of a step whose rows in the lake have `bytes` bytes. Waits for memory, which is reserved
    /// until the second value is dropped.
    pub(super) async fn blocks(&self, step: BlockRange, bytes: usize) -> Result<(Vec<BlockData>, SemaphorePermit<'_>)> {
        let range = step.from.unsigned_abs()..=step.to.unsigned_abs();
        let mut most = share(bytes);
        loop {
            let memory = self.take(most).await?;
            match self.nodes.fetch_blocks(range.clone(), most).await {
                Ok(brought) => return Ok((brought.blocks, memory)),
                // A larger response may be correct nevertheless.
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

/// Maximum bytes of the responses of a step. A power of two: connections are reused by the response size that they
/// accept.
fn share(bytes: usize) -> usize {
    bytes.saturating_mul(LONGER).clamp(LEAST, MAX_ANSWER_BYTES).next_power_of_two()
}

#[cfg(test)]
mod tests {
    use futures::FutureExt;

    use super::*;
    use crate::rpc::NodeConfig;
    use crate::rpc::mock_node::{Chain, MockNode, Reply};

    /// A node whose blocks are padded by `padding` bytes.
    async fn beside(padding: usize) -> (NodeBlocks, MockNode) {
        let behavior = move |_: &crate::rpc::mock_node::Request| {
            Reply::Changed(std::sync::Arc::new(move |method: &str, result: &mut serde_json::Value| {
                if method == "eth_getBlockByNumber" {
                    result["padding"] = "x".repeat(padding).into();
                }
            }))
        };
        let mock = MockNode::start(Chain::new(5, 4, 0), behavior).await;
        let config = NodeConfig::new(&mock.http()).expect("an address");
        (NodeBlocks::new(Nodes::connect(vec![config]).await.expect("connects")), mock)
    }

    #[test]
    fn shares_follow_the_rows() {
        assert_eq!(share(0), LEAST);
        assert_eq!(share(5 << 20), 32 << 20);
        assert_eq!(share(usize::MAX), MAX_ANSWER_BYTES);
    }

    #[tokio::test]
    async fn blocks_wait_for_memory() {
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
    async fn large_responses_get_more_memory() {
        let (beside, mock) = beside(10 << 20).await;
        let (blocks, _memory) = beside.blocks(BlockRange { from: 0, to: 1 }, 0).await.expect("blocks");
        assert_eq!(blocks.len(), 2);
        let requests = mock.requests();
        let asked = requests.iter().filter(|request| request.has("eth_getBlockByNumber") && request.has_block(1));
        assert_eq!(asked.count(), 2, "once for too little");
        assert_eq!(beside.memory.available_permits(), (MAX_BYTES_IN_FLIGHT - MAX_ANSWER_BYTES) / UNIT);
    }
}
