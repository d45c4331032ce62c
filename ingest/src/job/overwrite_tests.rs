//! Tests of blocks that are fetched again.

use quarry_lake::tables::Table;
use serde_json::{Value, json};
use tempfile::TempDir;

use super::*;
use crate::rpc::mock_node::{Chain, MockNode};
use crate::testing;
use crate::verify::{self, VerifyConfig};

const CHAIN: u64 = 5;

async fn lake() -> (Lake, TempDir) {
    let folder = tempfile::tempdir().expect("a folder");
    (Lake::open(folder.path()).await.expect("a lake"), folder)
}

async fn ingest_range(lake: &Lake, mock: &MockNode, blocks: (u64, u64), overwrite: bool) -> Result<IngestSummary> {
    let config = IngestConfig { overwrite, ..IngestConfig::new(&[mock.http()], blocks.0, Some(blocks.1))? };
    run(lake, config, |_| {}, CancellationToken::new()).await
}

async fn mismatches(lake: &Lake) -> Result<u64> {
    let config = VerifyConfig { from: None, to: None, nodes: Vec::new() };
    Ok(verify::run(lake, config, |_| {}, |_| {}).await?.mismatches)
}

async fn covered(lake: &Lake) -> Vec<BlockRange> {
    lake.snapshot().await.expect("a snapshot").ranges.clone()
}

fn range(from: i64, to: i64) -> BlockRange {
    BlockRange { from, to }
}

#[tokio::test(flavor = "multi_thread")]
async fn traces_are_added_to_existing_blocks() {
    fn traces(number: u64) -> Value {
        let block = testing::chain(CHAIN, number + 1, 0, 0).remove(number as usize);
        let call = |place: usize| {
            let mut action = testing::call_json(&block.transactions[place]);
            action.insert("callType".to_string(), "call".into());
            json!({
                "type": "call",
                "action": action,
                "result": {"gasUsed": "0x5208", "output": "0x"},
                "subtraces": 0,
                "traceAddress": [],
                "blockHash": block.hash,
                "transactionHash": block.transactions[place].hash,
                "transactionPosition": place,
            })
        };
        json!([call(0), call(1)])
    }
    let mock = MockNode::start_with(Chain::new(CHAIN, 40, 0), "trace_block", traces).await;
    let (lake, _home) = lake().await;
    for blocks in [(10, 19), (20, 29)] {
        ingest_range(&lake, &mock, blocks, false).await.expect("ingests");
    }
    let mut config = IngestConfig::new(&[mock.http()], 15, Some(33)).expect("an address");
    config.nodes[0].traces = true;
    let config = IngestConfig { overwrite: true, ..config };
    let mut seen = Vec::new();
    let done = run(&lake, config, |now| seen.push(now), CancellationToken::new()).await.expect("overwrites");
    assert_eq!(done.range, range(10, 33), "ranges are replaced as they were published");
    assert_eq!((done.blocks_fetched, done.blocks_held), (24, 20));
    assert_eq!(seen.last().map(|now| (now.blocks_total, now.blocks_published)), Some((24, 24)));
    let snapshot = lake.snapshot().await.expect("a snapshot");
    let rows = [Table::Blocks, Table::Transactions, Table::Traces].map(|table| snapshot.rows(table));
    assert_eq!((rows, snapshot.head.map(|head| head.number)), ([24, 48, 48], Some(33)));
    assert_eq!(mismatches(&lake).await.expect("reads"), 0);
    assert_eq!(lake.status().await.expect("a status").reorgs, [], "nothing was given up");
}

#[tokio::test(flavor = "multi_thread")]
async fn damaged_blocks_are_repaired() {
    let mock = MockNode::honest(Chain::new(CHAIN, 40, 0)).await;
    let (lake, _home) = lake().await;
    for blocks in [(0, 9), (10, 19), (20, 29)] {
        ingest_range(&lake, &mock, blocks, false).await.expect("ingests");
    }
    for (table, file) in [(Table::Logs, 1), (Table::Blocks, 1)] {
        let (path, _) = lake.files(table).await.expect("files").swap_remove(file);
        std::fs::remove_file(path).expect("removes");
    }
    let error = mismatches(&lake).await.expect_err("files are missing");
    assert!(error.message.contains("--from 10 --to 19"), "{error}");
    // Blocks next to damaged files can't be written.
    ingest_range(&lake, &mock, (0, 9), true).await.expect_err("what comes after it can't be read");
    let done = ingest_range(&lake, &mock, (12, 12), true).await.expect("overwrites");
    assert_eq!((done.range, done.blocks_fetched), (range(10, 19), 10));
    assert_eq!(mismatches(&lake).await.expect("reads"), 0);
    assert_eq!(covered(&lake).await, [range(0, 9), range(10, 19), range(20, 29)]);
    assert_eq!(lake.snapshot().await.expect("a snapshot").head.map(|head| head.number), Some(29));
}

#[tokio::test(flavor = "multi_thread")]
async fn blocks_of_another_fork_are_rejected() {
    let (ours, other) =
        (MockNode::honest(Chain::new(CHAIN, 30, 0)).await, MockNode::honest(Chain::new(CHAIN, 30, 1)).await);
    let (lake, _home) = lake().await;
    for blocks in [(0, 9), (10, 19), (20, 29)] {
        ingest_range(&lake, &ours, blocks, false).await.expect("ingests");
    }
    let before = lake.snapshot().await.expect("a snapshot").id;
    for (blocks, said) in [((0, 9), "Block 10 of this lake follows"), ((10, 19), "but block 9 is")] {
        let error = ingest_range(&lake, &other, blocks, true).await.expect_err("another fork");
        assert!(error.code == ErrorCode::Verification && error.message.contains(said), "{error}");
    }
    let short = MockNode::honest(Chain::new(CHAIN, 25, 0)).await;
    let error = ingest_range(&lake, &short, (20, 22), true).await.expect_err("its range ends later");
    assert!(error.message.contains("Block 29 is past the node's newest block, 24"), "{error}");
    assert_eq!(lake.snapshot().await.expect("a snapshot").id, before);
}

#[tokio::test(flavor = "multi_thread")]
async fn small_ranges_are_merged_and_never_split() {
    let mock = MockNode::honest(Chain::new(CHAIN, 2300, 0)).await;
    let (lake, _home) = lake().await;
    for blocks in [(0, 9), (10, 19), (900, 1100)] {
        ingest_range(&lake, &mock, blocks, true).await.expect("ingests what was not there");
    }
    let snapshot = lake.snapshot().await.expect("a snapshot");
    let pieces = whole_pieces(range(0, 2299), &snapshot);
    assert_eq!(pieces, [range(0, 1100), range(1101, 2100), range(2101, 2299)]);
    let done = ingest_range(&lake, &mock, (0, 2299), true).await.expect("overwrites");
    assert_eq!((done.blocks_fetched, done.blocks_held), (2300, 221));
    assert_eq!(covered(&lake).await, pieces);
}
