//! Files that an older version wrote.

use std::time::Duration;

use alloy_primitives::B256;
use arrow::compute::concat_batches;
use parquet::arrow::ArrowWriter;
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use sqlx::sqlite::{SqliteConnectOptions, SqlitePool};

use super::super::file_cache::FileCache;
use super::super::provider::LakeTable;
use super::super::{Compaction, Head, ScrubStep};
use super::*;

#[tokio::test(flavor = "multi_thread")]
async fn new_columns_are_null_in_old_files() {
    const BEFORE: usize = 8;
    let dir = tempfile::tempdir().unwrap();
    let lake = Lake::open_with(dir.path(), small()).await.unwrap();
    publish(&lake.writer().await.unwrap(), range(0, 9), 20).await.unwrap();
    let snapshot = lake.snapshot().await.unwrap();
    let [file] = snapshot.files(Table::Days) else { panic!("one file of one day") };
    let path = dir.path().join(&file.path);
    let reader = ParquetRecordBatchReaderBuilder::try_new(std::fs::File::open(&path).unwrap()).unwrap().build();
    let batch = reader.unwrap().next().unwrap().unwrap().project(&(0..BEFORE).collect::<Vec<_>>()).unwrap();
    let mut writer = ArrowWriter::try_new(std::fs::File::create(&path).unwrap(), batch.schema(), None).unwrap();
    writer.write(&batch).unwrap();
    writer.close().unwrap();

    let mut older = file.clone();
    older.bytes = std::fs::metadata(&path).unwrap().len();
    let held = batch.schema().fields().iter().map(|field| field.name().clone()).collect::<Vec<_>>();
    older.columns =
        Arc::new(file.columns.as_ref().clone().into_iter().filter(|(name, _)| held.contains(name)).collect());
    older.checksums = None;
    older.statistics = Arc::default();
    let footers = Arc::new(FileCache::new(dir.path().to_path_buf(), 1 << 20, 1 << 20));
    let context = SessionContext::new();
    context.register_table("days", Arc::new(LakeTable::new(Table::Days, [older].into(), footers))).unwrap();
    for (question, answer) in [
        ("select sum(transactions) from days", 200),
        ("select count(*) - count(addresses) from days", 1),
        ("select count(*) from days where senders is null and transactions > 0", 1),
        ("select count(*) from days where receivers > 0", 0),
    ] {
        assert_eq!(number(&context, question).await.unwrap(), answer, "{question}");
    }
}

/// Rewrites a file as older versions did: with fixed-size items in lists, and without an index or checksums.
async fn write_as_before(dir: &Path, file: &str, table: Table) {
    let path = dir.join(file);
    let reader = ParquetRecordBatchReaderBuilder::try_new(std::fs::File::open(&path).unwrap()).unwrap().build();
    let rows: Vec<RecordBatch> = reader.unwrap().map(|batch| table.read_rows(&batch.unwrap()).unwrap()).collect();
    let mut writer = ArrowWriter::try_new(std::fs::File::create(&path).unwrap(), table.schema(), None).unwrap();
    rows.iter().for_each(|batch| writer.write(batch).unwrap());
    writer.close().unwrap();
    let bytes = std::fs::metadata(&path).unwrap().len().cast_signed();
    let catalogue = SqliteConnectOptions::new().filename(dir.join("catalogue.sqlite"));
    let pool = SqlitePool::connect_with(catalogue).await.unwrap();
    let change = "update files set bytes = ?, checksum = null, tail_from = null, tail_checksum = null, row_checksum = null \
                  where path = ?";
    sqlx::query(change).bind(bytes).bind(file).execute(&pool).await.unwrap();
    pool.close().await;
}

/// The type of a column in each file of a table, in block order.
async fn types(lake: &Lake, table: Table, column: &str) -> Vec<String> {
    let of_file = |path: &Path| {
        let reader = ParquetRecordBatchReaderBuilder::try_new(std::fs::File::open(path).unwrap()).unwrap();
        reader.schema().field_with_name(column).unwrap().data_type().to_string()
    };
    lake.files(table).await.unwrap().iter().map(|(path, _)| of_file(path)).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn old_fixed_width_lists_are_readable() {
    let dir = tempfile::tempdir().unwrap();
    let options = LakeOptions { row_group_rows: 100, ..LakeOptions::default() };
    let lake = Lake::open_with(dir.path(), options.clone()).await.unwrap();
    let writer = lake.writer().await.unwrap();
    for from in [0, 10] {
        let staged = stage(&writer, range(from, from + 9), 20).await.unwrap();
        let head = Head { number: from + 9, hash: B256::repeat_byte(from as u8), time: block_time(from + 9) };
        let publish =
            Publish { head: Some(head), finalized: Some(19), reason: "test".to_string(), ..Publish::default() };
        writer.publish(vec![staged], publish).await.unwrap();
    }
    drop(writer);
    let rows = async |lake: &Lake| {
        let context = session(lake, &lake.snapshot().await.unwrap());
        let all = "select * from transactions order by block_number, transaction_index";
        let batches = context.sql(all).await.unwrap().collect().await.unwrap();
        concat_batches(&Table::Transactions.schema(), &batches).unwrap()
    };
    let before = rows(&lake).await;
    let older = lake.snapshot().await.unwrap().files(Table::Transactions)[0].path.clone();
    drop(lake);
    write_as_before(dir.path(), &older, Table::Transactions).await;

    let lake = Lake::open_with(dir.path(), options).await.unwrap();
    let held = types(&lake, Table::Transactions, "blob_versioned_hashes").await;
    assert!(held[0].contains("FixedSizeBinary(32)") && !held[1].contains("FixedSizeBinary"), "{held:?}");
    assert_eq!(rows(&lake).await, before);
    let context = session(&lake, &lake.snapshot().await.unwrap());
    let first = "select count(*) from transactions where blob_versioned_hashes[1] = \
                 (select max(blob_versioned_hashes[1]) from transactions where block_number = 3)";
    assert_eq!(number(&context, first).await.unwrap(), 1);
    while lake.scrub(Some(Duration::from_secs(86_400)), |_| true).await.unwrap() == ScrubStep::Read {}
    assert!(lake.status().await.unwrap().scrub.damaged.is_empty());

    lake.writer().await.unwrap().compact(Compaction::Everything, |_| {}).await.unwrap();
    let held = types(&lake, Table::Transactions, "blob_versioned_hashes").await;
    assert!(held.len() == 1 && !held[0].contains("FixedSizeBinary"), "{held:?}");
    assert_eq!(rows(&lake).await, before);
}

#[test]
fn lists_have_no_fixed_width_items() {
    fn check(field: &Field, inside: bool) {
        match field.data_type() {
            DataType::FixedSizeBinary(_) => assert!(!inside, "{field}"),
            DataType::List(item) => check(item, true),
            DataType::Struct(fields) => fields.iter().for_each(|field| check(field, false)),
            _ => {}
        }
    }
    for table in Table::ALL.into_iter().chain(Table::DERIVED) {
        table.file_schema().fields().iter().for_each(|field| check(field, false));
    }
}
