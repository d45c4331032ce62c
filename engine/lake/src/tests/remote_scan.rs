//! Scans that other processes read.

use arrow::array::AsArray;
use arrow::datatypes::Int64Type;
use datafusion::datasource::listing::PartitionedFile;
use datafusion::datasource::physical_plan::{
    FileGroup, FileScanConfig, FileScanConfigBuilder, FileSource, ParquetSource,
};
use datafusion::datasource::source::DataSourceExec;
use datafusion::physical_plan::{ExecutionPlan, common, displayable};

use super::queries::{filled, plan, planned, scan_of};
use super::*;
use crate::remote_scan::{ScanFiles, can_share_out, restore, share_out};

/// The scan of a query.
async fn scan(context: &SessionContext, sql: &str) -> FileScanConfig {
    let scan = scan_of(&plan(context, sql).await);
    scan.data_source().downcast_ref::<FileScanConfig>().unwrap().clone()
}

/// What DataFusion's messages have of a scan. `engine/cluster` tests the messages themselves.
fn received(scan: &FileScanConfig) -> FileScanConfig {
    let source = scan.file_source().downcast_ref::<ParquetSource>().unwrap();
    let mut received = ParquetSource::new(source.table_schema().clone())
        .with_table_parquet_options(source.table_parquet_options().clone());
    if let Some(predicate) = source.filter() {
        received = received.with_predicate(predicate);
    }
    let received = received.try_pushdown_projection(source.projection().unwrap()).unwrap().unwrap();
    let file = |sent: &PartitionedFile| {
        let mut file = PartitionedFile::new("of/the/sender.parquet", sent.object_meta.size);
        file.statistics.clone_from(&sent.statistics);
        file.arrow_schema.clone_from(&sent.arrow_schema);
        file
    };
    let groups = scan.file_groups.iter().map(|group| group.iter().map(file).collect::<FileGroup>());
    FileScanConfigBuilder::new(scan.object_store_url.clone(), received)
        .with_file_groups(groups.collect())
        .with_statistics(scan.statistics())
        .with_limit(scan.limit)
        .with_output_ordering(scan.output_ordering.clone())
        .with_output_partitioning(scan.output_partitioning.clone())
        .with_batch_size(scan.batch_size)
        .build()
}

/// The files of a scan after a message.
fn files(scan: &FileScanConfig) -> ScanFiles {
    let sent = serde_json::to_vec(&ScanFiles::from_scan(scan).unwrap()).unwrap();
    serde_json::from_slice(&sent).unwrap()
}

fn partition_count(scan: &dyn ExecutionPlan) -> usize {
    scan.properties().output_partitioning().partition_count()
}

/// The two numbers in each row of a scan, by partition.
async fn rows_of(scan: &dyn ExecutionPlan) -> Vec<Vec<(i64, i64)>> {
    let tasks = SessionContext::new().task_ctx();
    let mut partitions = Vec::new();
    for partition in 0..partition_count(scan) {
        let mut rows = Vec::new();
        for batch in common::collect(scan.execute(partition, Arc::clone(&tasks)).unwrap()).await.unwrap() {
            let column = |index: usize| batch.column(index).as_primitive::<Int64Type>().values().iter().copied();
            rows.extend(column(0).zip(column(1)));
        }
        partitions.push(rows);
    }
    partitions
}

fn description(scan: &dyn ExecutionPlan) -> String {
    displayable(scan).one_line().to_string()
}

#[tokio::test(flavor = "multi_thread")]
async fn the_same_rows_are_read_of_a_lake_in_another_folder() {
    let dir = tempfile::tempdir().unwrap();
    let [here, there] = ["here", "there"].map(|name| dir.path().join(name));
    let (lake, snapshot) = filled(&here).await;
    let context = session(&lake, &snapshot);
    let mut scans = Vec::new();
    for sql in [
        "select block_number, log_index from logs",
        "select block_number, log_index from logs where block_number between 20 and 150 and log_index > 7",
        "select block_number, log_index from logs where block_number = 57",
        "select block_number, log_index from logs order by block_number desc limit 30",
        "select block_number as n, log_index from logs order by n desc limit 30",
        "select block_number, log_index from logs limit 30",
    ] {
        let scan = DataSourceExec::from_data_source(scan(&context, sql).await);
        scans.push((sql, rows_of(&*scan).await, scan));
    }
    assert!(description(&*scans[3].2).contains("sort_order_for_reorder"), "DataFusion describes a hint otherwise");
    drop((context, snapshot, lake));
    std::fs::rename(&here, &there).unwrap();
    let lake = Lake::open(&there).await.unwrap();
    for (sql, rows, scan) in scans {
        let sent = scan.data_source().downcast_ref::<FileScanConfig>().unwrap();
        let restored = restore(received(sent), &files(sent), &lake.without_catalogue()).unwrap();
        assert_eq!(description(&*restored), description(&*scan).replace("/here/", "/there/"), "{sql}");
        let config = scan_of(&restored).data_source().downcast_ref::<FileScanConfig>().unwrap().clone();
        assert_eq!(ScanFiles::from_scan(&config), ScanFiles::from_scan(sent), "{sql}");
        assert_eq!(rows_of(&*restored).await, rows, "{sql}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn files_that_the_lake_does_not_have_are_refused() {
    let dir = tempfile::tempdir().unwrap();
    let (lake, snapshot) = filled(dir.path()).await;
    let context = session(&lake, &snapshot);
    let logs = scan(&context, "select block_number, log_index from logs").await;
    let sent = serde_json::to_string(&ScanFiles::from_scan(&logs).unwrap()).unwrap();
    for folder in ["../logs", "/logs", "logs/../../logs", "logs/.."] {
        let changed = sent.replace("\"logs/", &format!("\"{folder}/"));
        assert_ne!(changed, sent);
        let changed: ScanFiles = serde_json::from_str(&changed).unwrap();
        assert!(restore(received(&logs), &changed, &lake.without_catalogue()).is_err(), "{folder}");
    }
    let other = scan(&context, "select block_number, log_index from logs where block_number = 57").await;
    assert!(restore(received(&other), &files(&logs), &lake.without_catalogue()).is_err());
    assert!(restore(received(&logs), &files(&other), &lake.without_catalogue()).is_err());
    assert!(ScanFiles::from_scan(&received(&logs)).is_none(), "no files of the lake");
}

/// Shares a scan out, and checks that the tasks read the rows of the scan in its order, and each about as many.
async fn check_shares(scan: &DataSourceExec, tasks: usize) {
    assert!(can_share_out(scan));
    let mut all = rows_of(scan).await.concat();
    all.sort_unstable();
    let shares = share_out(scan, tasks).unwrap().unwrap();
    assert_eq!(shares.len(), tasks);
    let (mut found, mut most) = (Vec::new(), 0);
    for share in shares {
        assert_eq!(partition_count(&*share), partition_count(scan));
        assert_eq!(share.properties().output_ordering(), scan.properties().output_ordering());
        let partitions = rows_of(&*share).await;
        assert!(partitions.iter().all(|rows| rows.is_sorted()));
        let rows = partitions.concat();
        assert_eq!(planned(&share).1.rows, rows.len() as u64);
        most = most.max(rows.len());
        found.extend(rows);
    }
    found.sort_unstable();
    assert_eq!(found, all);
    assert!(most * tasks * 10 <= all.len() * 12, "one of {tasks} tasks reads {most} of {} rows", all.len());
}

#[tokio::test(flavor = "multi_thread")]
async fn tasks_share_the_rows_of_a_scan_evenly() {
    let dir = tempfile::tempdir().unwrap();
    let (lake, snapshot) = filled(dir.path()).await;
    let context = session(&lake, &snapshot);
    let scan = scan_of(&plan(&context, "select block_number, log_index from logs").await);
    for tasks in [1, 2, 3, 5] {
        check_shares(&scan, tasks).await;
    }
    // One row group, which one partition reads.
    let one = scan_of(&plan(&context, "select block_number, log_index from logs where block_number = 57").await);
    assert!(share_out(&one, 2).is_none() && !can_share_out(&one));
}

#[tokio::test(flavor = "multi_thread")]
async fn tasks_share_a_row_group_by_its_pages() {
    let dir = tempfile::tempdir().unwrap();
    let lake = Lake::open(dir.path()).await.unwrap();
    let writer = lake.writer().await.unwrap();
    let mut staging = writer.stage(range(0, 1023));
    // Ten pages.
    staging.write(Table::Transactions, rows(Table::Transactions, range(0, 1023), 20)).await.unwrap();
    let staged = staging.finish().await.unwrap();
    writer.publish(vec![staged], Publish { reason: "test".to_string(), ..Publish::default() }).await.unwrap();
    let context = session(&lake, &lake.snapshot().await.unwrap());
    let scan = scan_of(&plan(&context, "select block_number, transaction_index from transactions").await);
    for tasks in [2, 5] {
        check_shares(&scan, tasks).await;
    }
}
