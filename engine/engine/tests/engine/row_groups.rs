//! Scans skip only row groups that a query does not need.

use datafusion::prelude::{ParquetReadOptions, SessionConfig, SessionContext};
use serde_json::json;

use crate::fixture::Home;

#[tokio::test]
async fn top_rows_come_from_partly_matching_row_groups_too() {
    // Of three rows each: blocks 100 to 102 have four.
    let home = Home::chain_in_row_groups(3).await;
    for (query, first) in [
        ("where block_number >= 101 order by block_number, transaction_index limit 1", json!([["101", "0"]])),
        (
            "where block_number > 101 order by block_number, transaction_index limit 2",
            json!([["102", "0"], ["102", "1"]]),
        ),
        ("where transaction_index > 1 order by block_number, transaction_index limit 1", json!([["100", "2"]])),
        ("where block_number <= 101 order by block_number desc, transaction_index desc limit 1", json!([["101", "3"]])),
        ("where block_number >= 101 order by 1, 2 limit 1 offset 1", json!([["101", "1"]])),
    ] {
        let rows = home.rows(&format!("select block_number, transaction_index from transactions {query}")).await;
        assert_eq!(json!(rows), first, "{query}");
    }
    let inside = "select count(*), min(block_number) from (select block_number from transactions
        where block_timestamp > timestamp '2024-01-01 00:00:10' order by block_number limit 3)";
    assert_eq!(home.rows(inside).await, [["3", "101"]]);
    let ranked = "select block_number, row_number() over (order by block_number, transaction_index) from transactions
        where block_number >= 101 limit 1";
    assert_eq!(home.rows(ranked).await, [["101", "1"]]);
    let counted =
        "select block_number, count(*) over (), sum(transaction_index) over (partition by 1) from transactions";
    for (query, first) in [
        (format!("{counted} order by block_number, transaction_index limit 1"), json!([["100", "12", "18"]])),
        (format!("{counted} where block_number > 100 order by 1 limit 1"), json!([["101", "8", "12"]])),
        (format!("{counted} order by block_number limit 1 offset 5"), json!([["101", "12", "18"]])),
        (
            "select block_number, count(*) over () from (select distinct block_number from transactions) order by 1 limit 1"
                .to_string(),
            json!([["100", "3"]]),
        ),
    ] {
        assert_eq!(json!(home.rows(&query).await), first, "{query}");
    }
}

#[tokio::test]
async fn joins_on_lists_with_null_items_keep_their_rows() {
    // In two partitions the join filters its larger side by the lists of the smaller one.
    let home = Home::chain_in_row_groups(3).await;
    let lists = "select array[nullif(block_number, 100)] from transactions";
    for (query, count) in [
        (format!("{lists} intersect all select array[101] from transactions"), "4"),
        (format!("{lists} except all select array[101] from transactions where block_number = 100"), "8"),
    ] {
        assert_eq!(home.rows(&format!("select count(*) from ({query}) as r")).await, [[count]], "{query}");
    }
}

#[tokio::test]
async fn minimums_are_over_all_row_groups() {
    let home = Home::chain_in_row_groups(3).await;
    let query = "select min(block_number), min(-transaction_index) from transactions";
    // The filter from aggregates drops rows depending on the timing of threads, so one run is not enough.
    for _ in 0..10 {
        assert_eq!(home.rows(query).await, [["100", "-3"]]);
    }
}

/// When this fails, <https://github.com/apache/datafusion/issues/24816> is fixed. Once
/// <https://github.com/apache/datafusion/issues/25147> is fixed too, the setting in `quarry_sql::session_states` can go.
#[tokio::test]
async fn the_stock_filter_from_aggregates_still_drops_rows() {
    let folder = tempfile::tempdir().unwrap();
    let mut config = SessionConfig::new().with_target_partitions(2).with_batch_size(2);
    config.options_mut().execution.parquet.pushdown_filters = true;
    let context = SessionContext::new_with_config(config);
    let files = ["(1, 5), (2, 5), (3, 4), (4, 5)", "(9, 9)"];
    for (at, rows) in files.into_iter().enumerate() {
        let path = folder.path().join(format!("{at}.parquet"));
        let query = format!("values {rows} order by 1");
        let copy = format!("copy ({query}) to '{}' options (max_row_group_size 2)", path.display());
        context.sql(&copy).await.unwrap().collect().await.unwrap();
    }
    let path = folder.path().to_str().unwrap();
    context.register_parquet("t", path, ParquetReadOptions::default()).await.unwrap();
    let query = "select min(column1) as a, min(column2 + 0) as b from t";
    let batches = context.sql(query).await.unwrap().collect().await.unwrap();
    let rows = arrow::util::pretty::pretty_format_batches(&batches).unwrap().to_string();
    assert!(rows.contains('5'), "DataFusion finds the smallest value now:\n{rows}");
}

#[tokio::test]
async fn nan_and_negative_zero_are_found_in_files() {
    let home = Home::empty();
    let path = home.dir.path().join("doubles.parquet");
    let context = SessionContext::new();
    let rows = "(1.5), (2.5), (-0.0), (cast('nan' as double))";
    let copy = format!(
        "copy (select cast(column1 as double) as x from (values {rows})) to '{}' options ('bloom_filter_on_write' 'true')",
        path.display()
    );
    context.sql(&copy).await.unwrap().collect().await.unwrap();
    home.engine.attach("doubles", &path).unwrap();
    for (condition, rows) in [
        ("x > 2", "2"),
        ("x > 3", "1"),
        ("x = cast('nan' as double)", "1"),
        ("x = 0", "1"),
        ("x in (0.0, 7.0)", "1"),
        ("x < 0.5", "1"),
        ("x >= 0.0", "4"),
    ] {
        assert_eq!(
            home.rows(&format!("select count(*) from doubles where {condition}")).await,
            [[rows]],
            "{condition}"
        );
    }
    let joined = "select count(*) from doubles a join (values (cast(0 as double)), (9)) b(y) on a.x = b.y";
    assert_eq!(home.rows(joined).await, [["1"]]);
    assert_eq!(home.rows("select max(x) from doubles").await, [["NaN"]]);
}

/// When this fails, <https://github.com/apache/datafusion/issues/15812> is fixed, and conditions on doubles may be pushed into scans
/// (`quarry_planner::workarounds::filter_pushdown`).
#[tokio::test]
async fn the_stock_scan_still_misses_nan() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("t.parquet");
    let context = SessionContext::new();
    let rows = "select cast(column1 as double) as x from (values (1.5), (cast('nan' as double)))";
    context.sql(&format!("copy ({rows}) to '{}'", path.display())).await.unwrap().collect().await.unwrap();
    context.register_parquet("t", path.to_str().unwrap(), ParquetReadOptions::default()).await.unwrap();
    let batches = context.sql("select * from t where x > 3").await.unwrap().collect().await.unwrap();
    let rows: usize = batches.iter().map(|batch| batch.num_rows()).sum();
    assert_eq!(rows, 0, "NaN is greater than every number, and the scan finds it now");
}
