//! The head of a node, limited to blocks that it can return. Otherwise requests would wait forever for a reported
//! block.

use std::sync::atomic::Ordering;

use quarry_types::Result;

use super::{Call, Node, json_types};

impl Node {
    /// The head. If the node once lacked the block of a height it had reported, the highest block that it returns.
    pub async fn head(&self) -> Result<u64> {
        let call = Call::new("eth_blockNumber", "");
        let answers = self.answers(std::slice::from_ref(&call)).await?;
        let reported = self.number(&call, &answers)?;
        if i64::try_from(reported).is_err() {
            return Err(self.nonsense(&call, &format!("no chain has {reported} blocks")));
        }
        let doubted = self.doubted.load(Ordering::Relaxed);
        let head = if reported < doubted { reported } else { self.highest_present(reported, doubted).await? };
        self.newest.store(head, Ordering::Relaxed);
        Ok(head)
    }

    /// The finalized block, at most the head; `None` if the node does not know it.
    pub async fn finalized(&self) -> Result<Option<u64>> {
        let call = Call::new("eth_getBlockByNumber", "\"finalized\",false").or_null();
        #[derive(serde::Deserialize)]
        struct Numbered {
            number: json_types::Quantity<u64>,
        }
        let reported = match self.try_answers(std::slice::from_ref(&call), None).await {
            Ok(answers) => {
                let block = answers.first().map(|answer| serde_json::from_str::<Option<Numbered>>(answer.get()));
                block.and_then(|block| block.ok().flatten()).map(|block| block.number.0)
            }
            Err((calls, failure)) if failure.is_absence() => return Err(self.error(calls, &failure)),
            // Nodes from before the Merge reject the name as a malformed number.
            Err(_) => None,
        };
        match reported {
            // The chain may have grown since.
            Some(reported) if reported > self.newest() => Ok(Some(reported.min(self.head().await?))),
            reported => Ok(reported),
        }
    }

    /// The last reported head.
    pub(super) fn newest(&self) -> u64 {
        self.newest.load(Ordering::Relaxed)
    }

    /// Records that blocks from this one on are missing.
    pub(super) fn doubt(&self, first: u64) {
        self.doubted.fetch_min(first, Ordering::Relaxed);
    }

    /// The highest existing block between the doubtful height and the reported head.
    async fn highest_present(&self, reported: u64, doubted: u64) -> Result<u64> {
        let heights = ladder(reported, doubted);
        let hashes = self.hashes_at(&heights).await?;
        let highest = heights.into_iter().zip(hashes).find(|(_, hash)| hash.is_some()).map(|(height, _)| height);
        if highest == Some(reported) {
            self.doubted.store(u64::MAX, Ordering::Relaxed);
        }
        Ok(highest.unwrap_or(doubted.saturating_sub(1)))
    }
}

/// Heights in descending order with growing distance.
fn ladder(top: u64, lowest: u64) -> Vec<u64> {
    let below = (0..u64::BITS).map_while(|doublings| top.checked_sub(1 << doublings));
    std::iter::once(top).chain(below).take_while(|height| *height >= lowest).collect()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::super::NodeConfig;
    use super::super::mock_node::{Chain, MockNode, Reply, Request};
    use super::*;

    async fn connect(mock: &MockNode) -> Node {
        Node::connect(NodeConfig::new(&mock.http()).expect("an address")).await.expect("connects")
    }

    #[test]
    fn probed_heights_are_densest_at_the_top() {
        assert_eq!(ladder(105, 101), [105, 104, 103, 101]);
        assert_eq!(ladder(3, 0), [3, 2, 1]);
        assert_eq!(ladder(3, 3), [3]);
        assert_eq!(ladder(0, 0), [0]);
        assert_eq!(ladder(i64::MAX as u64, 0).len(), 64);
    }

    #[tokio::test]
    async fn finalized_is_at_most_the_head() {
        let is_asked = |request: &Request| request.calls.iter().any(|(_, params)| params[0] == json!("finalized"));
        let behavior = move |request: &Request| match is_asked(request) {
            true => Reply::changed(|_, result| result["number"] = json!("0xffffff")),
            false => Reply::Honest,
        };
        let mock = MockNode::start(Chain::new(5, 100, 0).with_finalized(90), behavior).await;
        let node = connect(&mock).await;
        assert_eq!(node.finalized().await.expect("answers"), Some(99));
        mock.switch(Chain::new(5, 110, 0).with_finalized(90));
        assert_eq!(node.finalized().await.expect("answers"), Some(109), "it has grown meanwhile");
    }

    #[tokio::test]
    async fn height_without_block_is_remembered() {
        let mock = MockNode::start(Chain::new(5, 100, 0), |_| {
            Reply::changed(|method, result| {
                if method == "eth_blockNumber" {
                    *result = json!("0x68");
                }
            })
        })
        .await;
        let node = connect(&mock).await;
        assert_eq!(node.head().await.expect("a head"), 104, "nothing is known against it");
        let error = node.blocks(98..=104).await.expect_err("there are 100 blocks");
        assert!(error.message.contains("answers null"), "{error}");
        assert_eq!(node.head().await.expect("a head"), 97, "it has none of 104, 103, 102 and 100");
        mock.switch(Chain::new(5, 104, 0));
        assert_eq!(node.head().await.expect("a head"), 103);
        mock.switch(Chain::new(5, 105, 0));
        assert_eq!(node.head().await.expect("a head"), 104);
        let asked = mock.requests().len();
        node.head().await.expect("a head");
        assert_eq!(mock.requests().len(), asked + 1, "it is believed again");
    }

    #[tokio::test]
    async fn impossible_heights_are_invalid() {
        let mock = MockNode::start(Chain::new(5, 4, 0), |_| {
            Reply::changed(|method, result| {
                if method == "eth_blockNumber" {
                    *result = json!("0xffffffffffffffff");
                }
            })
        })
        .await;
        let error = connect(&mock).await.head().await.expect_err("so many blocks");
        assert!(error.message.contains("no chain has 18446744073709551615 blocks"), "{error}");
    }
}
