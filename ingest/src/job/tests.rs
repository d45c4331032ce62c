use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use quarry_lake::Head;
use quarry_lake::tables::Table;
use tempfile::TempDir;

use super::*;
use crate::rpc::mock_node::{Chain, MockNode, Reply};
use crate::testing;

const CHAIN: u64 = 5;
const BLOCKS: u64 = 650;

struct Home {
    lake: Lake,
    _folder: TempDir,
}

impl Home {
    async fn new() -> Home {
        let folder = tempfile::tempdir().expect("a folder");
        let lake = Lake::open(folder.path()).await.expect("a lake");
        Home { lake, _folder: folder }
    }

    /// The rows of every table and the blocks of the lake.
    async fn content(&self) -> (Vec<u64>, Vec<BlockRange>, Option<Head>) {
        let snapshot = self.lake.snapshot().await.expect("a snapshot");
        let rows = Table::ALL.into_iter().map(|table| snapshot.rows(table)).collect();
        (rows, snapshot.covered(), snapshot.head)
    }
}

async fn ingest_into(home: &Home, url: &str, from: u64, to: Option<u64>) -> Result<IngestSummary> {
    let config = IngestConfig::new(&[url], from, to)?;
    run(&home.lake, config, |_| {}, CancellationToken::new()).await
}

fn range(from: i64, to: i64) -> BlockRange {
    BlockRange { from, to }
}

#[tokio::test(flavor = "multi_thread")]
async fn range_over_http_and_websocket_is_complete() {
    let mock = MockNode::honest(Chain::new(CHAIN, BLOCKS, 0)).await;
    for url in [mock.http(), mock.ws()] {
        let home = Home::new().await;
        let mut seen: Vec<IngestProgress> = Vec::new();
        let config = IngestConfig::new(&[&url], 0, None).expect("an address");
        let done = run(&home.lake, config, |now| seen.push(now), CancellationToken::new()).await.expect("ingests");
        assert_eq!((done.range, done.blocks_fetched, done.blocks_held), (range(0, 649), BLOCKS, 0));
        let (rows, covered, head) = home.content().await;
        assert_eq!(rows, [BLOCKS, 2 * BLOCKS, BLOCKS, BLOCKS, 0, 0, BLOCKS]);
        assert_eq!(done.rows, rows.iter().sum::<u64>());
        assert_eq!(covered, [range(0, 649)]);
        assert_eq!(head.map(|head| (head.number, head.time)), Some((649, (1_700_000_000 + 12 * 649) * 1_000_000)));

        assert!(seen.windows(2).all(|pair| pair[0].blocks_done <= pair[1].blocks_done));
        assert!(seen.windows(2).all(|pair| pair[0].blocks_published <= pair[1].blocks_published));
        let last = seen.last().expect("progress");
        assert_eq!((last.blocks_total, last.blocks_done, last.blocks_published), (BLOCKS, BLOCKS, BLOCKS));
        assert_eq!(last.remaining, Some(Duration::ZERO));

        let again = ingest_into(&home, &url, 0, Some(649)).await.expect("nothing to do");
        assert_eq!((again.blocks_fetched, again.blocks_held, again.rows), (0, BLOCKS, 0));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn only_missing_blocks_are_fetched() {
    let mock = MockNode::honest(Chain::new(CHAIN, 100, 0)).await;
    let home = Home::new().await;
    for (from, to) in [(20, 29), (50, 59), (0, 99)] {
        ingest_into(&home, &mock.http(), from, Some(to)).await.expect("ingests");
    }
    let (rows, covered, _) = home.content().await;
    assert_eq!((rows[0], covered), (100, vec![range(0, 99)]));
    let asked = mock.requests().iter().filter(|request| request.has_block(25)).count();
    assert_eq!(asked, 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn large_blocks_are_fetched_one_by_one() {
    let large = |method: &str, result: &mut serde_json::Value| {
        let number = result["number"].as_str().and_then(|text| u64::from_str_radix(&text[2..], 16).ok());
        if method == "eth_getBlockByNumber" && number.is_some_and(|number| (12..17).contains(&number)) {
            result["padding"] = "x".repeat(8 << 20).into();
        }
    };
    let mock = MockNode::start(Chain::new(CHAIN, 60, 0), move |_| Reply::changed(large)).await;
    let home = Home::new().await;
    let done = ingest_into(&home, &mock.http(), 0, None).await.expect("ingests");
    assert_eq!(done.blocks_fetched, 60);
    let (rows, covered, head) = home.content().await;
    assert_eq!((rows, covered), (vec![60, 120, 60, 60, 0, 0, 60], vec![range(0, 59)]));
    assert_eq!(head.map(|head| head.number), Some(59));
    let requests = mock.requests();
    let of = |number: u64| requests.iter().filter(move |request| request.has_block(number));
    assert!((12..17).all(|number| of(number).any(|request| !request.has_block(number + 1))), "each by itself");
    assert_eq!(of(14).count(), 2, "among others, then alone");
}

#[tokio::test(flavor = "multi_thread")]
async fn interrupted_run_continues() {
    let broken = Arc::new(AtomicBool::new(true));
    let behavior = {
        let broken = Arc::clone(&broken);
        move |request: &crate::rpc::mock_node::Request| match request.has_block(333) && broken.load(Ordering::SeqCst) {
            true => Reply::Raw(200, "", "<html>".to_string()),
            false => Reply::Honest,
        }
    };
    let mock = MockNode::start(Chain::new(CHAIN, BLOCKS, 0), behavior).await;
    let home = Home::new().await;
    let error = ingest_into(&home, &mock.http(), 0, None).await.expect_err("HTML");
    assert_eq!(error.code, ErrorCode::Source);
    let (rows, covered, _) = home.content().await;
    let held = rows[0];
    assert!((100..333).contains(&held), "whole pieces before it: {covered:?}");
    assert_eq!(covered.iter().map(|range| range.blocks()).sum::<u64>(), held);
    assert_eq!(rows, [held, 2 * held, held, held, 0, 0, held], "in all tables alike");

    broken.store(false, Ordering::SeqCst);
    let done = ingest_into(&home, &mock.http(), 0, None).await.expect("goes on");
    assert_eq!((done.blocks_held, done.blocks_fetched), (held, BLOCKS - held));
    let whole = Home::new().await;
    ingest_into(&whole, &mock.http(), 0, None).await.expect("ingests");
    assert_eq!(home.content().await, whole.content().await);
}

#[tokio::test(flavor = "multi_thread")]
async fn cancel_keeps_published_blocks() {
    let mock = MockNode::start(Chain::new(CHAIN, BLOCKS, 0), |request| match request.has_block(333) {
        true => Reply::Silence,
        false => Reply::Honest,
    })
    .await;
    let home = Home::new().await;
    let cancel = CancellationToken::new();
    let config = IngestConfig::new(&[mock.http()], 0, None).expect("an address");
    let stop = |now: IngestProgress| {
        if now.blocks_published == 100 {
            cancel.cancel();
        }
    };
    let error = run(&home.lake, config, stop, cancel.clone()).await.expect_err("was stopped");
    assert_eq!(error.code, ErrorCode::Killed);
    assert!(error.message.contains("100 new blocks"), "{error}");
    assert_eq!(home.content().await.1, [range(0, 99)]);
    home.lake.writer().await.expect("the lock is free again");
}

#[tokio::test]
async fn invalid_ranges() {
    let mock = MockNode::honest(Chain::new(CHAIN, 10, 0)).await;
    let home = Home::new().await;
    for (from, to, said) in [
        (5, Some(4), "ends (4) before it begins (5)"),
        (0, Some(10), "Block 10 is past the node's newest block, 9"),
        (12, None, "Block 12 is past the node's newest block, 9"),
        (0, Some(u64::MAX), "is past the node's newest block, 9"),
    ] {
        let error = ingest_into(&home, &mock.http(), from, to).await.expect_err(said);
        assert_eq!(error.code, ErrorCode::InvalidInput);
        assert!(error.message.contains(said), "{error}");
    }
    assert_eq!(home.lake.info().await.expect("info").chain_id, None, "the lake is still free for any chain");
}

#[tokio::test(flavor = "multi_thread")]
async fn reorg_between_block_and_receipts_is_retried() {
    // Receipts of another fork: once, and always.
    for (times, failures) in [(1, 0), (usize::MAX, 1)] {
        let told = AtomicUsize::new(0);
        let behavior = move |request: &crate::rpc::mock_node::Request| {
            let asked = request.has("eth_getBlockReceipts") && request.has_block(7);
            match asked && told.fetch_add(1, Ordering::SeqCst) < times {
                true => Reply::changed(|method, result| {
                    if method == "eth_getBlockReceipts" && result[0]["blockNumber"] == "0x7" {
                        result[1]["logs"][0]["data"] = "0x05".into();
                    }
                }),
                false => Reply::Honest,
            }
        };
        let mock = MockNode::start(Chain::new(CHAIN, 20, 0), behavior).await;
        let home = Home::new().await;
        let done = ingest_into(&home, &mock.http(), 0, None).await;
        assert_eq!(done.is_err(), failures > 0, "{done:?}");
        assert_eq!(home.lake.status().await.expect("a status").verification_failures, failures);
    }
}

#[tokio::test]
async fn lake_accepts_one_chain() {
    let home = Home::new().await;
    let first = MockNode::honest(Chain::new(CHAIN, 10, 0)).await;
    ingest_into(&home, &first.http(), 0, Some(4)).await.expect("ingests");

    let other = MockNode::honest(Chain::new(6, 10, 0)).await;
    let error = ingest_into(&home, &other.http(), 5, Some(6)).await.expect_err("another chain");
    assert_eq!(error.code, ErrorCode::InvalidInput);
    assert!(error.message.contains("holds chain 5") && error.message.contains("serves chain 6"), "{error}");

    let fork = MockNode::honest(Chain::new(CHAIN, 10, 1)).await;
    let error = ingest_into(&home, &fork.http(), 5, Some(6)).await.expect_err("another history");
    assert_eq!(error.code, ErrorCode::Verification);
    assert_eq!(home.content().await.1, [range(0, 4)]);
}

#[tokio::test(flavor = "multi_thread")]
async fn gaps_are_filled_and_linked() {
    let chain = MockNode::honest(Chain::new(CHAIN, 121, 0)).await;
    // The newest blocks of the lake, or all of them, belong to an abandoned chain.
    for (common, said, kept) in [
        (95, "Block 100 of the node at", vec![range(0, 99)]),
        (20, "Block 50 of this lake follows", vec![range(50, 99)]),
    ] {
        let orphaned = MockNode::honest(Chain::of(CHAIN, &testing::chain(CHAIN, 100, 1, common))).await;
        let home = Home::new().await;
        ingest_into(&home, &orphaned.http(), 50, Some(99)).await.expect("ingests");
        let error = ingest_into(&home, &chain.http(), 0, Some(120)).await.expect_err("it does not fit");
        assert_eq!(error.code, ErrorCode::Verification);
        assert!(error.message.contains(said), "{error}");
        assert_eq!(home.content().await.1, kept);
    }
}

#[tokio::test]
async fn sample_chain_accepts_no_other_chain() {
    let home = Home::new().await;
    let writer = home.lake.writer().await.expect("a writer");
    writer.claim(CHAIN, Origin::Sample).await.expect("claims");
    drop(writer);
    let mock = MockNode::honest(Chain::new(CHAIN, 10, 0)).await;
    let error = ingest_into(&home, &mock.http(), 0, Some(4)).await.expect_err("a sample chain");
    assert_eq!(error.code, ErrorCode::InvalidInput);
    assert!(error.message.contains("sample chain") && error.message.contains("--home"), "{error}");
    assert!(mock.requests().is_empty(), "known without asking the node");
}

#[tokio::test]
async fn one_writer_at_a_time() {
    let home = Home::new().await;
    let _writer = home.lake.writer().await.expect("a writer");
    let mock = MockNode::honest(Chain::new(CHAIN, 10, 0)).await;
    let error = ingest_into(&home, &mock.http(), 0, Some(4)).await.expect_err("locked");
    assert_eq!(error.code, ErrorCode::LakeLocked);
}
