use std::path::Path;

use arrow::array::{Array, AsArray, RecordBatch};
use arrow::compute::concat_batches;
use arrow::datatypes::Int64Type;
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use quarry_lake::tables::Table;
use quarry_types::ErrorCode;
use tempfile::TempDir;

use super::fixtures::{CHAIN, cryo, etl, save, traced};
use super::*;
use crate::chain::BlockData;
use crate::{decode, testing};

/// The parent hash and the nonce after it.
const OTHER_PARENT: &str = "0x1111111111111111111111111111111111111111111111111111111111111111,0x0000000000000000";

async fn lake() -> (Lake, TempDir) {
    let folder = tempfile::tempdir().expect("a folder");
    (Lake::open(folder.path()).await.expect("a lake"), folder)
}

async fn import_into(lake: &Lake, format: ImportFormat, folder: &Path) -> Result<ImportSummary> {
    let config = ImportConfig { format, paths: vec![folder.to_path_buf()], chain_id: Some(CHAIN) };
    import(lake, config, |_| {}).await
}

/// The rows of a table in the lake.
async fn stored(lake: &Lake, table: Table) -> RecordBatch {
    let mut batches = Vec::new();
    for (path, _) in lake.files(table).await.expect("files") {
        let file = std::fs::File::open(path).expect("a file");
        let reader = ParquetRecordBatchReaderBuilder::try_new(file).and_then(|builder| builder.build());
        batches.extend(reader.expect("Parquet").map(|batch| table.read_rows(&batch.expect("rows")).expect("its rows")));
    }
    concat_batches(&table.schema(), &batches).expect("rows")
}

/// Compares these columns with those of the same blocks from a node.
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
async fn ethereum_etl_rows_equal_those_of_a_node() {
    let blocks = traced(20);
    let (lake, _home) = lake().await;
    let folder = tempfile::tempdir().expect("a folder");
    etl(folder.path(), &blocks);
    // Files of derived tables are ignored.
    save(
        folder.path(),
        "token_transfers.csv",
        "token_address,from_address,to_address,value,transaction_hash,log_index\n",
    );
    save(folder.path(), "contracts.csv", "address,bytecode,function_sighashes,is_erc20,is_erc721,block_number\n");
    save(folder.path(), "tokens.csv", "address,symbol,name,decimals,total_supply,block_number\n");
    let done = import_into(&lake, ImportFormat::EthereumEtl, folder.path()).await.expect("imports");
    assert_eq!((done.ranges, done.rows), (vec![BlockRange { from: 0, to: 19 }], 20 * (1 + 2 + 1 + 1 + 1 + 7 + 1)));
    compare(&lake, &blocks, Table::Blocks, &["mix_hash"]).await;
    let unknown = ["chain_id", "access_list", "y_parity", "v", "r", "s"];
    compare(&lake, &blocks, Table::Transactions, &unknown).await;
    compare(&lake, &blocks, Table::Logs, &[]).await;
    for table in [Table::TokenTransfers, Table::Withdrawals, Table::Traces, Table::Contracts] {
        compare(&lake, &blocks, table, &[]).await;
    }
    let again = import_into(&lake, ImportFormat::EthereumEtl, folder.path()).await.expect("nothing to do");
    assert_eq!((again.ranges.len(), again.held.len(), again.rows), (0, 1, 0));
}

#[tokio::test(flavor = "multi_thread")]
async fn cryo_rows_equal_those_of_a_node() {
    let blocks = traced(20);
    let (lake, _home) = lake().await;
    let folder = tempfile::tempdir().expect("a folder");
    cryo(folder.path(), &blocks[..10]);
    cryo(folder.path(), &blocks[10..]);
    let done = import_into(&lake, ImportFormat::Cryo, folder.path()).await.expect("imports");
    assert_eq!(done.ranges, [BlockRange { from: 0, to: 9 }, BlockRange { from: 10, to: 19 }]);
    for table in [Table::Logs, Table::TokenTransfers, Table::Traces, Table::Contracts] {
        compare(&lake, &blocks, table, &[]).await;
    }
    let unknown = ["max_fee_per_gas", "max_priority_fee_per_gas", "access_list", "y_parity", "v", "r", "s"];
    compare(&lake, &blocks, Table::Transactions, &unknown).await;
    let stored = stored(&lake, Table::Transactions).await;
    assert_eq!(stored["r"].null_count(), 40, "what the files do not tell is null");
}

#[tokio::test(flavor = "multi_thread")]
async fn contracts_without_traces() {
    let blocks = traced(6);
    let (lake, _home) = lake().await;
    let folder = tempfile::tempdir().expect("a folder");
    cryo(folder.path(), &blocks);
    std::fs::remove_file(folder.path().join("ethereum__traces__00000000_to_00000005.parquet")).expect("removes");
    import_into(&lake, ImportFormat::Cryo, folder.path()).await.expect("imports");
    compare(&lake, &blocks, Table::Contracts, &[]).await;
    assert_eq!(lake.snapshot().await.expect("a snapshot").rows(Table::Traces), 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn nested_folders_are_read() {
    let (lake, _home) = lake().await;
    let folder = tempfile::tempdir().expect("a folder");
    etl(folder.path(), &traced(4));
    // In the layout of `export_all` of ethereum-etl, with a symbolic link to the root.
    for table in ["blocks", "transactions", "receipts", "logs", "traces"] {
        let below = folder.path().join(table).join("start_block=00000000/end_block=00000003");
        std::fs::create_dir_all(&below).expect("makes a folder");
        let (from, to) = (format!("{table}.csv"), format!("{table}_00000000_00000003.csv"));
        std::fs::rename(folder.path().join(from), below.join(to)).expect("moves");
    }
    std::os::unix::fs::symlink(folder.path(), folder.path().join("back.csv")).expect("a link");
    import_into(&lake, ImportFormat::EthereumEtl, folder.path()).await.expect_err("a link to a folder is no table");
    std::fs::rename(folder.path().join("back.csv"), folder.path().join("back")).expect("moves");
    import_into(&lake, ImportFormat::EthereumEtl, folder.path()).await.expect("imports");
    assert_eq!(lake.snapshot().await.expect("a snapshot").rows(Table::Blocks), 4);
}

#[tokio::test(flavor = "multi_thread")]
async fn errors_name_file_row_and_column() {
    let blocks = traced(3);
    let hash = blocks[1].transactions[0].hash.to_string();
    let change = |name: &'static str, from: String, to: &'static str| (name, from, to);
    for ((name, from, to), said) in [
        (change("transactions.csv", hash.clone(), "0x12"), "transactions.csv, row 3, column hash: `0x12` is not"),
        (change("receipts.csv", hash.clone(), "0x00"), "receipts.csv, row 3, column transaction_hash"),
        (change("blocks.csv", "544,0x00,30000000".to_string(), "many,0x00,30000000"), "blocks.csv, row 1, column size"),
        (change("logs.csv", blocks[2].hash.to_string(), ""), ""),
        (
            change("blocks.csv", r#"""amount"":5"#.to_string(), r#"""amount"":6"#),
            "blocks.csv, row 1, column withdrawals: they make the root",
        ),
        (
            change("blocks.csv", r#"""amount"":5"#.to_string(), r#"""sum"":5"#),
            "blocks.csv, row 1, column withdrawals: `",
        ),
        (
            change("traces.csv", ",delegatecall,".to_string(), ",borrow,"),
            "traces.csv, row 4, column call_type: `borrow`",
        ),
        (change("traces.csv", ",create,".to_string(), ",genesis,"), "traces.csv, row 3, column trace_type: `genesis`"),
        (change("traces.csv", "\"2,0\"".to_string(), "\"2\""), "traces.csv, row 6, column trace_address: this trace"),
        (
            change("traces.csv", format!("2,{},0,", blocks[2].transactions[0].hash), "2,,2,"),
            "traces.csv, row 1, column transaction_index: its transaction is not there",
        ),
        (
            change("traces.csv", format!("2,{},0,", blocks[2].transactions[0].hash), "2,,1,"),
            "traces.csv, row 2, column trace_address: this trace is there twice",
        ),
        (
            change("logs.csv", ",2,0x".to_string(), ",7,0x"),
            "logs.csv, row 3, column block_number: its block is in none",
        ),
        (
            change("transactions.csv", "to_address".to_string(), "receiver"),
            "transactions.csv, row 1, column to_address: there is no such column",
        ),
        (
            change("blocks.csv", format!("{},0x0000000000000000", blocks[1].hash), OTHER_PARENT),
            "blocks.csv, row 3, column parent_hash: it is 0x11",
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
async fn range_needs_all_files_and_blocks() {
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

#[tokio::test(flavor = "multi_thread")]
async fn truncated_files_are_rejected() {
    let blocks = testing::chain(CHAIN, 3, 0, 0);
    let sent: &[&str] = &["transactions.csv", "receipts.csv", "logs.csv"];
    for (cut, untold, said) in [
        (sent, "", "blocks.csv, row 3, column transaction_count: it is 2, but the files have 1"),
        (sent, "transaction_count", "blocks.csv, row 3, column gas_used: it is 42000, but the transactions"),
        (&["receipts.csv"], "", "The receipt of transaction 1 of block 2 is in none of the files"),
        (&["logs.csv"], "", "blocks.csv, row 3, column logs_bloom: it is not that of the logs"),
    ] {
        let (lake, _home) = lake().await;
        let folder = tempfile::tempdir().expect("a folder");
        etl(folder.path(), &blocks);
        let text = |name: &str| std::fs::read_to_string(folder.path().join(name)).expect("text");
        for name in cut {
            let whole = text(name);
            let (kept, _) = whole.trim_end().rsplit_once('\n').expect("rows");
            save(folder.path(), name, kept);
        }
        if !untold.is_empty() {
            save(folder.path(), "blocks.csv", &text("blocks.csv").replacen(untold, "something_else", 1));
        }
        let error = import_into(&lake, ImportFormat::EthereumEtl, folder.path()).await.expect_err(said);
        assert_eq!(error.code, ErrorCode::InvalidInput);
        assert!(error.message.contains(said), "{said}: {error}");
        assert!(lake.snapshot().await.expect("a snapshot").covered().is_empty());
    }
}

/// Blocks, one of which declares more gas than its transactions used.
fn before_refunds() -> Vec<BlockData> {
    let mut blocks = traced(3);
    blocks[1].header.gas_used += 1000;
    blocks
}

#[tokio::test(flavor = "multi_thread")]
async fn gas_before_refunds_needs_complete_receipts() {
    let blocks = before_refunds();
    let (lake, _home) = lake().await;
    let folder = tempfile::tempdir().expect("a folder");
    etl(folder.path(), &blocks);
    import_into(&lake, ImportFormat::EthereumEtl, folder.path()).await.expect("imports");
    compare(&lake, &blocks, Table::Blocks, &["mix_hash"]).await;
    compare(&lake, &blocks, Table::Logs, &[]).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn unexplained_gas_is_rejected() {
    let blocks = before_refunds();
    let root = blocks[1].header.receipts_root.to_string();
    for (from, to, said) in [
        ("receipts_root", "something_else", "and without a column receipts_root it can't be told"),
        (root.as_str(), OTHER_PARENT.split(',').next().expect("a hash"), "and their receipts make the root"),
    ] {
        let (lake, _home) = lake().await;
        let folder = tempfile::tempdir().expect("a folder");
        etl(folder.path(), &blocks);
        let text = std::fs::read_to_string(folder.path().join("blocks.csv")).expect("text");
        save(folder.path(), "blocks.csv", &text.replace(from, to));
        let error = import_into(&lake, ImportFormat::EthereumEtl, folder.path()).await.expect_err(said);
        assert!(error.message.contains("blocks.csv, row 2, column gas_used: it is 43000, but"), "{error}");
        assert!(error.message.contains(said), "{said}: {error}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn later_header_fields_are_imported() {
    let blocks = before_refunds();
    let (lake, _home) = lake().await;
    let folder = tempfile::tempdir().expect("a folder");
    etl(folder.path(), &blocks);
    let text = std::fs::read_to_string(folder.path().join("blocks.csv")).expect("text");
    let text = text
        .replace("receipts_root", "something_else")
        .replace("blob_gas_used,excess_blob_gas", "slot_number,block_access_list_hash");
    let list = B256::repeat_byte(7);
    let lines: Vec<String> = text
        .lines()
        .map(|line| line.strip_suffix(",,").map_or(line.to_string(), |row| format!("{row},9,{list}")))
        .collect();
    save(folder.path(), "blocks.csv", &lines.join("\n"));
    import_into(&lake, ImportFormat::EthereumEtl, folder.path()).await.expect("imports");
    let stored = stored(&lake, Table::Blocks).await;
    assert_eq!(stored["block_access_list_hash"].as_fixed_size_binary().value(1), list.as_slice());
    assert_eq!(stored["slot_number"].as_primitive::<Int64Type>().values(), &[9, 9, 9]);
}

#[tokio::test(flavor = "multi_thread")]
async fn full_headers_must_match_their_hash() {
    let mut blocks = traced(3);
    blocks[2].header.gas_used += 1000;
    blocks[2].hash = blocks[2].header.hash_slow();
    let folder = tempfile::tempdir().expect("a folder");
    etl(folder.path(), &blocks);
    let text = std::fs::read_to_string(folder.path().join("blocks.csv")).expect("text");
    let more = "mix_hash,parent_beacon_block_root,requests_hash,block_access_list_hash,slot_number";
    let row = |(at, line): (usize, &str)| match at {
        0 => format!("{line},{more}\n"),
        _ => format!("{line},{},,,,\n", B256::ZERO),
    };
    let whole: String = text.lines().enumerate().map(row).collect();
    let used = blocks[2].header.gas_used.to_string();
    for (text, wrong) in
        [(whole.clone(), false), (whole.replace(&used, "43001"), true), (text.replace(&used, "43001"), false)]
    {
        let (lake, _home) = lake().await;
        save(folder.path(), "blocks.csv", &text);
        let outcome = import_into(&lake, ImportFormat::EthereumEtl, folder.path()).await;
        match wrong {
            false => assert!(outcome.is_ok(), "{outcome:?}"),
            true => {
                let error = outcome.expect_err("another gas");
                assert!(error.message.contains("blocks.csv, row 3, column hash: it is 0x"), "{error}");
                assert!(error.message.contains("but the header in the file hashes to 0x"), "{error}");
            }
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn receipts_contracts_and_logs_are_unique() {
    let blocks = traced(3);
    let folder = tempfile::tempdir().expect("a folder");
    etl(folder.path(), &blocks);
    let text = |name: &str| std::fs::read_to_string(folder.path().join(name)).expect("text");
    let receipts = text("receipts.csv");
    let (start, last) = receipts.trim_end().rsplit_once('\n').expect("rows");
    let head = start.lines().next().expect("a head");
    save(folder.path(), "receipts_again.csv", &format!("{head}\n{last}"));
    let refused = async |format: ImportFormat, folder: &Path, said: &str| {
        let (lake, _home) = lake().await;
        let error = import_into(&lake, format, folder).await.expect_err(said);
        assert!(error.message.contains(said), "{said}: {error}");
    };
    let said = "receipts_again.csv, row 1, column transaction_index: this receipt is there twice";
    refused(ImportFormat::EthereumEtl, folder.path(), said).await;
    std::fs::remove_file(folder.path().join("receipts_again.csv")).expect("removes");

    let logs = text("logs.csv");
    let row = logs.lines().nth(2).expect("the log of block 1");
    let [first, second] = [0, 1].map(|place: usize| blocks[1].transactions[place].hash);
    let earlier = row.replace(&format!("0,{second},1,"), &format!("1,{first},0,"));
    save(folder.path(), "logs.csv", &format!("{logs}{earlier}\n"));
    let said = "Log 1 of block 1 is of transaction 0, but the one before it of 1";
    refused(ImportFormat::EthereumEtl, folder.path(), said).await;

    let folder = tempfile::tempdir().expect("a folder");
    cryo(folder.path(), &blocks);
    std::fs::remove_file(folder.path().join("ethereum__traces__00000000_to_00000002.parquet")).expect("removes");
    let contracts = folder.path().join("ethereum__contracts__00000000_to_00000002.parquet");
    std::fs::copy(&contracts, folder.path().join("ethereum__contracts__again.parquet")).expect("copies");
    refused(ImportFormat::Cryo, folder.path(), "column create_index: this contract is there twice").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn blocks_of_two_chains_are_rejected() {
    let (one, other) = (testing::chain(CHAIN, 6, 0, 0), testing::chain(CHAIN, 6, 1, 0));
    for (held, foreign, own, said) in [
        (&one[..3], &other[3..], &one[3..], "Block 3 of the files follows"),
        (&one[3..], &other[..3], &one[..3], "Block 3 of this lake follows"),
    ] {
        let (lake, _home) = lake().await;
        let import = async |blocks: &[BlockData]| {
            let folder = tempfile::tempdir().expect("a folder");
            etl(folder.path(), blocks);
            import_into(&lake, ImportFormat::EthereumEtl, folder.path()).await
        };
        import(held).await.expect("imports");
        let error = import(foreign).await.expect_err("another chain");
        assert!(error.message.contains(said) && error.message.contains("of two chains"), "{error}");
        import(own).await.expect("imports");
        assert_eq!(lake.snapshot().await.expect("a snapshot").covered(), [BlockRange { from: 0, to: 5 }]);
    }
}
