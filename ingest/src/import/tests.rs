use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use arrow::array::{Array, ArrayRef, BinaryArray, BooleanArray, RecordBatch, StringArray, UInt32Array, UInt64Array};
use arrow::compute::concat_batches;
use parquet::arrow::ArrowWriter;
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use quarry_engine::lake::tables::Table;
use tempfile::TempDir;

use super::*;
use crate::chain::BlockData;
use crate::{decode, testing};

const CHAIN: u64 = 5;

async fn lake() -> (Lake, TempDir) {
    let folder = tempfile::tempdir().expect("a folder");
    (Lake::open(folder.path()).await.expect("a lake"), folder)
}

async fn import_into(lake: &Lake, format: ImportFormat, folder: &Path) -> Result<ImportSummary> {
    let config = ImportConfig { format, paths: vec![folder.to_path_buf()], chain_id: Some(CHAIN) };
    import(lake, config, |_| {}).await
}

fn all(blocks: &[BlockData], mut row: impl FnMut(&BlockData, usize)) {
    for block in blocks {
        (0..block.transactions.len()).for_each(|place| row(block, place));
    }
}

fn save(folder: &Path, name: &str, text: &str) {
    std::fs::write(folder.join(name), text).expect("writes");
}

/// The four files of ethereum-etl, with the columns that it writes.
fn etl(folder: &Path, blocks: &[BlockData]) {
    let mut text = "number,hash,parent_hash,nonce,sha3_uncles,logs_bloom,transactions_root,state_root,receipts_root,\
                    miner,difficulty,total_difficulty,size,extra_data,gas_limit,gas_used,timestamp,transaction_count,\
                    base_fee_per_gas,withdrawals_root,withdrawals,blob_gas_used,excess_blob_gas\n"
        .to_string();
    for block in blocks {
        let header = &block.header;
        let root = header.withdrawals_root.expect("withdrawals");
        writeln!(
            text,
            "{},{},{},{},{},{},{},{},{},{:#x},0,,{},{},{},{},{},{},{},{root},,,",
            header.number,
            block.hash,
            header.parent_hash,
            header.nonce,
            header.ommers_hash,
            header.logs_bloom,
            header.transactions_root,
            header.state_root,
            header.receipts_root,
            header.beneficiary,
            block.size,
            header.extra_data,
            header.gas_limit,
            header.gas_used,
            header.timestamp,
            block.transactions.len(),
            header.base_fee_per_gas.expect("a base fee"),
        )
        .expect("text");
    }
    save(folder, "blocks.csv", &text);
    let mut sent = "hash,nonce,block_hash,block_number,transaction_index,from_address,to_address,value,gas,gas_price,\
                    input,block_timestamp,max_fee_per_gas,max_priority_fee_per_gas,transaction_type\n"
        .to_string();
    let mut receipts = "transaction_hash,transaction_index,block_hash,block_number,cumulative_gas_used,gas_used,\
                        contract_address,root,status,effective_gas_price\n"
        .to_string();
    let mut logs =
        "log_index,transaction_hash,transaction_index,block_hash,block_number,address,data,topics\n".to_string();
    all(blocks, |block, place| {
        use alloy::consensus::{Transaction, Typed2718};
        let (number, one) = (block.header.number, &block.transactions[place]);
        let (tx, receipt) = (&one.tx, &one.receipt);
        let tip = tx.max_priority_fee_per_gas().map(|fee| fee.to_string()).unwrap_or_default();
        let most = if tx.is_dynamic_fee() { tx.max_fee_per_gas().to_string() } else { String::new() };
        writeln!(
            sent,
            "{},{},{},{number},{place},{:#x},{:#x},{},{},{},{},{},{most},{tip},{}",
            one.hash,
            tx.nonce(),
            block.hash,
            one.from,
            tx.to().expect("a receiver"),
            tx.value(),
            tx.gas_limit(),
            receipt.effective_gas_price,
            tx.input(),
            block.header.timestamp,
            tx.ty(),
        )
        .expect("text");
        let (sum, used, paid) = (receipt.cumulative_gas_used, receipt.gas_used, receipt.effective_gas_price);
        writeln!(receipts, "{},{place},{},{number},{sum},{used},,,1,{paid}", one.hash, block.hash).expect("text");
        for (index, log) in receipt.logs.iter().enumerate() {
            let topics: Vec<String> = log.topics().iter().map(ToString::to_string).collect();
            let (hash, address) = (one.hash, log.address);
            let (data, topics) = (&log.data.data, topics.join(","));
            writeln!(logs, "{index},{hash},{place},{},{number},{address:#x},{data},\"{topics}\"", block.hash)
                .expect("text");
        }
    });
    save(folder, "transactions.csv", &sent);
    save(folder, "receipts.csv", &receipts);
    save(folder, "logs.csv", &logs);
}

fn parquet(path: PathBuf, columns: Vec<(&str, ArrayRef)>) {
    let batch = RecordBatch::try_from_iter_with_nullable(columns.into_iter().map(|(name, array)| (name, array, true)));
    let batch = batch.expect("a batch");
    let file = std::fs::File::create(path).expect("a file");
    let mut writer = ArrowWriter::try_new(file, batch.schema(), None).expect("a writer");
    writer.write(&batch).expect("writes");
    writer.close().expect("closes");
}

fn bytes<'a>(values: impl Iterator<Item = Option<&'a [u8]>>) -> ArrayRef {
    Arc::new(BinaryArray::from_iter(values))
}

fn texts(values: impl Iterator<Item = String>) -> ArrayRef {
    Arc::new(StringArray::from_iter_values(values))
}

/// The three files of cryo, with the columns that it writes unless it is told otherwise.
fn cryo(folder: &Path, blocks: &[BlockData]) {
    use alloy::consensus::{Transaction, Typed2718};
    let span = format!("{:08}_to_{:08}", blocks[0].header.number, blocks[blocks.len() - 1].header.number);
    let name = |kind: &str| folder.join(format!("ethereum__{kind}__{span}.parquet"));
    let of = |value: fn(&BlockData) -> u64| blocks.iter().map(value).collect::<Vec<u64>>();
    let small = |values: Vec<u64>| -> ArrayRef {
        Arc::new(UInt32Array::from_iter_values(values.into_iter().map(|v| v as u32)))
    };
    let large = |values: Vec<u64>| -> ArrayRef { Arc::new(UInt64Array::from(values)) };
    parquet(
        name("blocks"),
        vec![
            ("block_hash", bytes(blocks.iter().map(|block| Some(block.hash.as_slice())))),
            ("author", bytes(blocks.iter().map(|block| Some(block.header.beneficiary.as_slice())))),
            ("block_number", small(of(|block| block.header.number))),
            ("gas_used", large(of(|block| block.header.gas_used))),
            ("extra_data", bytes(blocks.iter().map(|block| Some(block.header.extra_data.as_ref())))),
            ("timestamp", small(of(|block| block.header.timestamp))),
            ("base_fee_per_gas", large(of(|block| block.header.base_fee_per_gas.unwrap_or_default()))),
            ("chain_id", large(of(|_| CHAIN))),
        ],
    );
    let mut rows: Vec<(u64, u64, &crate::chain::TransactionData)> = Vec::new();
    for block in blocks {
        rows.extend((0..).zip(&block.transactions).map(|(place, one)| (block.header.number, place, one)));
    }
    let values: Vec<[u8; 32]> = rows.iter().map(|(_, _, one)| one.tx.value().to_be_bytes()).collect();
    parquet(
        name("transactions"),
        vec![
            ("block_number", small(rows.iter().map(|row| row.0).collect())),
            ("transaction_index", large(rows.iter().map(|row| row.1).collect())),
            ("transaction_hash", bytes(rows.iter().map(|row| Some(row.2.hash.as_slice())))),
            ("nonce", large(rows.iter().map(|row| row.2.tx.nonce()).collect())),
            ("from_address", bytes(rows.iter().map(|row| Some(row.2.from.as_slice())))),
            ("value_binary", bytes(values.iter().map(|value| Some(value.as_slice())))),
            ("value_string", texts(rows.iter().map(|row| row.2.tx.value().to_string()))),
            ("input", bytes(rows.iter().map(|row| Some(row.2.tx.input().as_ref())))),
            ("gas_limit", large(rows.iter().map(|row| row.2.tx.gas_limit()).collect())),
            ("gas_used", large(rows.iter().map(|row| row.2.receipt.gas_used).collect())),
            ("gas_price", large(rows.iter().map(|row| row.2.receipt.effective_gas_price as u64).collect())),
            ("transaction_type", small(rows.iter().map(|row| row.2.tx.ty().into()).collect())),
            ("success", Arc::new(BooleanArray::from(vec![true; rows.len()])) as ArrayRef),
        ],
    );
    let logs: Vec<_> = rows.iter().flat_map(|row| row.2.receipt.logs.iter().map(move |log| (row, log))).collect();
    let topic = |at: usize| bytes(logs.iter().map(move |(_, log)| log.topics().get(at).map(|topic| topic.as_slice())));
    parquet(
        name("logs"),
        vec![
            ("block_number", small(logs.iter().map(|(row, _)| row.0).collect())),
            ("transaction_index", small(logs.iter().map(|(row, _)| row.1).collect())),
            ("log_index", small(logs.iter().map(|_| 0).collect())),
            ("transaction_hash", bytes(logs.iter().map(|(row, _)| Some(row.2.hash.as_slice())))),
            ("address", bytes(logs.iter().map(|(_, log)| Some(log.address.as_slice())))),
            ("topic0", topic(0)),
            ("topic1", topic(1)),
            ("topic2", topic(2)),
            ("topic3", topic(3)),
            ("data", bytes(logs.iter().map(|(_, log)| Some(log.data.data.as_ref())))),
        ],
    );
}

/// The rows of a table in the lake's files.
async fn stored(lake: &Lake, table: Table) -> RecordBatch {
    let mut batches = Vec::new();
    for (path, _) in lake.files(table).await.expect("files") {
        let file = std::fs::File::open(path).expect("a file");
        let reader = ParquetRecordBatchReaderBuilder::try_new(file).and_then(|builder| builder.build());
        batches.extend(reader.expect("Parquet").map(|batch| batch.expect("rows")));
    }
    concat_batches(&table.schema(), &batches).expect("rows")
}

/// Whether the lake has in these columns what the same blocks from a node have.
async fn compare(lake: &Lake, blocks: &[BlockData], table: Table, but: &[&str]) {
    let (stored, expected) = (stored(lake, table).await, decode::batches(blocks).expect("rows"));
    let expected = &expected.iter().find(|(of, _)| *of == table).expect("the table").1;
    for field in table.schema().fields() {
        let name = field.name().as_str();
        if !but.contains(&name) {
            assert_eq!(stored[name].as_ref(), expected[name].as_ref(), "{}.{name}", table.name());
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn files_of_ethereum_etl_give_the_rows_that_a_node_gives() {
    let blocks = testing::chain(CHAIN, 20, 0, 0);
    let (lake, _home) = lake().await;
    let folder = tempfile::tempdir().expect("a folder");
    etl(folder.path(), &blocks);
    let done = import_into(&lake, ImportFormat::EthereumEtl, folder.path()).await.expect("imports");
    assert_eq!((done.ranges, done.rows), (vec![BlockRange { from: 0, to: 19 }], 20 + 40 + 20 + 20));
    compare(&lake, &blocks, Table::Blocks, &["mix_hash"]).await;
    let unknown = ["chain_id", "access_list", "y_parity", "v", "r", "s"];
    compare(&lake, &blocks, Table::Transactions, &unknown).await;
    compare(&lake, &blocks, Table::Logs, &[]).await;
    compare(&lake, &blocks, Table::TokenTransfers, &[]).await;
    let again = import_into(&lake, ImportFormat::EthereumEtl, folder.path()).await.expect("nothing to do");
    assert_eq!((again.ranges.len(), again.held.len(), again.rows), (0, 1, 0));
}

#[tokio::test(flavor = "multi_thread")]
async fn files_of_cryo_give_the_rows_that_a_node_gives() {
    let blocks = testing::chain(CHAIN, 20, 0, 0);
    let (lake, _home) = lake().await;
    let folder = tempfile::tempdir().expect("a folder");
    cryo(folder.path(), &blocks[..10]);
    cryo(folder.path(), &blocks[10..]);
    let done = import_into(&lake, ImportFormat::Cryo, folder.path()).await.expect("imports");
    assert_eq!(done.ranges, [BlockRange { from: 0, to: 9 }, BlockRange { from: 10, to: 19 }]);
    compare(&lake, &blocks, Table::Logs, &[]).await;
    compare(&lake, &blocks, Table::TokenTransfers, &[]).await;
    let stored = stored(&lake, Table::Transactions).await;
    assert_eq!(stored.num_rows(), 40);
    assert_eq!(stored["r"].null_count(), 40, "what the files do not tell is null");
    assert_eq!(stored["receipt_status"].null_count(), 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_wrong_file_is_refused_by_file_row_and_column() {
    let blocks = testing::chain(CHAIN, 3, 0, 0);
    let hash = blocks[1].transactions[0].hash.to_string();
    let change = |name: &'static str, from: String, to: &'static str| (name, from, to);
    for ((name, from, to), said) in [
        (change("transactions.csv", hash.clone(), "0x12"), "transactions.csv, row 3, column hash: `0x12` is not"),
        (change("receipts.csv", hash.clone(), "0x00"), "receipts.csv, row 3, column transaction_hash"),
        (change("blocks.csv", "544,0x00,30000000".to_string(), "many,0x00,30000000"), "blocks.csv, row 1, column size"),
        (change("logs.csv", blocks[2].hash.to_string(), ""), ""),
        (
            change("logs.csv", ",2,0x".to_string(), ",7,0x"),
            "logs.csv, row 3, column block_number: its block is in none",
        ),
        (change("blocks.csv", "number,hash".to_string(), "count,digest"), "blocks.csv"),
        (change("logs.csv", "log_index".to_string(), "index"), "logs.csv is none of the files that are imported"),
    ] {
        let (lake, _home) = lake().await;
        let folder = tempfile::tempdir().expect("a folder");
        etl(folder.path(), &blocks);
        let text = std::fs::read_to_string(folder.path().join(name)).expect("text");
        assert!(text.contains(&from), "{name} has {from}");
        save(folder.path(), name, &text.replacen(&from, to, 1));
        let outcome = import_into(&lake, ImportFormat::EthereumEtl, folder.path()).await;
        if said.is_empty() {
            assert!(outcome.is_ok(), "a hash that is not told is not compared");
            continue;
        }
        let error = outcome.expect_err(said);
        assert_eq!(error.code, ErrorCode::InvalidInput);
        assert!(error.message.contains(said), "{said}: {error}");
        assert!(lake.snapshot().await.expect("a snapshot").covered().is_empty());
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_range_needs_all_its_files_and_all_its_blocks() {
    let blocks = testing::chain(CHAIN, 4, 0, 0);
    for (missing, said) in [
        ("logs.csv", "There are no logs among the files of the blocks 0 to 3"),
        ("receipts.csv", "There are no receipts"),
        ("blocks.csv", "There are no blocks"),
    ] {
        let (lake, _home) = lake().await;
        let folder = tempfile::tempdir().expect("a folder");
        etl(folder.path(), &blocks);
        std::fs::remove_file(folder.path().join(missing)).expect("removes");
        let error = import_into(&lake, ImportFormat::EthereumEtl, folder.path()).await.expect_err(said);
        assert!(error.message.contains(said), "{error}");
    }
    let (lake, _home) = lake().await;
    let folder = tempfile::tempdir().expect("a folder");
    etl(folder.path(), &[blocks[0].clone(), blocks[3].clone()]);
    let error = import_into(&lake, ImportFormat::EthereumEtl, folder.path()).await.expect_err("a gap");
    assert!(error.message.contains("Block 1 is in none of the files"), "{error}");
}
