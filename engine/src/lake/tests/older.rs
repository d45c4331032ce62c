//! Files that an older version wrote.

use parquet::arrow::ArrowWriter;
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;

use super::super::footers::Footers;
use super::super::provider::LakeTable;
use super::*;

#[tokio::test(flavor = "multi_thread")]
async fn columns_that_came_later_are_null() {
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
    let footers = Arc::new(Footers::new(dir.path().to_path_buf(), 1 << 20, 1 << 20));
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
