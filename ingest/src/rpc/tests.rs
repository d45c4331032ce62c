use std::sync::Arc;
use std::time::Duration;

use quarry_types::ErrorCode;
use serde_json::{Value, json};
use tokio::net::TcpListener;

use super::mock_node::{Chain, MockNode, Reply, once};
use super::*;
use crate::testing;

fn quick(url: &str) -> NodeConfig {
    let (timeout, patience) = (Duration::from_secs(5), Duration::from_secs(20));
    NodeConfig { timeout, patience, ..NodeConfig::new(url).expect("an address") }
}

async fn connect(url: &str) -> Node {
    Node::connect(quick(url)).await.expect("the mock answers")
}

#[tokio::test]
async fn whole_blocks_by_http_and_websocket() {
    let mock = MockNode::honest(Chain::new(5, 30, 0)).await;
    for url in [mock.http(), mock.ws()] {
        let node = connect(&url).await;
        assert_eq!((node.chain_id(), node.head().await.expect("head")), (5, 29));
        assert_eq!(node.finalized().await.expect("answered"), None);
        let blocks = node.blocks(3..=27).await.expect("blocks");
        let numbers: Vec<u64> = blocks.iter().map(|block| block.header.number).collect();
        assert_eq!(numbers, (3..=27).collect::<Vec<_>>());
        for block in &blocks {
            assert_eq!(block.transactions.len() as u64, testing::TRANSACTIONS);
            assert_eq!(block.transactions[1].receipt.logs.len(), 1);
            assert_eq!(block.transactions[1].receipt.cumulative_gas_used, 42_000);
        }
    }
}

#[tokio::test]
async fn synonyms_of_other_clients() {
    fn beside(method: &str, block: &mut Value) {
        if method == "eth_getBlockByNumber" && block.is_object() {
            block["author"] = block["miner"].clone();
            for sent in block["transactions"].as_array_mut().into_iter().flatten() {
                sent["data"] = sent["input"].clone();
            }
        }
    }
    fn instead(method: &str, block: &mut Value) {
        beside(method, block);
        if method == "eth_getBlockByNumber" && block.is_object() {
            block.as_object_mut().map(|block| block.remove("miner"));
            (block["nonce"], block["mixHash"]) = (Value::Null, Value::Null);
            for sent in block["transactions"].as_array_mut().into_iter().flatten() {
                sent.as_object_mut().map(|sent| sent.remove("input"));
            }
        }
    }
    for change in [beside, instead] {
        let mock = MockNode::start(Chain::new(5, 4, 0), move |_| Reply::changed(change)).await;
        assert_eq!(connect(&mock.http()).await.blocks(0..=3).await.expect("blocks").len(), 4);
    }
}

#[tokio::test]
async fn receipts_one_by_one_from_an_older_node() {
    let mock = MockNode::start(Chain::new(5, 12, 0), |request| match request.has("eth_getBlockReceipts") {
        true => Reply::changed(|method, result| {
            if method == "eth_getBlockReceipts" {
                *result = json!({"error": {"code": -32601, "message": "the method does not exist"}});
            }
        }),
        false => Reply::Honest,
    })
    .await;
    let node = connect(&mock.http()).await;
    for range in [0..=5, 6..=11] {
        let blocks = node.blocks(range).await.expect("blocks");
        assert!(blocks.iter().all(|block| block.transactions[1].receipt.logs.len() == 1));
    }
    let asked = mock.requests().iter().filter(|request| request.has("eth_getBlockReceipts")).count();
    assert_eq!(asked, 1, "it is not asked again for what it does not know");
}

#[tokio::test]
async fn node_without_batch_support() {
    let refusal = r#"{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"batches are not supported"}}"#;
    let mock = MockNode::start(Chain::new(5, 8, 0), move |request| match request.batch {
        true => Reply::Raw(200, "", refusal.to_string()),
        false => Reply::Honest,
    })
    .await;
    let node = connect(&mock.http()).await;
    assert_eq!(node.blocks(0..=7).await.expect("blocks").len(), 8);
}

#[tokio::test]
async fn batches_shrink_to_the_node_limit() {
    let mock = MockNode::start(Chain::new(5, 20, 0), |request| match request.calls.len() > 6 {
        true => Reply::Raw(413, "", "too large".to_string()),
        false => Reply::Honest,
    })
    .await;
    let node = connect(&mock.http()).await;
    assert_eq!(node.blocks(0..=19).await.expect("blocks").len(), 20);
    let refused = mock.requests().iter().filter(|request| request.calls.len() > 6).count();
    assert_eq!(refused, 2, "20, 10, then 5 at once");
}

#[tokio::test]
async fn temporary_failures_are_retried() {
    let accidents: Vec<fn() -> Reply> = vec![
        || Reply::Raw(429, "retry-after: 0\r\n", String::new()),
        || Reply::Raw(503, "", String::new()),
        || Reply::Raw(500, "", "out of memory".to_string()),
        || Reply::HangUp,
        || {
            Reply::changed(|method, result| {
                if method == "eth_getBlockByNumber" {
                    *result = Value::Null;
                }
            })
        },
        || Reply::changed(|_, result| *result = json!({"error": {"code": -32603, "message": "Internal error"}})),
    ];
    for accident in accidents {
        let mock = MockNode::start(Chain::new(5, 4, 0), once(move |request| request.has_block(2).then(accident))).await;
        let node = connect(&mock.http()).await;
        assert_eq!(node.blocks(0..=3).await.expect("blocks").len(), 4);
        assert_eq!(mock.requests().iter().filter(|request| request.has_block(2)).count(), 2);
    }
}

#[tokio::test]
async fn broken_websocket_is_reopened() {
    let breaks = |request: &mock_node::Request| request.has_block(2).then_some(Reply::HangUp);
    let mock = MockNode::start(Chain::new(5, 4, 0), once(breaks)).await;
    let node = connect(&mock.ws()).await;
    assert_eq!(node.blocks(0..=3).await.expect("blocks").len(), 4);
}

#[tokio::test]
async fn restarting_node_is_waited_for() {
    for ws in [false, true] {
        let mock = MockNode::honest(Chain::new(5, 4, 0)).await;
        let node = connect(&if ws { mock.ws() } else { mock.http() }).await;
        let address = mock.address().to_string();
        mock.stop().await;
        // Whether the first attempt fails or the node is back by then, the blocks arrive.
        let again = async { MockNode::start_at(&address, Chain::new(5, 4, 0), |_| Reply::Honest).await };
        let (blocks, _stub) = tokio::join!(node.blocks(0..=3), again);
        assert_eq!(blocks.expect("blocks").len(), 4);
    }
}

#[tokio::test]
async fn silent_node_times_out() {
    let silent = |request: &mock_node::Request| request.has_block(2).then_some(Reply::Silence);
    for ws in [false, true] {
        let mock = MockNode::start(Chain::new(5, 4, 0), once(silent)).await;
        let url = if ws { mock.ws() } else { mock.http() };
        let config = NodeConfig { timeout: Duration::from_secs(1), ..quick(&url) };
        let node = Node::connect(config).await.expect("connects");
        assert_eq!(node.blocks(0..=3).await.expect("blocks").len(), 4);
    }
}

#[tokio::test]
async fn patience_ends() {
    let mock = MockNode::start(Chain::new(5, 4, 0), |request| match request.has_block(0) {
        true => Reply::Raw(429, "", String::new()),
        false => Reply::Honest,
    })
    .await;
    let config = NodeConfig { patience: Duration::from_millis(300), ..quick(&mock.http()) };
    let node = Node::connect(config).await.expect("connects");
    let error = node.blocks(0..=0).await.expect_err("too many requests for ever");
    assert_eq!(error.code, ErrorCode::Source);
    assert!(error.message.contains("HTTP 429"), "{error}");
}

#[tokio::test]
async fn pause_beyond_patience_fails() {
    for asked in ["retry-after: 3600\r\n", "retry-after: 18446744073709551615\r\n"] {
        let mock = MockNode::start(Chain::new(5, 4, 0), move |request| match request.has_block(0) {
            true => Reply::Raw(429, asked, String::new()),
            false => Reply::Honest,
        })
        .await;
        let node = connect(&mock.http()).await;
        let error = node.blocks(0..=0).await.expect_err("not now");
        assert!(error.message.contains("HTTP 429"), "{error}");
        assert_eq!(node.blocks(1..=2).await.expect("others are not kept waiting").len(), 2);
    }
}

#[tokio::test]
async fn nobody_there() {
    let free = TcpListener::bind("127.0.0.1:0").await.and_then(|listener| listener.local_addr()).expect("a port");
    for scheme in ["http", "ws"] {
        let url = format!("{scheme}://{free}/v3/secret");
        let error = Node::connect(quick(&url)).await.err().expect("nobody listens");
        assert!(error.message.contains(&format!("{scheme}://{free} can't be reached")), "{error}");
        assert!(!error.message.contains("secret"), "{error}");
    }
}

#[tokio::test]
async fn invalid_addresses() {
    for url in ["", "localhost:8545", "not an address", "ftp://localhost"] {
        let error = match NodeConfig::new(url) {
            Ok(config) => Node::connect(config).await.err().expect("an unusable address"),
            Err(error) => error,
        };
        assert_eq!(error.code, ErrorCode::InvalidInput, "{url}: {error}");
    }
}

#[tokio::test]
async fn invalid_response_names_its_call() {
    for body in [
        "<html>It works!</html>",
        "",
        "{}",
        "[]",
        "\"0x1\"",
        r#"{"id":0,"result":"many"}"#,
        "\u{0}",
        r#"{"id":0,"resu"#,
    ] {
        let mock = MockNode::start(Chain::new(5, 4, 0), move |_| Reply::Raw(200, "", body.to_string())).await;
        let error = Node::connect(quick(&mock.http())).await.err().expect("nonsense");
        assert_eq!(error.code, ErrorCode::Source);
        assert!(error.message.contains("eth_chainId()"), "{body}: {error}");
    }
    let mock = MockNode::start(Chain::new(5, 4, 0), |_| Reply::Raw(401, "", String::new())).await;
    let error = Node::connect(quick(&mock.http())).await.err().expect("no access");
    assert!(error.message.contains("denied access (HTTP 401)"), "{error}");
}

#[tokio::test]
async fn invalid_result_names_its_call() {
    let whole = Chain::new(5, 4, 0).answer("eth_getBlockByNumber", &json!(["0x2"])).to_string();
    for body in ["<html>502</html>".to_string(), format!(r#"[{{"id":0,"result":{}"#, &whole[..whole.len() / 2])] {
        let mock = MockNode::start(Chain::new(5, 4, 0), move |request| match request.has_block(2) {
            true => Reply::Raw(200, "", body.clone()),
            false => Reply::Honest,
        })
        .await;
        let error = connect(&mock.http()).await.blocks(2..=2).await.expect_err("that is no answer");
        assert_eq!(error.code, ErrorCode::Source);
        assert!(error.message.contains("not JSON-RPC") && error.message.contains("eth_getBlockByNumber"), "{error}");
    }
}

#[tokio::test]
async fn pruned_blocks_are_not_requested_again() {
    let mock = MockNode::start(Chain::new(5, 4, 0), |request| match request.has_block(1) {
        true => Reply::changed(|method, result| {
            if method == "eth_getBlockByNumber" {
                *result = json!({"error": {"code": 4444, "message": "pruned history unavailable"}});
            }
        }),
        false => Reply::Honest,
    })
    .await;
    let node = connect(&mock.http()).await;
    let error = node.blocks(1..=1).await.expect_err("it is gone");
    assert_eq!(error.code, ErrorCode::Source);
    assert!(error.message.contains("no longer has that part of the chain (error 4444: pruned history"), "{error}");
    assert!(error.message.contains("0x1"), "the block is named: {error}");
    assert!(mock.requests().iter().filter(|request| request.has_block(1)).count() <= 2, "a batch, then the call alone");
    assert_eq!(node.blocks(2..=3).await.expect("the rest is there").len(), 2);
}

#[tokio::test]
async fn node_switches_to_another_chain() {
    let mock = MockNode::honest(Chain::new(5, 4, 0)).await;
    let node = connect(&mock.http()).await;
    assert_eq!(node.blocks(0..=3).await.expect("blocks").len(), 4);
    mock.switch(Chain::new(6, 4, 0));
    let error = node.blocks(0..=3).await.expect_err("another chain");
    assert_eq!(error.code, ErrorCode::Source);
    assert!(error.message.contains("block 0 has a transaction of chain 6, not 5"), "{error}");
}

#[tokio::test]
async fn missing_block_fails() {
    let hole = |method: &str, result: &mut Value| {
        if method == "eth_getBlockByNumber" && result["number"] == json!("0x2") {
            *result = Value::Null;
        }
    };
    let mock = MockNode::start(Chain::new(5, 4, 0), move |_| Reply::changed(hole)).await;
    let error = connect(&mock.http()).await.blocks(0..=3).await.expect_err("block 2 is missing");
    assert_eq!(error.code, ErrorCode::Source);
    assert!(error.message.contains("answers null, as if it did not have this"), "{error}");
}

#[tokio::test]
async fn hundred_megabytes_of_garbage() {
    let mock = MockNode::start(Chain::new(5, 4, 0), |request| match request.has_block(2) {
        true => Reply::Raw(200, "", "x".repeat(100 << 20)),
        false => Reply::Honest,
    })
    .await;
    let error = connect(&mock.http()).await.blocks(0..=3).await.expect_err("that is no JSON");
    assert!(error.message.contains("not JSON-RPC"), "{error}");
    assert!(error.message.len() < 1000, "an excerpt is enough");
}

/// A node that returns wrong blocks or receipts, and the expected error.
type WrongAnswer = (fn(&mut Value), &'static str);

const ZERO: &str = "0x0000000000000000000000000000000000000000000000000000000000000000";

const OF_BLOCKS: [WrongAnswer; 9] = [
    (|block| block["number"] = json!("0x7"), "it is block 7"),
    (|block| block["stateRoot"] = json!(format!("0x{}", "1".repeat(64))), "hashes to"),
    (|block| block["transactions"][0]["nonce"] = json!("0x63"), "its signed encoding hashes to"),
    (|block| block["transactions"][0]["type"] = json!("0x7e"), "type 126 is not one of Ethereum's"),
    (|block| block["transactions"][1]["maxFeePerGas"] = Value::Null, "it has no maxFeePerGas"),
    (|block| block["transactions"][0]["v"] = json!("0x5"), "its v 5 is not one of a signature"),
    (|block| block["transactions"] = json!([ZERO]), "invalid type"),
    (|block| block["gasLimit"] = json!("many"), "a number like"),
    (|block| *block = json!(true), "invalid type"),
];

const OF_RECEIPTS: [WrongAnswer; 10] = [
    (|receipts| receipts[1]["logs"][0]["data"] = json!("0x05"), "block 1: receipts root: the receipts make"),
    (|receipts| receipts[1] = receipts[0].clone(), "its receipt is that of transaction"),
    (|receipts| receipts[1]["cumulativeGasUsed"] = json!("0x1"), "do not give the receipt's 1"),
    (|receipts| receipts[1]["gasUsed"] = json!("0xffffffffffffffff"), "do not give the receipt's 42000"),
    (|receipts| receipts[1]["blockHash"] = json!(ZERO), "its receipt is of another block"),
    (|receipts| receipts[1]["logs"][0]["topics"] = json!([ZERO, ZERO, ZERO, ZERO, ZERO]), "a log has 5 topics"),
    (|receipts| receipts[1]["logs"][0]["data"] = json!("0xabc"), "a valid hex string"),
    (|receipts| *receipts = json!([receipts[0]]), "2 transactions but 1 receipts came"),
    (|receipts| *receipts = Value::Null, "2 transactions but 0 receipts came"),
    (|receipts| *receipts = json!([]), "2 transactions but 0 receipts came"),
];

#[tokio::test]
async fn wrong_answers_are_detected() {
    let blocks = OF_BLOCKS.map(|lie| ("eth_getBlockByNumber", lie));
    let receipts = OF_RECEIPTS.map(|lie| ("eth_getBlockReceipts", lie));
    // Each is requested again, with a delay.
    let found_out = blocks.into_iter().chain(receipts).map(|(method, (lie, found))| async move {
        let change = move |called: &str, result: &mut Value| {
            if called == method {
                lie(result);
            }
        };
        let mock = MockNode::start(Chain::new(5, 4, 0), move |_| Reply::Changed(Arc::new(change))).await;
        let node = connect(&mock.http()).await;
        let error = node.blocks(1..=2).await.expect_err(found);
        let proven = found.contains("hashes to") || found.contains("receipts make");
        assert_eq!(error.code, if proven { ErrorCode::Verification } else { ErrorCode::Source }, "{error}");
        assert!(error.message.contains(found), "{found}: {error}");
        assert!(error.message.contains(method) || error.message.contains("block 1"), "{error}");
    });
    futures::future::join_all(found_out).await;
}

#[tokio::test]
async fn verification_can_be_disabled() {
    let change = |called: &str, result: &mut Value| {
        if called == "eth_getBlockReceipts" {
            result[1]["logs"][0]["data"] = json!("0x05");
        }
    };
    let mock = MockNode::start(Chain::new(5, 4, 0), move |_| Reply::changed(change)).await;
    let config = NodeConfig { verify: false, ..quick(&mock.http()) };
    let node = Node::connect(config).await.expect("connects");
    assert_eq!(node.blocks(1..=2).await.expect("nobody looks").len(), 2);
}

#[tokio::test]
async fn unlinked_blocks() {
    let other = Chain::new(5, 4, 1).answer("eth_getBlockByNumber", &json!(["0x2"]));
    let receipts = Chain::new(5, 4, 1).answer("eth_getBlockReceipts", &json!(["0x2"]));
    let change = move |called: &str, result: &mut Value| match called {
        "eth_getBlockByNumber" if result["number"] == json!("0x2") => *result = other.clone(),
        "eth_getBlockReceipts" if result[0]["blockNumber"] == json!("0x2") => *result = receipts.clone(),
        _ => {}
    };
    let change = Arc::new(change);
    let mock = MockNode::start(Chain::new(5, 4, 0), move |_| Reply::Changed(change.clone())).await;
    let error = connect(&mock.http()).await.blocks(1..=3).await.expect_err("block 2 is of another chain");
    assert!(error.message.contains("names") && error.message.contains("as its parent"), "{error}");
}
