use std::time::Duration;

use alloy_primitives::{Address, B256};
use quarry_types::{ErrorCode, Result};
use serde_json::{Value, json};

use super::mock_node::{Chain, MockNode};
use super::*;
use crate::chain::{TraceData, TraceKind};
use crate::testing;

/// The test chain with a trace for each transaction; the second one has a child.
fn trace_block(number: u64) -> Value {
    let block = testing::chain(5, number + 1, 0, 0).remove(number as usize);
    let call = |place: usize, path: Value, subtraces: u64| {
        let mut action = testing::call_json(&block.transactions[place]);
        action.insert("callType".to_string(), "call".into());
        json!({
            "type": "call",
            "action": action,
            "result": {"gasUsed": "0x5208", "output": "0x02"},
            "subtraces": subtraces,
            "traceAddress": path,
            "transactionHash": block.transactions[place].hash,
            "transactionPosition": place,
        })
    };
    let suicide = json!({
        "type": "suicide",
        "action": {"address": Address::ZERO, "refundAddress": Address::with_last_byte(7), "balance": "0x9"},
        "result": null,
        "subtraces": 0,
        "traceAddress": [0],
        "transactionHash": block.transactions[1].hash,
        "transactionPosition": 1,
    });
    let reward = json!({
        "type": "reward",
        "action": {"author": Address::ZERO, "rewardType": "block", "value": "0x5"},
        "result": null, "subtraces": 0, "traceAddress": [],
    });
    json!([call(0, json!([]), 0), call(1, json!([]), 1), suicide, reward])
}

fn debug_trace(number: u64) -> Value {
    let block = testing::chain(5, number + 1, 0, 0).remove(number as usize);
    let frame = |kind: &str, calls: Value| {
        json!({"type": kind, "from": Address::ZERO, "to": Address::ZERO, "value": "0x1", "gas": "0x10", "gasUsed": "0x1",
               "input": "0x", "output": "0x02", "calls": calls})
    };
    let outermost = |place: usize, calls: Value| {
        let mut frame = testing::call_json(&block.transactions[place]);
        frame.extend(
            [("type", "CALL".into()), ("gasUsed", "0x5208".into()), ("calls", calls)]
                .map(|(name, value)| (name.to_string(), value)),
        );
        frame
    };
    // Deeper than a recursive parser allows.
    let deep = (0..200).fold(frame("STATICCALL", json!([])), |inner, _| frame("CALL", json!([inner])));
    json!([
        {"txHash": block.transactions[0].hash, "result": outermost(0, json!([]))},
        {"txHash": block.transactions[1].hash, "result": outermost(1, json!([frame("CREATE2", json!([])), deep]))},
    ])
}

/// Answers one tracing method and rejects all others.
async fn tracing_node(method: &'static str, answer: fn(u64) -> Value) -> MockNode {
    MockNode::start_with(Chain::new(5, 4, 0), method, answer).await
}

async fn traced(mock: &MockNode) -> Result<Vec<TraceData>> {
    traced_with(mock, true).await
}

async fn traced_with(mock: &MockNode, verify: bool) -> Result<Vec<TraceData>> {
    let timeout = Duration::from_secs(5);
    let config = NodeConfig { timeout, traces: true, verify, ..NodeConfig::new(&mock.http()).expect("an address") };
    let mut blocks = Node::connect(config).await?.blocks(1..=2).await?;
    Ok(blocks.remove(1).traces.expect("traces"))
}

#[tokio::test]
async fn traces_with_both_methods() {
    let mock = tracing_node("trace_block", trace_block).await;
    let traces = traced(&mock).await.expect("traces");
    let kinds: Vec<_> = traces.iter().map(|trace| (trace.kind, trace.transaction_index)).collect();
    use TraceKind::{Call, Create, Reward, Suicide};
    assert_eq!(kinds, [(Call, Some(0)), (Call, Some(1)), (Suicide, Some(1)), (Reward, None)]);
    assert_eq!(traces[2].to, Some(Address::with_last_byte(7)));
    assert_eq!(traces[2].value.to::<u64>(), 9);

    let mock = tracing_node("debug_traceBlockByNumber", debug_trace).await;
    let traces = traced(&mock).await.expect("traces");
    assert_eq!(traces.len(), 1 + 2 + 201);
    assert_eq!((traces[2].kind, traces[2].call_type), (Create, Some("create2")));
    assert_eq!(traces[3].trace_address, [1]);
    let deepest = traces.last().expect("traces");
    assert_eq!((deepest.trace_address.len(), deepest.call_type), (201, Some("staticcall")));
}

#[tokio::test]
async fn missing_tracing_is_one_line() {
    let mock = MockNode::honest(Chain::new(5, 4, 0)).await;
    let error = traced(&mock).await.expect_err("it has neither method");
    assert!(error.message.contains("neither trace_block nor debug_traceBlockByNumber"), "{error}");
}

#[tokio::test]
async fn traces_of_other_transactions_are_rejected() {
    fn foreign(number: u64) -> Value {
        let mut traces = trace_block(number);
        traces[1]["transactionHash"] = json!(B256::ZERO);
        traces
    }
    fn short(number: u64) -> Value {
        json!([trace_block(number)[0]])
    }
    fn another_fork(number: u64) -> Value {
        let mut traces = trace_block(number);
        traces[3]["blockHash"] = json!(B256::ZERO);
        traces
    }
    for (answer, said) in [
        (foreign as fn(u64) -> Value, "is that of"),
        (short, "of its 2 transactions only 1"),
        (another_fork, "they are of block 0x0000"),
    ] {
        let error = traced(&tracing_node("trace_block", answer).await).await.expect_err(said);
        assert!(error.message.contains(said) && error.message.contains("trace_block(block 1)"), "{error}");
    }
}

#[tokio::test]
async fn outcome_must_match_receipt() {
    fn failed(number: u64) -> Value {
        let mut trees = debug_trace(number);
        trees[1]["result"]["error"] = json!("execution reverted");
        trees
    }
    let mock = tracing_node("debug_traceBlockByNumber", failed).await;
    let error = traced(&mock).await.expect_err("the receipt says success");
    let said =
        "block 1: traces: transaction 1: its outermost call failed (execution reverted), but its receipt says success";
    assert!(error.code == ErrorCode::Verification && error.message.contains(said), "{error}");
    assert_eq!(traced_with(&mock, false).await.expect("nothing is proved").len(), 1 + 2 + 201);
}
