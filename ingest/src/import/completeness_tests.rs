//! Tests of completeness, however the tables are split into files.

use std::path::Path;

use quarry_lake::tables::Table;
use quarry_lake::{BlockRange, Lake};
use quarry_types::{ErrorCode, Result};
use tempfile::TempDir;

use super::fixtures::{CHAIN, cryo, etl, traced};
use super::*;
use crate::chain::BlockData;
use crate::testing::seal;

/// Twenty blocks. The last ten have no logs.
fn quiet_in_the_end() -> Vec<BlockData> {
    let mut blocks = traced(20);
    for at in 10..20 {
        blocks[at].transactions[1].receipt.logs.clear();
        blocks[at].header.parent_hash = blocks[at - 1].hash;
        seal(&mut blocks[at]);
    }
    blocks
}

/// A folder with the files of each of these ranges, and with one table in a single file.
fn cut(write: fn(&Path, &[BlockData]), parts: &[&[BlockData]], table: &str, whole: &[BlockData]) -> TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    let all = parts.iter().copied().map(|part| (part, false)).chain([(whole, true)]);
    for (at, (blocks, is_whole)) in all.enumerate() {
        let own = folder.path().join(at.to_string());
        std::fs::create_dir(&own).expect("makes a folder");
        write(&own, blocks);
        for entry in std::fs::read_dir(&own).expect("files") {
            let path = entry.expect("a file").path();
            let is_table = path.file_name().is_some_and(|name| name.to_string_lossy().contains(table));
            if is_table != is_whole {
                std::fs::remove_file(path).expect("removes");
            }
        }
    }
    folder
}

async fn import_files(format: ImportFormat, folder: &Path) -> Result<(ImportSummary, Lake, TempDir)> {
    let home = tempfile::tempdir().expect("a folder");
    let lake = Lake::open(home.path()).await.expect("a lake");
    let config = ImportConfig { format, paths: vec![folder.to_path_buf()], chain_id: Some(CHAIN) };
    let summary = import(&lake, config, |_| {}).await?;
    Ok((summary, lake, home))
}

const HALVES: [BlockRange; 2] = [BlockRange { from: 0, to: 9 }, BlockRange { from: 10, to: 19 }];

#[tokio::test(flavor = "multi_thread")]
async fn tables_may_be_split_differently() {
    let (all, quiet) = (traced(20), quiet_in_the_end());
    let whole = [BlockRange { from: 0, to: 19 }];
    for (blocks, table, ranges) in [
        // Its rows join the ranges.
        (&all, "logs", whole.as_slice()),
        (&all, "transactions", whole.as_slice()),
        // It has none of the second range, as its name (cryo) or the blocks (ethereum-etl) show.
        (&quiet, "logs", HALVES.as_slice()),
    ] {
        let parts = [&blocks[..10], &blocks[10..]];
        for (format, write) in [(ImportFormat::Cryo, cryo as fn(&Path, &[BlockData])), (ImportFormat::EthereumEtl, etl)]
        {
            let folder = cut(write, &parts, table, blocks);
            let (done, lake, _home) = import_files(format, folder.path()).await.expect("imports");
            assert_eq!(done.ranges, ranges, "{table} of {}", format.name());
            let snapshot = lake.snapshot().await.expect("a snapshot");
            let logs: usize =
                blocks.iter().flat_map(|block| &block.transactions).map(|sent| sent.receipt.logs.len()).sum();
            for (table, rows) in [(Table::Blocks, 20), (Table::Transactions, 40), (Table::Logs, logs as u64)] {
                assert_eq!(snapshot.rows(table), rows, "{}", table.name());
            }
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn empty_files_have_no_rows() {
    let mut blocks = quiet_in_the_end();
    for at in 10..20 {
        blocks[at].transactions.clear();
        blocks[at].traces = None;
        blocks[at].header.parent_hash = blocks[at - 1].hash;
        seal(&mut blocks[at]);
    }
    let folder = tempfile::tempdir().expect("a folder");
    for (name, part) in [("a", &blocks[..10]), ("b", &blocks[10..])] {
        std::fs::create_dir(folder.path().join(name)).expect("makes a folder");
        etl(&folder.path().join(name), part);
    }
    // As ethereum-etl writes them.
    std::fs::write(folder.path().join("b/transactions.csv"), "").expect("writes");
    for name in ["b/receipts.csv", "b/logs.csv"] {
        std::fs::remove_file(folder.path().join(name)).expect("removes");
    }
    let (done, ..) = import_files(ImportFormat::EthereumEtl, folder.path()).await.expect("imports");
    assert_eq!(done.ranges, HALVES);
    std::fs::remove_dir_all(folder.path().join("a")).expect("removes");
    let (done, ..) = import_files(ImportFormat::EthereumEtl, folder.path()).await.expect("blocks without anything");
    assert_eq!(done.ranges, HALVES[1..]);
}

#[tokio::test(flavor = "multi_thread")]
async fn chain_id_of_files_is_used() {
    let folder = tempfile::tempdir().expect("a folder");
    cryo(folder.path(), &traced(3));
    let home = tempfile::tempdir().expect("a folder");
    let lake = Lake::open(home.path()).await.expect("a lake");
    let config =
        |chain_id| ImportConfig { format: ImportFormat::Cryo, paths: vec![folder.path().to_path_buf()], chain_id };
    let error = import(&lake, config(Some(1)), |_| {}).await.expect_err("another one");
    assert!(error.message.contains("column chain_id: it is of chain 5, not 1"), "{error}");
    import(&lake, config(None), |_| {}).await.expect("imports");
    assert_eq!(lake.info().await.expect("what it is").chain_id, Some(CHAIN));
}

#[tokio::test(flavor = "multi_thread")]
async fn missing_rows_between_files_are_detected() {
    let blocks = traced(20);
    let halves: [&[BlockData]; 2] = [&blocks[..10], &blocks[10..]];
    for (format, write, parts, table, whole, said) in [
        (
            ImportFormat::Cryo,
            cryo as fn(&Path, &[BlockData]),
            &halves[..],
            "logs",
            &blocks[..10],
            "no logs among the files of the blocks 10 to 19",
        ),
        (
            ImportFormat::Cryo,
            cryo,
            &[&blocks[..]][..],
            "logs",
            &blocks[..10],
            "no logs among the files of the blocks 10 to 19",
        ),
        (
            ImportFormat::Cryo,
            cryo,
            &[&blocks[..]][..],
            "logs",
            &blocks[5..],
            "no logs among the files of the blocks 0 to 4",
        ),
        (
            ImportFormat::EthereumEtl,
            etl,
            &halves[..],
            "logs",
            &blocks[..10],
            "column logs_bloom: it is not that of the logs",
        ),
        (
            ImportFormat::EthereumEtl,
            etl,
            &halves[..],
            "receipts",
            &blocks[..10],
            "The receipt of transaction 0 of block 10 is in none of the files",
        ),
    ] {
        let folder = cut(write, parts, table, whole);
        let error = import_files(format, folder.path()).await.expect_err(said);
        assert_eq!(error.code, ErrorCode::InvalidInput);
        assert!(error.message.contains(said), "{said}: {error}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn traces_match_transaction_outcomes() {
    let mut failed = traced(3);
    failed[1].traces.as_mut().expect("traces")[0].error = Some("Reverted".to_string());
    let mut succeeded = traced(3);
    for (at, block) in succeeded.iter_mut().enumerate() {
        block.transactions[0].receipt.status = Some(at != 1);
    }
    for (blocks, said) in [
        (failed, "Transaction 0 of block 1 succeeded, but its trace failed."),
        (succeeded, "Transaction 0 of block 1 failed, but its trace did not."),
    ] {
        let folder = tempfile::tempdir().expect("a folder");
        cryo(folder.path(), &blocks);
        let error = import_files(ImportFormat::Cryo, folder.path()).await.expect_err(said);
        assert_eq!(error.message, said);
    }
}
