//! How high a node's chain is, as far as it can show it: a height without its block would be waited for again and again.

use std::sync::atomic::Ordering;

use quarry_types::Result;

use super::{Call, Node, wire};

impl Node {
    /// Height of the newest block. Of a node that once reported a height whose block it did not have, the highest block
    /// that it shows counts.
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

    /// Height of the newest finalised block, never above the newest block; `None` when the node doesn't know of such.
    pub async fn finalised(&self) -> Result<Option<u64>> {
        let call = Call::new("eth_getBlockByNumber", "\"finalized\",false").or_null();
        #[derive(serde::Deserialize)]
        struct Numbered {
            number: wire::Quantity<u64>,
        }
        let reported = match self.try_answers(std::slice::from_ref(&call), None).await {
            Ok(answers) => {
                let block = answers.first().map(|answer| serde_json::from_str::<Option<Numbered>>(answer.get()));
                block.and_then(|block| block.ok().flatten()).map(|block| block.number.0)
            }
            Err((calls, failure)) if failure.is_absence() => return Err(self.error(calls, &failure)),
            // Nodes from before the Merge take the name for a malformed number.
            Err(_) => None,
        };
        match reported {
            // It may have grown since it was asked last.
            Some(reported) if reported > self.newest() => Ok(Some(reported.min(self.head().await?))),
            reported => Ok(reported),
        }
    }

    /// Height of its newest block when it was asked last.
    pub(super) fn newest(&self) -> u64 {
        self.newest.load(Ordering::Relaxed)
    }

    /// After it had not all blocks from this one on that it should have.
    pub(super) fn doubt(&self, first: u64) {
        self.doubted.fetch_min(first, Ordering::Relaxed);
    }

    /// The highest block between a doubted height and the reported one that the node has.
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

/// Heights from the top down, further apart the further down they are.
fn ladder(top: u64, lowest: u64) -> Vec<u64> {
    let below = (0..u64::BITS).map_while(|doublings| top.checked_sub(1 << doublings));
    std::iter::once(top).chain(below).take_while(|height| *height >= lowest).collect()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::super::NodeConfig;
    use super::super::stub::{Chain, Reply, Request, Stub};
    use super::*;

    async fn connect(stub: &Stub) -> Node {
        Node::connect(NodeConfig::new(&stub.http()).expect("an address")).await.expect("connects")
    }

    #[test]
    fn a_ladder_is_closest_at_its_top() {
        assert_eq!(ladder(105, 101), [105, 104, 103, 101]);
        assert_eq!(ladder(3, 0), [3, 2, 1]);
        assert_eq!(ladder(3, 3), [3]);
        assert_eq!(ladder(0, 0), [0]);
        assert_eq!(ladder(i64::MAX as u64, 0).len(), 64);
    }

    #[tokio::test]
    async fn nothing_is_final_above_the_head() {
        let is_asked = |request: &Request| request.calls.iter().any(|(_, params)| params[0] == json!("finalized"));
        let behaviour = move |request: &Request| match is_asked(request) {
            true => Reply::changed(|_, result| result["number"] = json!("0xffffff")),
            false => Reply::Honest,
        };
        let stub = Stub::start(Chain::new(5, 100, 0).with_finalised(90), behaviour).await;
        let node = connect(&stub).await;
        assert_eq!(node.finalised().await.expect("answers"), Some(99));
        stub.switch(Chain::new(5, 110, 0).with_finalised(90));
        assert_eq!(node.finalised().await.expect("answers"), Some(109), "it has grown meanwhile");
    }

    #[tokio::test]
    async fn a_height_without_its_block_is_not_believed_again() {
        let stub = Stub::start(Chain::new(5, 100, 0), |_| {
            Reply::changed(|method, result| {
                if method == "eth_blockNumber" {
                    *result = json!("0x68");
                }
            })
        })
        .await;
        let node = connect(&stub).await;
        assert_eq!(node.head().await.expect("a head"), 104, "nothing is known against it");
        let error = node.blocks(98..=104).await.expect_err("there are 100 blocks");
        assert!(error.message.contains("answers null"), "{error}");
        assert_eq!(node.head().await.expect("a head"), 97, "it has none of 104, 103, 102 and 100");
        stub.switch(Chain::new(5, 104, 0));
        assert_eq!(node.head().await.expect("a head"), 103);
        stub.switch(Chain::new(5, 105, 0));
        assert_eq!(node.head().await.expect("a head"), 104);
        let asked = stub.requests().len();
        node.head().await.expect("a head");
        assert_eq!(stub.requests().len(), asked + 1, "it is believed again");
    }

    #[tokio::test]
    async fn a_height_that_no_chain_has_is_nonsense() {
        let stub = Stub::start(Chain::new(5, 4, 0), |_| {
            Reply::changed(|method, result| {
                if method == "eth_blockNumber" {
                    *result = json!("0xffffffffffffffff");
                }
            })
        })
        .await;
        let error = connect(&stub).await.head().await.expect_err("so many blocks");
        assert!(error.message.contains("no chain has 18446744073709551615 blocks"), "{error}");
    }
}
