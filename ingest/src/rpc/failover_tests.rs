use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use serde_json::{Value, json};
use tokio::time::Instant;

use super::super::mock_node::{Chain, MockNode, Reply, Request};
use super::super::{NodeConfig, Nodes};

/// A node whose timeout is far longer than a test.
fn patient(mock: &MockNode) -> NodeConfig {
    let (timeout, patience) = (Duration::from_secs(2), Duration::from_secs(600));
    NodeConfig { timeout, patience, ..NodeConfig::new(&mock.http()).expect("an address") }
}

async fn blocks(nodes: &Nodes) -> quarry_types::Result<usize> {
    let blocks = tokio::time::timeout(Duration::from_secs(60), nodes.blocks(0..=9)).await;
    blocks.expect("long before the patience ends").map(|blocks| blocks.len())
}

/// Block 5 is missing.
fn hole(method: &str, result: &mut Value) {
    if method == "eth_getBlockByNumber" && result["number"] == json!("0x5") {
        *result = Value::Null;
    }
}

#[tokio::test]
async fn data_missing_on_all_nodes_fails() {
    let lacking = MockNode::start(Chain::new(5, 100, 0), |_| Reply::changed(hole)).await;
    let away = MockNode::honest(Chain::new(5, 100, 0)).await;
    let nodes = Nodes::connect(vec![patient(&lacking), patient(&away)]).await.expect("connects");
    let address = away.address().to_string();
    away.stop().await;
    let error = blocks(&nodes).await.expect_err("nobody has block 5");
    assert!(error.message.contains("answers null, as if it did not have this"), "{error}");
    assert!(error.message.contains(lacking.address()), "{error}");
    let _back = MockNode::start_at(&address, Chain::new(5, 100, 0), |_| Reply::Honest).await;
    assert_eq!(blocks(&nodes).await.expect("it is back"), 10);
}

#[tokio::test]
async fn requested_pause_is_waited_for() {
    let lacking = MockNode::start(Chain::new(5, 100, 0), |_| Reply::changed(hole)).await;
    let started = Instant::now();
    let is_busy = move |request: &Request| request.has("eth_getBlockReceipts") && started.elapsed().as_secs() < 8;
    let busy = MockNode::start(Chain::new(5, 100, 0), move |request| match is_busy(request) {
        true => Reply::Raw(429, "", String::new()),
        false => Reply::Honest,
    })
    .await;
    let nodes = Nodes::connect(vec![patient(&lacking), patient(&busy)]).await.expect("connects");
    assert_eq!(blocks(&nodes).await.expect("it has time at last"), 10);
}

#[tokio::test]
async fn silent_node_is_suspended() {
    let is_silent = Arc::new(AtomicBool::new(false));
    let silent = MockNode::start(Chain::new(5, 100, 0), {
        let is_silent = Arc::clone(&is_silent);
        move |_| if is_silent.load(Ordering::SeqCst) { Reply::Silence } else { Reply::Honest }
    })
    .await;
    // It is behind, so it is asked second.
    let other = MockNode::honest(Chain::new(5, 5, 0)).await;
    let nodes = Nodes::connect(vec![patient(&silent), patient(&other)]).await.expect("connects");
    is_silent.store(true, Ordering::SeqCst);
    other.switch(Chain::new(5, 100, 0));
    assert_eq!(blocks(&nodes).await.expect("the other has them"), 10);
    let asked = silent.requests().iter().filter(|request| request.has("eth_getBlockReceipts")).count();
    assert_eq!(asked, 1, "with fewer calls it would be silent just as long");
}

#[tokio::test]
async fn rejected_by_all_nodes_fails() {
    let refusal = |method: &str, result: &mut Value| {
        if method == "eth_getBlockByNumber" && result["number"] == json!("0x5") {
            *result = json!({"error": {"code": 4444, "message": "pruned history unavailable"}});
        }
    };
    let one = MockNode::start(Chain::new(5, 100, 0), move |_| Reply::changed(refusal)).await;
    let other = MockNode::start(Chain::new(5, 100, 0), move |_| Reply::changed(refusal)).await;
    let nodes = Nodes::connect(vec![patient(&one), patient(&other)]).await.expect("connects");
    let error = blocks(&nodes).await.expect_err("it is gone");
    assert!(error.message.contains("no longer has that part of the chain"), "{error}");
}

#[tokio::test]
async fn silent_node_does_not_block_the_start() {
    let silent = MockNode::start(Chain::new(5, 100, 0), |_| Reply::Silence).await;
    let there = MockNode::honest(Chain::new(5, 100, 0)).await;
    let silent = NodeConfig { timeout: Duration::from_secs(600), ..patient(&silent) };
    let connecting = Nodes::connect(vec![silent, patient(&there)]);
    let nodes = tokio::time::timeout(Duration::from_secs(60), connecting).await.expect("in time").expect("connects");
    assert_eq!(nodes.name(), format!("http://{}", there.address()));
    assert!(!nodes.are_all_available());
    assert_eq!(blocks(&nodes).await.expect("blocks"), 10);
}
