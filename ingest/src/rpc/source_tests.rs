use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use alloy_primitives::{Address, B256};
use quarry_types::{ErrorCode, Result};
use serde_json::{Value, json};
use tokio::time::Instant;

use super::mock_node::{Chain, MockNode, Reply};
use super::*;
use crate::testing;

fn quick(url: &str) -> NodeConfig {
    let (timeout, patience) = (Duration::from_secs(5), Duration::from_secs(20));
    NodeConfig { timeout, patience, ..NodeConfig::new(url).expect("an address") }
}

async fn nodes(stubs: &[&MockNode]) -> Result<Nodes> {
    Nodes::connect(stubs.iter().map(|mock| quick(&mock.http())).collect()).await
}

fn block_requests(mock: &MockNode) -> usize {
    mock.requests().iter().filter(|request| request.has("eth_getBlockReceipts")).count()
}

#[tokio::test]
async fn several_nodes_share_the_work() {
    let (one, other) = (MockNode::honest(Chain::new(5, 200, 0)).await, MockNode::honest(Chain::new(5, 200, 0)).await);
    let nodes = nodes(&[&one, &other]).await.expect("connects");
    let ranges = (0..20).map(|at| nodes.blocks(at * 10..=at * 10 + 9));
    for blocks in futures::future::join_all(ranges).await {
        assert_eq!(blocks.expect("blocks").len(), 10);
    }
    assert!(block_requests(&one) > 0 && block_requests(&other) > 0, "both were asked");
}

#[tokio::test]
async fn failed_requests_go_to_another_node() {
    let lies: [fn() -> Reply; 4] = [
        || Reply::HangUp,
        || Reply::Raw(500, "", "broken".to_string()),
        || Reply::Raw(200, "", "<html>".to_string()),
        || {
            Reply::changed(|method, result| {
                if method == "eth_getBlockReceipts" {
                    result[1]["logs"][0]["data"] = json!("0x05");
                }
            })
        },
    ];
    for lie in lies {
        let bad = MockNode::start(Chain::new(5, 100, 0), move |request| match request.has("eth_getBlockReceipts") {
            true => lie(),
            false => Reply::Honest,
        })
        .await;
        let good = MockNode::honest(Chain::new(5, 100, 0)).await;
        let nodes = nodes(&[&bad, &good]).await.expect("connects");
        assert_eq!(nodes.blocks(0..=9).await.expect("blocks").len(), 10);
        assert!(block_requests(&bad) > 0 && block_requests(&good) > 0);
    }
}

#[tokio::test]
async fn unverifiable_blocks_are_rejected() {
    let lie = |method: &str, result: &mut Value| {
        if method == "eth_getBlockReceipts" {
            result[1]["logs"][0]["data"] = json!("0x05");
        }
    };
    let one = MockNode::start(Chain::new(5, 10, 0), move |_| Reply::changed(lie)).await;
    let other = MockNode::start(Chain::new(5, 10, 0), move |_| Reply::changed(lie)).await;
    let error = nodes(&[&one, &other]).await.expect("connects").blocks(0..=3).await.expect_err("both lie");
    assert_eq!(error.code, ErrorCode::Verification);
    assert!(error.message.contains("block 0: receipts root"), "{error}");
}

#[tokio::test]
async fn nodes_of_different_chains_are_rejected() {
    let one = MockNode::honest(Chain::new(5, 100, 0)).await;
    let foreign = MockNode::honest(Chain::new(6, 100, 0)).await;
    let error = nodes(&[&one, &foreign]).await.err().expect("two chains");
    assert!(error.message.contains("serves chain 5") && error.message.contains("serves chain 6"), "{error}");
    let fork = MockNode::honest(Chain::new(5, 100, 1)).await;
    let error = nodes(&[&one, &fork]).await.err().expect("two histories");
    assert!(error.message.contains("not on the same chain: block 35"), "{error}");
    let near = MockNode::honest(Chain::of(5, &testing::chain(5, 100, 1, 90))).await;
    let both = nodes(&[&one, &near]).await.expect("they differ only at the head, as nodes may");
    assert_eq!(both.head().await.expect("a head"), 99);
}

#[tokio::test]
async fn pruned_node_and_lagging_node_complement_each_other() {
    let pruned = MockNode::start(Chain::new(5, 200, 0), |_| {
        Reply::changed(|method, result| {
            let number = result["number"].as_str().and_then(|text| u64::from_str_radix(&text[2..], 16).ok());
            if method == "eth_getBlockByNumber" && number.is_some_and(|number| number < 50) {
                *result = json!({"error": {"code": 4444, "message": "pruned history unavailable"}});
            }
        })
    })
    .await;
    let behind = MockNode::honest(Chain::new(5, 80, 0)).await;
    let both = nodes(&[&pruned, &behind]).await.expect("block 15 can't be compared");
    assert_eq!(both.blocks(20..=29).await.expect("one has them").len(), 10);
    assert_eq!(both.blocks(150..=159).await.expect("the other has them").len(), 10);
}

#[tokio::test]
async fn unreachable_and_lagging_nodes_are_skipped() {
    let (ahead, behind) = (MockNode::honest(Chain::new(5, 90, 0)).await, MockNode::honest(Chain::new(5, 80, 0)).await);
    let gone = MockNode::honest(Chain::new(5, 90, 0)).await;
    let configs = vec![quick(&gone.http()), quick(&behind.http()), quick(&ahead.http())];
    gone.stop().await;
    let nodes = Nodes::connect(configs).await.expect("two are there");
    assert_eq!(nodes.head().await.expect("the highest"), 89);
    assert_eq!(nodes.blocks(85..=89).await.expect("blocks").len(), 5);
    assert_eq!(block_requests(&behind), 0);
}

/// Polls until a condition holds.
async fn until(condition: impl Fn() -> bool) {
    let deadline = Instant::now() + Duration::from_secs(60);
    while !condition() {
        assert!(Instant::now() < deadline, "it never came to that");
        tokio::task::yield_now().await;
    }
}

#[tokio::test]
async fn unreachable_node_joins_later() {
    let (one, away) = (MockNode::honest(Chain::new(5, 90, 0)).await, MockNode::honest(Chain::new(5, 1, 0)).await);
    let address = away.address().to_string();
    let configs = vec![quick(&away.http()), quick(&one.http())];
    away.stop().await;
    let nodes = Nodes::connect_again(configs, Duration::from_millis(1)).await.expect("one is there");
    assert!(!nodes.are_all_available(), "one that is away may have what the other lacks");
    assert!(!nodes.name().contains(&address));
    assert_eq!(nodes.head().await.expect("a head"), 89);
    let back = MockNode::start_at(&address, Chain::new(5, 100, 0), |_| Reply::Honest).await;
    until(|| nodes.are_all_available()).await;
    assert!(nodes.name().contains(&address));
    assert_eq!(nodes.head().await.expect("a head"), 99);
    assert_eq!(nodes.blocks(95..=99).await.expect("blocks").len(), 5);
    assert_eq!((block_requests(&one), block_requests(&back)), (0, 1));
}

#[tokio::test]
async fn node_of_another_chain_never_joins() {
    for chain in [Chain::new(6, 100, 0), Chain::new(5, 100, 1)] {
        let (one, away) = (MockNode::honest(Chain::new(5, 100, 0)).await, MockNode::honest(Chain::new(5, 1, 0)).await);
        let address = away.address().to_string();
        let configs = vec![quick(&one.http()), quick(&away.http())];
        away.stop().await;
        let nodes = Nodes::connect_again(configs, Duration::from_millis(1)).await.expect("one is there");
        let foreign = MockNode::start_at(&address, chain, |_| Reply::Honest).await;
        until(|| nodes.are_all_available()).await;
        assert_eq!(nodes.name(), format!("http://{}", one.address()));
        assert!(!foreign.requests().is_empty());
    }
}

#[tokio::test]
async fn only_reachable_node_is_waited_for() {
    let gone = MockNode::honest(Chain::new(5, 4, 0)).await;
    let failures = std::sync::atomic::AtomicUsize::new(0);
    let behavior = move |request: &mock_node::Request| match request.has("eth_getBlockReceipts")
        && failures.fetch_add(1, Ordering::SeqCst) == 0
    {
        true => Reply::Raw(200, "", "<html>".to_string()),
        false => Reply::Honest,
    };
    let there = MockNode::start(Chain::new(5, 4, 0), behavior).await;
    let configs = vec![quick(&gone.http()), quick(&there.http())];
    gone.stop().await;
    let nodes = Nodes::connect(configs).await.expect("one is there");
    assert_eq!(nodes.blocks(0..=3).await.expect("blocks").len(), 4);
    assert_eq!(block_requests(&there), 2);
}

#[tokio::test]
async fn token_metadata_is_retried() {
    let failing = || {
        let failures = std::sync::atomic::AtomicUsize::new(0);
        move |request: &mock_node::Request| match request.has("eth_call")
            && failures.fetch_add(1, Ordering::SeqCst) == 0
        {
            true => Reply::Raw(200, "", "<html>".to_string()),
            false => Reply::Honest,
        }
    };
    let one = MockNode::start(Chain::new(5, 4, 0), failing()).await;
    let other = MockNode::start(Chain::new(5, 4, 0), failing()).await;
    let nodes = nodes(&[&one, &other]).await.expect("connects");
    let facts = nodes.token_facts(&[Address::ZERO], 3, MAX_ANSWER_BYTES).await.expect("they answer the second time");
    assert!(facts.is_empty(), "they have no such method");
}

#[tokio::test]
async fn silent_node_does_not_block_others() {
    let silent = Arc::new(AtomicBool::new(false));
    let is_silent = Arc::clone(&silent);
    let hanging = MockNode::start(Chain::new(5, 99, 0), move |_| match is_silent.load(Ordering::SeqCst) {
        true => Reply::Silence,
        false => Reply::Honest,
    })
    .await;
    let one = MockNode::honest(Chain::new(5, 100, 0)).await;
    let patient = |mock: &MockNode| NodeConfig { timeout: Duration::from_secs(600), ..quick(&mock.http()) };
    let nodes = Nodes::connect(vec![patient(&hanging), patient(&one)]).await.expect("connects");
    silent.store(true, Ordering::SeqCst);
    let head = tokio::time::timeout(Duration::from_secs(60), nodes.head()).await.expect("in time");
    assert_eq!(head.expect("a head"), 99);
    assert!(!nodes.are_all_available());
}

#[tokio::test]
async fn highest_node_decides_block_status() {
    let (chain, fork) = (testing::chain(5, 100, 0, 0), testing::chain(5, 101, 1, 90));
    let one = MockNode::honest(Chain::of(5, &chain)).await;
    let other = MockNode::honest(Chain::of(5, &fork[..100])).await;
    let nodes = nodes(&[&one, &other]).await.expect("connects");
    nodes.head().await.expect("a head");
    let standing = async |number: u64, hash: B256| nodes.block_status(number, hash).await.expect("an answer");
    assert_eq!(standing(95, chain[95].hash).await, BlockStatus::Canonical);
    assert_eq!(standing(95, fork[95].hash).await, BlockStatus::Canonical, "both are as far");
    assert_eq!(standing(95, B256::ZERO).await, BlockStatus::Replaced);
    assert_eq!(standing(100, fork[100].hash).await, BlockStatus::Unknown);
    other.switch(Chain::of(5, &fork));
    nodes.head().await.expect("a head");
    assert_eq!(standing(95, chain[95].hash).await, BlockStatus::Replaced);
    assert_eq!(standing(95, fork[95].hash).await, BlockStatus::Canonical);
    one.stop().await;
    assert_eq!(nodes.hashes_at(&[3, 100]).await.expect("one is left"), [Some(fork[3].hash), Some(fork[100].hash)]);
    assert_eq!(nodes.finalized().await.expect("one is left"), None);
}

#[tokio::test]
async fn unix_socket() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("node.ipc");
    let mock = MockNode::start_ipc(&path, Chain::new(5, 30, 0)).await;
    let text = path.to_str().expect("a path");
    for address in [text.to_string(), format!("ipc://{text}")] {
        let node = Node::connect(quick(&address)).await.expect("connects");
        assert_eq!(node.name(), text);
        assert_eq!(node.blocks(0..=29).await.expect("blocks").len(), 30);
    }
    drop(mock);
    let nobody = Node::connect(quick("/nowhere/node.ipc")).await.err().expect("no socket");
    assert!(nobody.message.contains("/nowhere/node.ipc can't be reached"), "{nobody}");
}

#[tokio::test]
async fn empty_withdrawals_before_shanghai() {
    let mut block = testing::chain(5, 1, 0, 0).remove(0);
    block.withdrawals = None;
    testing::seal(&mut block);
    let behavior = |_: &mock_node::Request| {
        Reply::changed(|method, result| {
            if method == "eth_getBlockByNumber" {
                result["withdrawals"] = json!([]);
            }
        })
    };
    let mock = MockNode::start(Chain::of(5, &[block]), behavior).await;
    let node = Node::connect(quick(&mock.http())).await.expect("connects");
    assert!(node.blocks(0..=0).await.expect("a block")[0].withdrawals.is_none());
}

#[tokio::test]
async fn node_changes_its_rate_limit() {
    let busy = Arc::new(std::sync::atomic::AtomicUsize::new(0));
    let behavior = move |_: &mock_node::Request| match busy.fetch_add(1, Ordering::SeqCst) % 5 {
        3 => Reply::Raw(429, "retry-after: 0\r\n", String::new()),
        _ => Reply::Honest,
    };
    let mock = MockNode::start(Chain::new(5, 200, 0), behavior).await;
    let node = Node::connect(quick(&mock.http())).await.expect("connects");
    let ranges = (0..20).map(|at| node.blocks(at * 10..=at * 10 + 9));
    for blocks in futures::future::join_all(ranges).await {
        assert_eq!(blocks.expect("blocks").len(), 10);
    }
}

#[tokio::test]
async fn height_without_blocks_does_not_block() {
    let honest = MockNode::honest(Chain::new(5, 100, 0)).await;
    let boasting = MockNode::start(Chain::new(5, 100, 0), |_| {
        Reply::changed(|method, result| {
            if method == "eth_blockNumber" {
                *result = json!("0x78");
            }
        })
    })
    .await;
    let patient = |mock: &MockNode| NodeConfig { patience: Duration::from_secs(600), ..quick(&mock.http()) };
    let nodes = Nodes::connect(vec![patient(&boasting), patient(&honest)]).await.expect("connects");
    assert_eq!(nodes.head().await.expect("a head"), 120, "nothing is known against it");
    let blocks = tokio::time::timeout(Duration::from_secs(60), nodes.blocks(100..=102)).await.expect("in time");
    let error = blocks.expect_err("there are 100 blocks");
    assert!(error.message.contains("answers null, as if it did not have this"), "{error}");
    assert!(nodes.are_all_available(), "for all else they can be asked");
    assert_eq!(nodes.head().await.expect("a head"), 99);
    honest.switch(Chain::new(5, 103, 0));
    assert_eq!(nodes.head().await.expect("a head"), 102);
    assert_eq!(nodes.blocks(100..=102).await.expect("blocks").len(), 3);
}
