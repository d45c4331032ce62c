use arrow::array::{ArrayRef, AsArray, Decimal128Array, FixedSizeBinaryArray, Int64Array, RecordBatch};
use arrow::compute::concat_batches;
use parquet::arrow::ArrowWriter;
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use quarry_lake::tables::Table;
use quarry_lake::{BlockRange, Head, Lake, Origin, Publish};
use quarry_types::Result;
use tempfile::TempDir;

use super::lake::{Reading, Rows, steps};
use super::stored::Stored;
use super::*;
use crate::chain::BlockData;
use crate::decode;
use crate::rpc::NodeConfig;
use crate::rpc::mock_node::{Chain, MockNode};
use crate::testing;

const CHAIN: u64 = 5;

/// A lake with these blocks, with changed rows of one table.
pub(super) async fn lake(
    blocks: &[BlockData],
    table: Table,
    change: impl Fn(RecordBatch) -> RecordBatch,
) -> (Lake, TempDir) {
    let folder = tempfile::tempdir().expect("a folder");
    let lake = Lake::open(folder.path()).await.expect("a lake");
    let writer = lake.writer().await.expect("a writer");
    writer.claim(CHAIN, Origin::Node).await.expect("claims");
    let (first, last) = (&blocks[0].header, blocks.last().expect("blocks"));
    let range = BlockRange { from: first.number as i64, to: last.header.number as i64 };
    let mut staging = writer.stage(range);
    for (of, batch) in decode::batches(blocks).expect("rows") {
        let batch = if of == table { change(batch) } else { batch };
        staging.write(of, batch).await.expect("stages");
    }
    let staged = staging.finish().await.expect("finishes");
    let head = Some(Head { number: range.to, hash: last.hash, time: 0 });
    let publish = Publish { head, reason: "ingest".to_string(), ..Publish::default() };
    writer.publish(vec![staged], publish).await.expect("publishes");
    (lake, folder)
}

async fn verified(lake: &Lake, config: VerifyConfig) -> (VerifySummary, Vec<String>) {
    let mut found = Vec::new();
    let summary = run(lake, config, |_| {}, |mismatch| found.push(mismatch.to_string())).await.expect("runs");
    assert_eq!(summary.mismatches, found.len() as u64);
    (summary, found)
}

const ALL: VerifyConfig = VerifyConfig { from: None, to: None, nodes: Vec::new() };

#[tokio::test(flavor = "multi_thread")]
async fn valid_lake_passes() {
    let blocks = testing::chain(CHAIN, 100, 0, 0);
    let (lake, _folder) = lake(&blocks, Table::Blocks, |batch| batch).await;
    let (summary, found) = verified(&lake, ALL).await;
    assert_eq!((summary.blocks, summary.transactions, found), (100, 200, vec![]));
    let (summary, found) = verified(&lake, VerifyConfig { from: Some(40), to: Some(41), nodes: Vec::new() }).await;
    assert_eq!((summary.blocks, summary.transactions, found), (2, 4, vec![]));
    let (summary, _) = verified(&lake, VerifyConfig { from: Some(90), to: Some(120), nodes: Vec::new() }).await;
    assert_eq!((summary.blocks, summary.missing), (10, vec![BlockRange { from: 100, to: 120 }]));
    let far = VerifyConfig { from: Some(200), to: Some(300), nodes: Vec::new() };
    assert!(run(&lake, far, |_| {}, |_| {}).await.is_err_and(|error| error.message.contains("none of the blocks")));
    let open = VerifyConfig { from: Some(200), ..ALL };
    let error = run(&lake, open, |_| {}, |_| {}).await.expect_err("the lake ends before");
    assert_eq!(error.message, "The lake has blocks 0 to 99, but none of those requested.");
}

#[tokio::test(flavor = "multi_thread")]
async fn only_blocks_of_the_lake_are_visited() {
    let blocks = testing::chain(CHAIN, 40, 0, 0);
    let (lake, _folder) = lake(&blocks, Table::Blocks, |batch| batch).await;
    let far = i64::MAX as u64 - 1;
    let (summary, found) = verified(&lake, VerifyConfig { from: Some(3), to: Some(far), nodes: Vec::new() }).await;
    assert_eq!((summary.blocks, found), (37, vec![]));
    assert_eq!(summary.missing, vec![BlockRange { from: 40, to: far as i64 }]);

    let range = |from, to| BlockRange { from, to };
    let covered = vec![range(0, 9), range(100, 140), range(20_000_000, 20_000_001)];
    let visited: Vec<BlockRange> = steps(covered, range(5, 20_000_000)).collect();
    assert_eq!(visited, [range(5, 9), range(100, 131), range(132, 140), range(20_000_000, 20_000_000)]);
}

/// Flips a bit of a value.
fn flip(batch: &RecordBatch, name: &str, row: usize) -> RecordBatch {
    let at = batch.schema().index_of(name).expect("the column");
    let column = batch.column(at);
    let flipped: ArrayRef = if let Some(fixed) = column.as_fixed_size_binary_opt() {
        let mut values: Vec<Option<Vec<u8>>> = fixed.iter().map(|value| value.map(<[u8]>::to_vec)).collect();
        values[row].as_mut().expect("a value")[0] ^= 1;
        let values = values.into_iter();
        let array = FixedSizeBinaryArray::try_from_sparse_iter_with_size(values, fixed.value_length());
        std::sync::Arc::new(array.expect("of one length"))
    } else if let Some(binary) = column.as_binary_opt::<i32>() {
        let mut values: Vec<Vec<u8>> = binary.iter().map(|value| value.expect("a value").to_vec()).collect();
        *values[row].last_mut().expect("a byte") ^= 1;
        std::sync::Arc::new(arrow::array::BinaryArray::from_iter_values(values))
    } else if let Some(numbers) = column.as_primitive_opt::<arrow::datatypes::Int64Type>() {
        let mut values: Vec<Option<i64>> = numbers.iter().collect();
        *values[row].as_mut().expect("a value") ^= 1;
        std::sync::Arc::new(Int64Array::from(values))
    } else {
        let numbers = column.as_primitive::<arrow::datatypes::Decimal128Type>();
        let mut values: Vec<Option<i128>> = numbers.iter().collect();
        *values[row].as_mut().expect("a value") ^= 1;
        let array = Decimal128Array::from(values).with_precision_and_scale(38, 0);
        std::sync::Arc::new(array.expect("a decimal"))
    };
    let mut columns = batch.columns().to_vec();
    columns[at] = flipped;
    RecordBatch::try_new(batch.schema(), columns).expect("the same schema")
}

#[tokio::test(flavor = "multi_thread")]
async fn single_bit_flips_are_detected() {
    let blocks = testing::chain(CHAIN, 40, 0, 0);
    // Row 70 of transactions and row 35 of other tables belong to block 35.
    for (table, column, row, check) in [
        (Table::Blocks, "state_root", 35, "header hash"),
        (Table::Blocks, "logs_bloom", 35, "header hash"),
        (Table::Blocks, "hash", 35, "header hash"),
        (Table::Blocks, "transaction_count", 35, "blocks, row 0, column transaction_count"),
        (Table::Transactions, "r", 70, "transaction hash"),
        (Table::Transactions, "value", 70, "transaction hash"),
        (Table::Transactions, "from_address", 70, "sender"),
        (Table::Transactions, "receipt_effective_gas_price", 70, "receipt"),
        (Table::Transactions, "receipt_cumulative_gas_used", 70, "receipts root"),
        (Table::Transactions, "block_hash", 70, "transactions, row 0, column block_hash"),
        (Table::Logs, "data", 35, "receipts root"),
        (Table::Logs, "topic1", 35, "receipts root"),
        (Table::Logs, "transaction_hash", 35, "logs, row 0, column transaction_hash"),
        (Table::TokenTransfers, "from_address", 35, "token_transfers, row 0.0, column from_address"),
        (Table::Withdrawals, "amount", 35, "withdrawals root"),
    ] {
        let (lake, _folder) = lake(&blocks, table, |batch| flip(&batch, column, row)).await;
        let (_, found) = verified(&lake, ALL).await;
        let name = table.name();
        assert!(!found.is_empty(), "{name}.{column}");
        assert!(found[0].starts_with("block 35: ") && found[0].contains(check), "{name}.{column}: {found:?}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn missing_and_extra_rows_are_detected() {
    let blocks = testing::chain(CHAIN, 10, 0, 0);
    for (table, said) in [
        (Table::Transactions, "block 9: rows: transactions: the one at place 1, which has a log, is missing"),
        (Table::Logs, "block 9: receipts root"),
        (Table::TokenTransfers, "block 9: rows: token_transfers, row 0.0: it is missing"),
        (Table::Withdrawals, "block 9: withdrawals root"),
    ] {
        let (lake, _folder) = lake(&blocks, table, |batch| batch.slice(0, batch.num_rows() - 1)).await;
        let (_, found) = verified(&lake, ALL).await;
        assert!(found.iter().any(|found| found.contains(said)), "{}: {found:?}", table.name());
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn daily_rollups_match_transactions() {
    let blocks = testing::chain(CHAIN, 40, 0, 0);
    for (table, column, said) in [
        (
            Table::Days,
            "transactions",
            "block 0: rows: days, row 0, column transactions: the lake has 81, it should be 80",
        ),
        (Table::Days, "addresses", "block 0: rows: days, row 0, column addresses: the lake has 2, it should be 3"),
        (
            Table::AddressDays,
            "sent",
            "block 0: rows: address_days, row 0000000000000000000000000000000000000009, column sent",
        ),
        (
            Table::AddressDays,
            "",
            "block 0: rows: address_days, row 0000000000000000000000000000000000000009: it is missing",
        ),
    ] {
        let (lake, _folder) = lake(&blocks, Table::Blocks, |batch| batch).await;
        assert_eq!(verified(&lake, ALL).await.1, Vec::<String>::new());
        let (path, _) = lake.files(table).await.expect("files").remove(0);
        let file = std::fs::File::open(&path).expect("a file");
        let rows = ParquetRecordBatchReaderBuilder::try_new(file).expect("Parquet").build().expect("Parquet");
        let rows = rows.map(|batch| batch.expect("rows")).next().expect("rows");
        let rows = if column.is_empty() { rows.slice(0, 0) } else { flip(&rows, column, 0) };
        let mut writer =
            ArrowWriter::try_new(std::fs::File::create(&path).expect("a file"), rows.schema(), None).expect("a writer");
        writer.write(&rows).expect("writes");
        writer.close().expect("closes");
        lake.accept_changed_file(&path).await.expect("a file of the lake");
        let (_, found) = verified(&lake, ALL).await;
        assert!(found.len() == 1 && found[0].starts_with(said), "{said}: {found:?}");
        let part = VerifyConfig { from: Some(1), ..ALL };
        assert_eq!(verified(&lake, part).await.1, Vec::<String>::new(), "only whole ranges can be summed up");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn unreadable_block_hides_no_other() {
    let blocks = testing::chain(CHAIN, 10, 0, 0);
    let change = |batch: RecordBatch| {
        // A transaction of block 3 is missing, and one of block 4 is different.
        let parts = [batch.slice(0, 6), batch.slice(7, batch.num_rows() - 7)];
        flip(&concat_batches(&batch.schema(), &parts).expect("rows"), "value", 7)
    };
    let (lake, _folder) = lake(&blocks, Table::Transactions, change).await;
    let (summary, found) = verified(&lake, ALL).await;
    assert_eq!((found.len(), summary.blocks, summary.transactions), (2, 10, 18), "{found:?}");
    assert_eq!(found[0], "block 3: rows: transactions: the one at place 0 is missing");
    assert!(found[1].starts_with("block 4: transaction hash: transaction 0: "), "{found:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn missing_and_duplicate_blocks_are_detected() {
    let chain = testing::chain(CHAIN, 40, 0, 0);
    let but = |lost: usize| [&chain[..lost], &chain[lost + 1..]].concat();
    let doubled = [&chain[..18], &chain[17..]].concat();
    for (blocks, said) in [
        (but(17), "block 17: rows: blocks, row 0: it is missing"),
        (but(32), "block 32: rows: blocks, row 0: it is missing"),
        (doubled, "block 17: rows: blocks, row 0: it is there twice"),
    ] {
        let (lake, _folder) = lake(&blocks, Table::Blocks, |batch| batch).await;
        let (summary, found) = verified(&lake, ALL).await;
        assert_eq!(summary.blocks, 40);
        assert!(found.iter().any(|found| found == said), "{said}: {found:?}");
    }
    let (lake, _folder) = lake(&but(17), Table::Blocks, |batch| batch).await;
    assert_eq!(verified(&lake, ALL).await.1.len(), 1, "the others are sound");
}

#[tokio::test(flavor = "multi_thread")]
async fn large_blocks_are_read_in_parts() {
    let mut blocks = testing::chain(CHAIN, 6, 0, 0);
    for block in &mut blocks[2..4] {
        block.transactions[1].receipt.logs[0].data.data = vec![7; 9000].into();
    }
    let (lake, _folder) = lake(&blocks, Table::Blocks, |batch| batch).await;
    let snapshot = lake.snapshot().await.expect("a snapshot");
    let parts = |from: i64, most: usize| {
        let range = BlockRange { from, to: 5 };
        let reading = Reading::new(Stored::new(lake.dir(), &snapshot, range), [range].into_iter(), most);
        let rows = |part: Result<(BlockRange, Rows)>| {
            let (range, rows) = part.expect("rows");
            assert_eq!(rebuild::numbers(&rows), (range.from as u64..=range.to as u64).collect::<Vec<_>>());
            let of = |table| rows.iter().find(|(of, _)| *of == table).map(|(_, batch)| batch.num_rows() as u64);
            assert_eq!(of(Table::Transactions), Some(2 * range.blocks()));
            assert_eq!(of(Table::Logs), Some(range.blocks()));
            (range.from, range.to)
        };
        reading.map(rows).collect::<Vec<_>>()
    };
    assert_eq!(parts(0, usize::MAX), [(0, 5)]);
    assert_eq!(parts(0, 10_000), [(0, 2), (3, 5)]);
    assert_eq!(parts(1, 5000), [(1, 1), (2, 2), (3, 3), (4, 5)]);
    assert_eq!(parts(3, 0), [(3, 3), (4, 4), (5, 5)]);
}

#[tokio::test(flavor = "multi_thread")]
async fn lake_against_a_node() {
    let blocks = testing::chain(CHAIN, 40, 0, 0);
    let (lake, _folder) = lake(&blocks, Table::Blocks, |batch| batch).await;
    let mock = MockNode::honest(Chain::of(CHAIN, &blocks)).await;
    let against =
        |mock: &MockNode| VerifyConfig { nodes: vec![NodeConfig::new(&mock.http()).expect("an address")], ..ALL };
    assert_eq!(verified(&lake, against(&mock)).await.1, Vec::<String>::new());

    let other = MockNode::honest(Chain::of(CHAIN, &testing::chain(CHAIN, 40, 1, 38))).await;
    let (_, found) = verified(&lake, against(&other)).await;
    assert!(found.iter().all(|found| found.starts_with("block 38: ") && found.contains("by the node")), "{found:?}");
    assert!(found.iter().any(|found| found.contains("column hash")), "{found:?}");

    let foreign = MockNode::honest(Chain::new(6, 40, 0)).await;
    let refused = run(&lake, against(&foreign), |_| {}, |_| {}).await.expect_err("another chain");
    assert!(refused.message.contains("holds chain 5") && refused.message.contains("serves chain 6"), "{refused}");
}

#[tokio::test]
async fn unreadable_files_are_named() {
    let (lake, _folder) = lake(&testing::chain(CHAIN, 3, 0, 0), Table::Blocks, |batch| batch).await;
    let (path, entry) = lake.files(Table::Logs).await.expect("files").remove(0);
    std::fs::write(&path, b"PAR1 and nothing else").expect("writes");
    let error = run(&lake, ALL, |_| {}, |_| {}).await.expect_err("no Parquet");
    let name = entry.path.rsplit('/').next().expect("a name");
    assert!(error.message.contains(name) && error.message.contains("table logs"), "{error}");
}
