use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use alloy_primitives::B256;
use quarry_lake::tables::Table;
use quarry_lake::{Lake, LakeWriter};
use tempfile::TempDir;
use tokio::sync::mpsc;

use super::*;
use crate::chain::BlockData;
use crate::rpc::mock_node::{Chain, MockNode, Reply};
use crate::testing;
use crate::verify::{self, VerifyConfig};

const CHAIN: u64 = 5;

struct Home {
    lake: Lake,
    writer: LakeWriter,
    _folder: TempDir,
}

impl Home {
    async fn new() -> Home {
        let folder = tempfile::tempdir().expect("a folder");
        let lake = Lake::open(folder.path()).await.expect("a lake");
        let writer = lake.writer().await.expect("a writer");
        Home { lake, writer, _folder: folder }
    }

    /// Follows until an event meets the condition and returns the events.
    async fn follow(
        &self,
        url: &str,
        from: Option<u64>,
        until: impl Fn(&FollowEvent) -> bool + Send,
    ) -> Vec<FollowEvent> {
        self.follow_all(&[url.to_string()], from, until).await
    }

    /// The same with several nodes.
    async fn follow_all(
        &self,
        urls: &[String],
        from: Option<u64>,
        until: impl Fn(&FollowEvent) -> bool + Send,
    ) -> Vec<FollowEvent> {
        let (sender, mut events) = mpsc::unbounded_channel();
        let node = |url: &String| {
            let mut node = NodeConfig::new(url).expect("an address");
            node.patience = Duration::from_millis(10);
            node
        };
        let config = FollowConfig { nodes: urls.iter().map(node).collect(), from, allow_deep_reorg: false };
        let following = follow(&self.lake, &self.writer, config, move |event| {
            let _ = sender.send(event);
        });
        let mut following = std::pin::pin!(following);
        let mut seen = Vec::new();
        loop {
            tokio::select! {
                ended = &mut following => panic!("following ended: {ended:?}"),
                event = events.recv() => {
                    let event = event.expect("an event");
                    let enough = until(&event);
                    seen.push(event);
                    if enough {
                        return seen;
                    }
                }
            }
        }
    }

    /// Checks that the lake has exactly these blocks in every table and verifies them.
    async fn holds(&self, blocks: &[BlockData]) {
        let snapshot = self.lake.snapshot().await.expect("a snapshot");
        let count = blocks.len() as u64;
        let rows: Vec<u64> = Table::ALL.into_iter().map(|table| snapshot.rows(table)).collect();
        assert_eq!(rows, [count, 2 * count, count, count, 0, 0, count]);
        let (first, last) = (&blocks[0].header, blocks.last().expect("blocks"));
        let range = BlockRange::new(first.number as i64, last.header.number as i64).expect("a range");
        assert_eq!(snapshot.covered(), [range]);
        assert_eq!(snapshot.head.map(|head| (head.number, head.hash)), Some((range.to, last.hash)));
        let heads = verify::stored_heads(self.lake.dir(), &snapshot, range).expect("heads");
        let hashes: Vec<B256> = heads.iter().map(|head| head.hash).collect();
        assert_eq!(hashes, blocks.iter().map(|block| block.hash).collect::<Vec<_>>());
        let everything = VerifyConfig { from: None, to: None, nodes: Vec::new() };
        let mut found = Vec::new();
        let checked = verify::run(&self.lake, everything, |_| {}, |mismatch| found.push(mismatch.to_string())).await;
        assert!(checked.is_ok());
        assert_eq!(found, Vec::<String>::new());
    }
}

fn at_head(number: i64) -> impl Fn(&FollowEvent) -> bool {
    move |event| matches!(event, FollowEvent::Head { number: head, .. } if *head == number)
}

fn reorged(event: &FollowEvent) -> bool {
    matches!(event, FollowEvent::Reorg { .. })
}

#[tokio::test(flavor = "multi_thread")]
async fn announced_blocks_are_ingested() {
    let mock = MockNode::honest(Chain::new(CHAIN, 100, 0)).await;
    let home = Home::new().await;
    let next = AtomicUsize::new(100);
    home.follow(&mock.ws(), Some(0), |event| {
        if matches!(event, FollowEvent::Head { .. }) {
            let blocks = next.fetch_add(1, Ordering::SeqCst) as u64 + 1;
            mock.switch(Chain::new(CHAIN, blocks, 0));
        }
        at_head(104)(event)
    })
    .await;
    home.holds(&testing::chain(CHAIN, 105, 0, 0)).await;
    let ranges = home.lake.snapshot().await.expect("a snapshot").ranges.clone();
    assert!(ranges.contains(&BlockRange { from: 104, to: 104 }), "a block is published when it comes: {ranges:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn empty_lake_starts_at_the_head() {
    let mock = MockNode::honest(Chain::new(CHAIN, 100, 0)).await;
    let home = Home::new().await;
    home.follow(&mock.http(), None, at_head(99)).await;
    home.holds(&testing::chain(CHAIN, 100, 0, 0)[99..]).await;
    mock.switch(Chain::new(CHAIN, 120, 0));
    home.follow(&mock.http(), None, at_head(119)).await;
    home.holds(&testing::chain(CHAIN, 120, 0, 0)[99..]).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn reorged_blocks_are_replaced_in_all_tables() {
    // Depth of the fork and length of the new chain: longer, equal, shorter, and only truncated.
    for (common, blocks) in [(97, 104), (97, 100), (99, 100), (90, 95), (95, 95), (20, 60), (3, 200)] {
        let mock = MockNode::honest(Chain::new(CHAIN, 100, 0)).await;
        let home = Home::new().await;
        home.follow(&mock.http(), Some(0), at_head(99)).await;
        let other = testing::chain(CHAIN, blocks, 1, common);
        mock.switch(Chain::of(CHAIN, &other));
        let events = home.follow(&mock.http(), Some(0), reorged).await;
        let Some(FollowEvent::Reorg { fork, depth, finalized }) = events.last() else { panic!("{events:?}") };
        assert_eq!((*fork, *depth, *finalized), (common as i64 - 1, 100 - common, false));
        let told = home.lake.status().await.expect("a status").reorgs[0].blocks;
        assert_eq!(told, BlockRange { from: common as i64, to: 99 }, "not those that came again with them");
        home.holds(&other).await;
    }
}

/// Follows a node from the first block.
fn config(mock: &MockNode, allow_deep_reorg: bool) -> FollowConfig {
    let nodes = vec![NodeConfig::new(&mock.http()).expect("an address")];
    FollowConfig { nodes, from: Some(0), allow_deep_reorg }
}

#[tokio::test(flavor = "multi_thread")]
async fn deep_reorg_needs_permission() {
    let mock = MockNode::honest(Chain::new(CHAIN, 100, 0).with_finalized(90)).await;
    let home = Home::new().await;
    home.follow(&mock.http(), Some(0), at_head(99)).await;
    assert_eq!(home.lake.snapshot().await.expect("a snapshot").finalized, Some(90));
    let other = testing::chain(CHAIN, 101, 1, 50);
    mock.switch(Chain::of(CHAIN, &other).with_finalized(90));
    let mut events = Vec::new();
    let followed = follow(&home.lake, &home.writer, config(&mock, false), |event| events.push(event)).await;
    let error = followed.expect_err("it stops");
    assert_eq!(error.code, ErrorCode::InvalidInput, "it is not tried again");
    assert!(error.message.contains("from 50 on, below the finalized block 90"), "{error}");
    assert!(error.message.contains("--allow-deep-reorg"), "{error}");
    assert!(!events.iter().any(reorged), "{events:?}");
    let status = home.lake.status().await.expect("a status");
    assert_eq!(status.last_failures.first().and_then(|failure| failure.block), Some(50), "the lake's status has it");
    let heads = home.lake.snapshot().await.expect("a snapshot").head.map(|head| head.number);
    assert_eq!(heads, Some(99), "nothing was changed");

    let (sender, mut seen) = mpsc::unbounded_channel();
    let following = follow(&home.lake, &home.writer, config(&mock, true), move |event| {
        let _ = sender.send(event);
    });
    let reorged = async {
        while let Some(event) = seen.recv().await {
            if let FollowEvent::Reorg { finalized, .. } = event {
                return finalized;
            }
        }
        false
    };
    tokio::select! {
        ended = following => panic!("following ended: {ended:?}"),
        was_final = reorged => assert!(was_final),
    }
    home.holds(&other).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn chain_without_common_block_is_rejected() {
    // Another history of the same chain, and another chain at the same address.
    for other in [Chain::new(CHAIN, 100, 1), Chain::new(6, 100, 0)] {
        let home = Home::new().await;
        let mock = MockNode::honest(Chain::new(CHAIN, 100, 0)).await;
        let config = config(&mock, false);
        // The chain changes while it is followed.
        let mut other = Some(other);
        let change = |event: FollowEvent| {
            if matches!(event, FollowEvent::Head { .. })
                && let Some(other) = other.take()
            {
                mock.switch(other);
            }
        };
        let error = follow(&home.lake, &home.writer, config, change).await.expect_err("another chain");
        assert_eq!(error.code, ErrorCode::InvalidInput);
        assert!(error.message.contains("None of the lake's blocks"), "{error}");
        home.holds(&testing::chain(CHAIN, 100, 0, 0)).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn failures_are_retried_and_invalid_blocks_rejected() {
    // Temporary mismatches may come from a reorganization; permanent ones are a failed check.
    for (lies, troubles, recorded) in [(2, 0, 0), (3, 1, 0), (9, 3, 1)] {
        let told = AtomicUsize::new(0);
        let behavior = move |request: &crate::rpc::mock_node::Request| {
            let asked = request.has_block(9) && request.has("eth_getBlockReceipts");
            match asked && told.fetch_add(1, Ordering::SeqCst) < lies {
                true => Reply::changed(|method, result| {
                    if method == "eth_getBlockReceipts" && result[0]["blockNumber"] == "0x9" {
                        result[1]["logs"][0]["data"] = "0x05".into();
                    }
                }),
                false => Reply::Honest,
            }
        };
        let mock = MockNode::start(Chain::new(CHAIN, 10, 0), behavior).await;
        let home = Home::new().await;
        let events = home.follow(&mock.http(), Some(0), at_head(9)).await;
        let told: Vec<String> = events
            .iter()
            .filter_map(|event| match event {
                FollowEvent::Trouble(error) => Some(error.to_string()),
                _ => None,
            })
            .collect();
        assert_eq!(told.len(), troubles, "{told:?}");
        assert!(told.iter().all(|trouble| trouble.contains("block 9: receipts root")), "{told:?}");
        assert_eq!(home.lake.status().await.expect("a status").verification_failures, recorded);
        home.holds(&testing::chain(CHAIN, 10, 0, 0)).await;
    }
}

/// Extends the chain by a block each time the lake reaches the head, up to `last`. The node `behind` always lacks the
/// newest block.
fn grow(ahead: &MockNode, behind: Option<&MockNode>, event: &FollowEvent, last: i64) -> bool {
    let FollowEvent::Head { number, .. } = event else { return false };
    let blocks = number.unsigned_abs() + 2;
    if let Some(behind) = behind {
        behind.switch(Chain::new(CHAIN, blocks - 1, 0));
    }
    ahead.switch(Chain::new(CHAIN, blocks, 0));
    *number >= last
}

#[tokio::test(flavor = "multi_thread")]
async fn lagging_node_is_not_a_reorg() {
    let behind = MockNode::honest(Chain::new(CHAIN, 99, 0)).await;
    let ahead = MockNode::honest(Chain::new(CHAIN, 100, 0)).await;
    let home = Home::new().await;
    let urls = [behind.http(), ahead.http()];
    let events = home.follow_all(&urls, Some(0), |event| grow(&ahead, Some(&behind), event, 104)).await;
    assert!(!events.iter().any(reorged), "{events:?}");
    home.holds(&testing::chain(CHAIN, 105, 0, 0)).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn dead_node_is_skipped() {
    let is_dead = Arc::new(AtomicBool::new(false));
    let dying = MockNode::start(Chain::new(CHAIN, 100, 0), {
        let is_dead = is_dead.clone();
        move |_| if is_dead.load(Ordering::SeqCst) { Reply::HangUp } else { Reply::Honest }
    })
    .await;
    let other = MockNode::honest(Chain::new(CHAIN, 98, 0)).await;
    let home = Home::new().await;
    let until = |event: &FollowEvent| {
        match event {
            FollowEvent::Head { .. } => is_dead.store(true, Ordering::SeqCst),
            FollowEvent::Trouble(error) if error.message.contains("is behind this lake") => {
                other.switch(Chain::new(CHAIN, 105, 0));
            }
            _ => {}
        }
        at_head(104)(event)
    };
    let events = home.follow_all(&[dying.http(), other.http()], Some(0), until).await;
    assert!(!events.iter().any(reorged), "{events:?}");
    home.holds(&testing::chain(CHAIN, 105, 0, 0)).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn unreachable_node_may_have_missing_blocks() {
    let ahead = MockNode::honest(Chain::new(CHAIN, 100, 0)).await;
    let behind = MockNode::honest(Chain::new(CHAIN, 98, 0)).await;
    let home = Home::new().await;
    home.follow(&ahead.http(), Some(0), at_head(99)).await;
    let urls = [ahead.http(), behind.http()];
    ahead.stop().await;
    let events = home.follow_all(&urls, None, |event| matches!(event, FollowEvent::Trouble(_)) || reorged(event)).await;
    let [FollowEvent::Trouble(error)] = events.as_slice() else { panic!("{events:?}") };
    assert!(error.message.contains("is behind this lake"), "{error}");
    home.holds(&testing::chain(CHAIN, 100, 0, 0)).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn unstable_head_is_not_a_reorg() {
    // About every second request goes to a node that lacks the newest blocks. Strict alternation could hit the same
    // call each time.
    const LACKS: u64 = 98;
    let requests = AtomicUsize::new(0);
    let turn = move || (requests.fetch_add(1, Ordering::SeqCst).wrapping_mul(0x9e37_79b9) >> 16) % 2;
    let behavior = move |_: &crate::rpc::mock_node::Request| match turn() {
        0 => Reply::Honest,
        _ => Reply::changed(|method, result| match method {
            "eth_blockNumber" => *result = format!("{:#x}", LACKS - 1).into(),
            "eth_getBlockByNumber" => {
                let number = result["number"].as_str().and_then(|text| u64::from_str_radix(&text[2..], 16).ok());
                if number.is_some_and(|number| number >= LACKS) {
                    *result = serde_json::Value::Null;
                }
            }
            _ => {}
        }),
    };
    let mock = MockNode::start(Chain::new(CHAIN, 100, 0), behavior).await;
    let home = Home::new().await;
    let events = home.follow(&mock.http(), Some(0), |event| grow(&mock, None, event, 103)).await;
    assert!(!events.iter().any(reorged), "{events:?}");
    home.holds(&testing::chain(CHAIN, 104, 0, 0)).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn lost_final_blocks_stay_in_the_lake() {
    let mock = MockNode::honest(Chain::new(CHAIN, 100, 0).with_finalized(90)).await;
    let home = Home::new().await;
    home.follow(&mock.http(), Some(0), at_head(99)).await;
    for blocks in [90, 1] {
        mock.switch(Chain::new(CHAIN, blocks, 0));
        let events = home.follow(&mock.http(), None, |event| matches!(event, FollowEvent::Trouble(_))).await;
        let [FollowEvent::Trouble(error)] = events.as_slice() else { panic!("{events:?}") };
        assert!(error.message.contains("is behind this lake"), "{error}");
        home.holds(&testing::chain(CHAIN, 100, 0, 0)).await;
    }
    mock.switch(Chain::new(CHAIN, 101, 0));
    let events = home.follow(&mock.http(), None, at_head(100)).await;
    assert!(!events.iter().any(reorged), "{events:?}");
    home.holds(&testing::chain(CHAIN, 101, 0, 0)).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn all_blocks_of_a_new_lake_may_be_replaced() {
    let mock = MockNode::honest(Chain::new(CHAIN, 100, 0).with_finalized(90)).await;
    let home = Home::new().await;
    home.follow(&mock.http(), None, at_head(99)).await;
    let other = testing::chain(CHAIN, 101, 1, 97);
    mock.switch(Chain::of(CHAIN, &other).with_finalized(90));
    let events = home.follow(&mock.http(), None, reorged).await;
    let Some(FollowEvent::Reorg { fork, depth, finalized }) = events.last() else { panic!("{events:?}") };
    assert_eq!((*fork, *depth, *finalized), (98, 1, false));
    home.holds(&other[99..]).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn node_with_false_head_does_not_block_others() {
    let boasting = MockNode::start(Chain::new(CHAIN, 100, 0), |_| {
        Reply::changed(|method, result| {
            if method == "eth_blockNumber" {
                *result = "0xffffff".into();
            }
        })
    })
    .await;
    let other = MockNode::honest(Chain::new(CHAIN, 100, 0).with_finalized(90)).await;
    let home = Home::new().await;
    let urls = [boasting.http(), other.http()];
    let events = home.follow_all(&urls, Some(0), |event| grow(&other, None, event, 103)).await;
    assert!(!events.iter().any(reorged), "{events:?}");
    home.holds(&testing::chain(CHAIN, 104, 0, 0)).await;
}
