//! What comes out is what went in, and little more than needed is read.

use std::io::Write;

use arrow::array::AsArray;
use arrow::compute::concat_batches;
use datafusion::datasource::physical_plan::{FileScanConfig, ParquetSource};
use datafusion::datasource::source::DataSourceExec;
use datafusion::physical_plan::statistics::{StatisticsArgs, StatisticsContext};
use datafusion::physical_plan::{ExecutionPlan, collect};
use parquet::basic::Compression;
use parquet::file::metadata::ParquetMetaDataReader;

use super::super::{ColumnFacts, PlannedRead};
use super::*;
use quarry_types::{Error, ErrorCode};

/// A lake with blocks 0 to 199 in several files and row groups.
pub(super) async fn filled(dir: &Path) -> (Lake, Arc<Snapshot>) {
    let lake = Lake::open_with(dir, small()).await.unwrap();
    let writer = lake.writer().await.unwrap();
    publish(&writer, range(0, 199), 20).await.unwrap();
    let snapshot = lake.snapshot().await.unwrap();
    (lake, snapshot)
}

/// All rows of a table in sort order.
async fn read_all(context: &SessionContext, table: Table) -> RecordBatch {
    let order = table.def().sort.join(", ");
    let batches = context.sql(&format!("select * from {} order by {order}", table.name())).await.unwrap();
    concat_batches(&table.schema(), &batches.collect().await.unwrap()).unwrap()
}

/// The scan inside a plan.
pub(super) fn scan_of(plan: &Arc<dyn ExecutionPlan>) -> DataSourceExec {
    if let Some(scan) = plan.downcast_ref::<DataSourceExec>() {
        return scan.clone();
    }
    plan.children().into_iter().map(scan_of).next().expect("a plan with a scan")
}

/// Row groups and rows that the plan's scan is going to read.
pub(super) fn planned(plan: &Arc<dyn ExecutionPlan>) -> (usize, PlannedRead) {
    let scan = scan_of(plan);
    let config = scan.data_source().downcast_ref::<FileScanConfig>().unwrap().clone();
    let files: Vec<_> = config.file_groups.iter().flat_map(|group| group.iter()).collect();
    let sum = files
        .iter()
        .filter_map(|file| file.extension::<PlannedRead>())
        .fold((0, 0), |sum, read| (sum.0 + read.rows, sum.1 + read.bytes));
    (files.len(), PlannedRead { rows: sum.0, bytes: sum.1 })
}

pub(super) async fn plan(context: &SessionContext, sql: &str) -> Arc<dyn ExecutionPlan> {
    context.sql(sql).await.unwrap().create_physical_plan().await.unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn all_columns_round_trip() {
    let dir = tempfile::tempdir().unwrap();
    let (lake, snapshot) = filled(dir.path()).await;
    let context = session(&lake, &snapshot);
    for table in Table::ALL {
        let per_block = if table == Table::Blocks { 1 } else { 20 };
        let parts: Vec<_> = (0..200).step_by(10).map(|from| rows(table, range(from, from + 9), per_block)).collect();
        let expected = concat_batches(&table.schema(), &parts).unwrap();
        assert_eq!(read_all(&context, table).await, expected, "{}", table.name());
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn files_end_at_block_boundaries_and_have_bounds() {
    let dir = tempfile::tempdir().unwrap();
    let (lake, snapshot) = filled(dir.path()).await;
    for table in Table::ALL {
        let files = snapshot.files(table);
        assert!(files.len() > 1 || table == Table::Blocks || table == Table::Withdrawals, "{}", table.name());
        assert_eq!((files[0].min_block, files[files.len() - 1].max_block), (0, 199));
        for pair in files.windows(2) {
            assert_eq!(pair[0].max_block + 1, pair[1].min_block, "{}", table.name());
        }
        for (path, file) in lake.files(table).await.unwrap() {
            assert_eq!(std::fs::metadata(path).unwrap().len(), file.bytes);
            assert_eq!((file.min_time, file.max_time), (block_time(file.min_block), block_time(file.max_block)));
            let facts = &file.columns[table.def().sort[0]];
            assert_eq!((facts.min, facts.max, facts.nulls), (Some(file.min_block), Some(file.max_block), Some(0)));
        }
    }
    let nulls: u64 = snapshot.files(Table::Logs).iter().map(|file| file.columns["topic1"].nulls.unwrap()).sum();
    assert_eq!(nulls, 200 * 20 / 5);
    assert_ne!(snapshot.files(Table::Logs)[0].columns["data"], ColumnFacts::default());
}

#[tokio::test(flavor = "multi_thread")]
async fn incompressible_columns_are_not_compressed() {
    let dir = tempfile::tempdir().unwrap();
    let lake = Lake::open(dir.path()).await.unwrap();
    let writer = lake.writer().await.unwrap();
    let mut small = writer.stage_small(range(0, 9));
    small.write(Table::Transactions, rows(Table::Transactions, range(0, 9), 20)).await.unwrap();
    let staged = vec![stage(&writer, range(10, 19), 20).await.unwrap(), small.finish().await.unwrap()];
    writer.publish(staged, Publish { reason: "test".to_string(), ..Publish::default() }).await.unwrap();
    let files = lake.files(Table::Transactions).await.unwrap();
    assert_eq!(files.len(), 2);
    for (path, _) in files {
        let footer = ParquetMetaDataReader::new().parse_and_finish(&std::fs::File::open(path).unwrap()).unwrap();
        let columns = footer.row_group(0).columns();
        let plain = columns.iter().filter(|column| column.compression() == Compression::UNCOMPRESSED);
        let plain: Vec<String> = plain.map(|column| column.column_path().string()).collect();
        assert_eq!(plain, ["hash", "from_address", "to_address", "block_hash", "r", "s"]);
        for column in columns {
            let expected = match column.column_path().string().as_str() {
                "from_address" | "to_address" | "block_hash" | "nonce" => true,
                "hash" | "input" | "value" | "r" | "s" => false,
                _ => continue,
            };
            assert_eq!(column.dictionary_page_offset().is_some(), expected, "{}", column.column_path());
        }
    }
    let found = read_all(&session(&lake, &lake.snapshot().await.unwrap()), Table::Transactions).await;
    let parts = [(0, 9), (10, 19)].map(|(from, to)| rows(Table::Transactions, range(from, to), 20));
    assert_eq!(found, concat_batches(&Table::Transactions.schema(), &parts).unwrap());
}

#[tokio::test(flavor = "multi_thread")]
async fn counts_and_bounds_come_from_metadata() {
    let dir = tempfile::tempdir().unwrap();
    let (lake, snapshot) = filled(dir.path()).await;
    let context = session(&lake, &snapshot);
    let sql = "select count(*), min(block_number), max(block_timestamp), count(to_address) from transactions";
    let plan = plan(&context, sql).await;
    let shown = datafusion::physical_plan::displayable(plan.as_ref()).indent(false).to_string();
    assert!(!shown.contains("DataSourceExec: file_groups"), "{shown}");
    let batches = collect(plan, context.task_ctx()).await.unwrap();
    let number = |column: usize| {
        let cast = arrow::compute::cast(batches[0].column(column), &DataType::Int64).unwrap();
        cast.as_primitive::<arrow::datatypes::Int64Type>().value(0)
    };
    assert_eq!([number(0), number(1), number(2), number(3)], [4000, 0, block_time(199), 3200]);
}

#[tokio::test(flavor = "multi_thread")]
async fn blocks_and_times_prune_files_and_row_groups() {
    let dir = tempfile::tempdir().unwrap();
    let (lake, snapshot) = filled(dir.path()).await;
    let context = session(&lake, &snapshot);
    let (files, all) = planned(&plan(&context, "select sum(gas) from transactions").await);
    assert_eq!(all.rows, 4000);
    assert!(files >= snapshot.files(Table::Transactions).len());
    for filter in [
        "block_number = 57",
        "block_timestamp = '1970-01-01 00:11:24'",
        "block_number > 56 and block_timestamp < '1970-01-01 00:11:36'",
        "block_number in (57)",
        "block_number between 57 and 57",
    ] {
        let sql = format!("select count(gas), sum(block_number) from transactions where {filter}");
        let plan = plan(&context, &sql).await;
        let (files, read) = planned(&plan);
        assert_eq!(files, 1, "{filter}");
        assert_eq!(read.rows, 100, "{filter}: one row group");
        assert!(read.bytes < all.bytes / 10);
        let batches = collect(plan, context.task_ctx()).await.unwrap();
        assert_eq!(batches[0].column(1).as_primitive::<arrow::datatypes::Int64Type>().value(0), 57 * 20, "{filter}");
    }
    for filter in [
        "date_trunc('minute', block_timestamp) = '1970-01-01 00:11:00'",
        "'1970-01-01 00:11:00' = date_trunc('minute', block_timestamp)",
        "date_trunc('hour', block_timestamp) > '1970-01-01 00:30:00'",
        "cast(block_timestamp as date) > '1970-01-01'",
        "cast(block_timestamp as date) < '1970-01-01'",
    ] {
        let sql = format!("select gas from transactions where {filter}");
        let plan = plan(&context, &sql).await;
        let shown = datafusion::physical_plan::displayable(plan.as_ref()).indent(false).to_string();
        let read = if shown.contains("DataSourceExec") { planned(&plan).1.rows } else { 0 };
        assert!(read < 1200, "{filter} reads {read} of 4000 rows");
        let batches = collect(plan, context.task_ctx()).await.unwrap();
        let rows: usize = batches.iter().map(RecordBatch::num_rows).sum();
        assert_eq!(rows, if filter.contains("minute") { 100 } else { 0 }, "{filter}");
    }
    let none = plan(&context, "select gas from transactions where block_number > 199").await;
    let shown = datafusion::physical_plan::displayable(none.as_ref()).indent(false).to_string();
    assert!(shown.contains("EmptyExec") && !shown.contains("DataSourceExec"), "{shown}");
}

#[tokio::test(flavor = "multi_thread")]
async fn bloom_filters_find_hashes() {
    let dir = tempfile::tempdir().unwrap();
    let (lake, snapshot) = filled(dir.path()).await;
    let context = session(&lake, &snapshot);
    let all = read_all(&context, Table::Transactions).await;
    let hash = hex::encode(all.column_by_name("hash").unwrap().as_fixed_size_binary().value(1234));
    let sql =
        format!("select block_number from transactions where hash = arrow_cast(x'{hash}', 'FixedSizeBinary(32)')");
    let plan = plan(&context, &sql).await;
    let batches = collect(Arc::clone(&plan), context.task_ctx()).await.unwrap();
    let found: Vec<i64> = batches
        .iter()
        .flat_map(|batch| batch.column(0).as_primitive::<arrow::datatypes::Int64Type>().values().to_vec())
        .collect();
    assert_eq!(found, [1234 / 20]);

    let metrics = scan_of(&plan).data_source().metrics().clone_inner();
    let pruned = |name: &str| {
        let metric = metrics.sum_by_name(name).unwrap_or_else(|| panic!("no metric {name}"));
        let datafusion::physical_plan::metrics::MetricValue::PruningMetrics { pruning_metrics, .. } = metric else {
            panic!("{name} is another metric")
        };
        (pruning_metrics.pruned(), pruning_metrics.matched())
    };
    let groups = planned(&plan).1.rows / 100;
    let (gone, left) = pruned("row_groups_pruned_bloom_filter");
    assert!(left <= 3 && gone + left <= groups as usize, "{gone} of {groups} row groups pruned, {left} left");
    assert!(gone >= 10, "{gone} pruned");
}

#[tokio::test(flavor = "multi_thread")]
async fn index_selects_surrounding_rows() {
    let dir = tempfile::tempdir().unwrap();
    let options = LakeOptions { row_group_rows: 1000, index_rows: 10, ..LakeOptions::default() };
    let lake = Lake::open_with(dir.path(), options).await.unwrap();
    let writer = lake.writer().await.unwrap();
    publish(&writer, range(0, 99), 20).await.unwrap();
    publish(&writer, range(100, 199), 20).await.unwrap();
    let context = session(&lake, &lake.snapshot().await.unwrap());
    let all = read_all(&context, Table::Transactions).await;
    let literal = |column: &str, row: usize| {
        let bytes = all.column_by_name(column).unwrap().as_fixed_size_binary();
        format!("arrow_cast(x'{}', 'FixedSizeBinary({})')", hex::encode(bytes.value(row)), bytes.value_length())
    };
    let (hash, from, to) = (literal("hash", 1234), literal("from_address", 77), literal("to_address", 3333));
    let blocks = |rows: &[usize]| rows.iter().map(|row| row / 20).map(|block| block as i64).collect::<Vec<_>>();
    for (filter, expected, most) in [
        (format!("hash = {hash}"), blocks(&[1234]), 10),
        (format!("from_address = {from} or to_address = {to}"), blocks(&[77, 3333]), 20),
        (
            format!("from_address in ({from}, {hash_as_address})", hash_as_address = literal("to_address", 0)),
            blocks(&[77]),
            10,
        ),
        (format!("hash = {hash} and from_address = {from}"), vec![], 0),
        (format!("hash = {hash} and block_number = 61"), blocks(&[1234]), 10),
    ] {
        let sql = format!("select block_number, input, value from transactions where {filter} order by 1");
        let plan = plan(&context, &sql).await;
        let shown = datafusion::physical_plan::displayable(plan.as_ref()).indent(false).to_string();
        let read = if shown.contains("DataSourceExec") { planned(&plan).1.rows } else { 0 };
        assert!(read <= most, "{filter} reads {read} rows");
        let batches = collect(plan, context.task_ctx()).await.unwrap();
        let found = batches
            .iter()
            .flat_map(|batch| batch.column(0).as_primitive::<arrow::datatypes::Int64Type>().values().to_vec());
        assert_eq!(found.collect::<Vec<_>>(), expected, "{filter}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn point_lookups_read_single_pages() {
    let dir = tempfile::tempdir().unwrap();
    let lake = Lake::open(dir.path()).await.unwrap();
    let writer = lake.writer().await.unwrap();
    let mut staging = writer.stage(range(0, 511));
    staging.write(Table::Transactions, rows(Table::Transactions, range(0, 511), 20)).await.unwrap();
    let staged = staging.finish().await.unwrap();
    writer.publish(vec![staged], Publish { reason: "test".to_string(), ..Publish::default() }).await.unwrap();
    let context = session(&lake, &lake.snapshot().await.unwrap());
    let all = read_all(&context, Table::Transactions).await;
    let senders = all.column_by_name("from_address").unwrap().as_fixed_size_binary();
    let literal = |row: usize| format!("arrow_cast(x'{}', 'FixedSizeBinary(20)')", hex::encode(senders.value(row)));
    let (one, two, three) = (literal(77), literal(3000), literal(9001));
    // Of five pages.
    for (filter, kept) in [
        (format!("from_address = {one} or to_address = {one}"), Some(0)),
        (format!("from_address in ({one}, {two}, {three})"), None),
        ("block_number > 3".to_string(), None),
    ] {
        let plan = plan(&context, &format!("select from_address, to_address from transactions where {filter}")).await;
        let scan = scan_of(&plan);
        let config = scan.data_source().downcast_ref::<FileScanConfig>().unwrap();
        let source = config.file_source().downcast_ref::<ParquetSource>().unwrap();
        assert_eq!(source.max_predicate_cache_size(), kept, "{filter}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn rows_come_in_block_order_without_a_sort() {
    let dir = tempfile::tempdir().unwrap();
    let (lake, snapshot) = filled(dir.path()).await;
    let context = session(&lake, &snapshot);
    let plan = plan(&context, "select block_number, log_index, address from logs order by 1, 2").await;
    let shown = datafusion::physical_plan::displayable(plan.as_ref()).indent(false).to_string();
    assert!(!shown.contains("SortExec"), "{shown}");
    let batches = collect(plan, context.task_ctx()).await.unwrap();
    let rows = concat_batches(&batches[0].schema(), &batches).unwrap();
    let column = |index: usize| rows.column(index).as_primitive::<arrow::datatypes::Int64Type>().values().to_vec();
    let keys: Vec<(i64, i64)> = column(0).into_iter().zip(column(1)).collect();
    assert_eq!(keys.len(), 4000);
    assert!(keys.is_sorted());
}

#[tokio::test(flavor = "multi_thread")]
async fn scan_statistics_match_output() {
    let dir = tempfile::tempdir().unwrap();
    let (lake, snapshot) = filled(dir.path()).await;
    let context = session(&lake, &snapshot);
    let bytes = async |sql: &str| {
        let scan = scan_of(&plan(&context, sql).await);
        let statistics = StatisticsContext::new().compute(&scan, &StatisticsArgs::new()).unwrap();
        *statistics.total_byte_size.get_value().unwrap()
    };
    // As they are encoded, which adds little.
    let (one, two) = (
        bytes("select from_address from transactions").await,
        bytes("select from_address, nonce from transactions").await,
    );
    assert!((80_000..82_000).contains(&one) && two > one, "{one} {two}");
    assert!(bytes("select from_address from transactions where block_number = 17").await < one / 10);
}

/// Does something bad to a file.
type Damage = fn(&Path);

#[tokio::test(flavor = "multi_thread")]
async fn damaged_file_does_not_affect_other_tables() {
    let damages: [(&str, Damage); 4] = [
        ("gone", |path| std::fs::remove_file(path).unwrap()),
        ("cut", |path| std::fs::OpenOptions::new().write(true).open(path).unwrap().set_len(1000).unwrap()),
        ("overwritten at the end", |path| overwrite(path, std::fs::metadata(path).unwrap().len() - 300, 300)),
        // Three quarters of the file: where one column ends and the next begins varies with the compression.
        ("overwritten in the middle", |path| {
            overwrite(path, 4, std::fs::metadata(path).unwrap().len() as usize * 3 / 4)
        }),
    ];
    for (damage, apply) in damages {
        let dir = tempfile::tempdir().unwrap();
        let (lake, snapshot) = filled(dir.path()).await;
        let (path, _) = lake.files(Table::Logs).await.unwrap().swap_remove(0);
        apply(&path);
        // A new process: nothing of the file is in memory.
        let lake = Lake::open(dir.path()).await.unwrap();
        let context = session(&lake, &snapshot);
        let failure = match context.sql("select max(data), max(topic0) from logs").await.unwrap().collect().await {
            Ok(_) => panic!("{damage}: nothing noticed"),
            Err(failure) => failure,
        };
        let name = path.file_name().unwrap().to_str().unwrap();
        match Error::within(&failure) {
            Some(error) => {
                assert_eq!(error.code, ErrorCode::DamagedFile);
                let message = &error.message;
                assert!(message.contains(name) && message.contains("logs"), "{damage}: {message}");
                assert!(!message.contains(dir.path().to_str().unwrap()), "{damage} shows the folder: {message}");
            }
            // A decoder that meets garbage doesn't know where it came from.
            None => assert_eq!(damage, "overwritten in the middle"),
        }
        let blocks = number(&context, "select sum(transaction_index) from traces where status > 0").await;
        assert!(blocks.is_ok(), "{damage}: {blocks:?}");
    }
}

fn overwrite(path: &Path, from: u64, length: usize) {
    use std::io::Seek;
    let mut file = std::fs::OpenOptions::new().write(true).open(path).unwrap();
    file.seek(std::io::SeekFrom::Start(from)).unwrap();
    file.write_all(&vec![0xAB; length]).unwrap();
}
