//! Stored results: pages, exports, restarts.

use std::io::Write;

use arrow::array::RecordBatchReader;
use futures::TryStreamExt;
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use quarry_engine::Engine;
use quarry_runtime::EngineConfig;
use quarry_runtime::results::{Format, StoredResult};
use serde_json::json;

use crate::fixture::Home;

async fn export(result: &StoredResult, format: Format) -> Vec<u8> {
    let pieces: Vec<bytes::Bytes> = result.export(format).try_collect().await.unwrap();
    pieces.concat()
}

#[tokio::test]
async fn pages_are_read_from_disk_also_after_a_restart() {
    let home = Home::empty();
    home.attach_numbers(1_000_000);
    let job = home.run("select id, bucket from numbers order by id").await;
    let result = home.engine.result(&job.id).unwrap();
    assert_eq!(result.total(), 1_000_000);
    assert_eq!(result.page(777_777, 2).unwrap(), [[json!("777777"), json!("777")], [json!("777778"), json!("778")]]);
    assert_eq!(result.page(999_999, 50).unwrap().len(), 1);
    assert!(result.page(1_000_000, 50).unwrap().is_empty());
    // A page across two stored batches.
    let page = result.page(8_190, 4).unwrap();
    assert_eq!(page.iter().map(|row| row[0].as_str().unwrap()).collect::<Vec<_>>(), ["8190", "8191", "8192", "8193"]);

    let again = Engine::open(EngineConfig::at(home.dir.path())).unwrap();
    assert_eq!(again.results().unwrap(), std::slice::from_ref(&job.id));
    assert_eq!(again.result(&job.id).unwrap().page(5, 1).unwrap(), [[json!("5"), json!("5")]]);
    again.remove_result(&job.id).unwrap();
    assert_eq!(again.result(&job.id).err().unwrap().code.as_str(), "not_found");
}

#[tokio::test]
async fn pages_have_a_size_limit() {
    let home = Home::empty();
    let job = home.run("select i, repeat('x', 1000) as x from unnest(sequence(1, 10)) t(i) order by i").await;
    let result = home.engine.result(&job.id).unwrap();
    let first = |page: Vec<Vec<serde_json::Value>>| page.iter().map(|row| row[0].clone()).collect::<Vec<_>>();
    assert_eq!(first(result.page_within(0, 10, 2_500).unwrap()), ["1", "2", "3"]);
    assert_eq!(first(result.page_within(3, 10, 1).unwrap()), ["4"]);
    assert_eq!(result.page_within(4, 10, 1 << 20).unwrap().len(), 6);
}

#[tokio::test]
async fn fields_of_structs_keep_their_order() {
    let home = Home::empty();
    let job = home.run("select named_struct('b', 2, 'a', 1) as r").await;
    let page = home.engine.result(&job.id).unwrap().page(0, 1).unwrap();
    assert_eq!(json!(page).to_string(), r#"[[{"b":"2","a":"1"}]]"#);
}

#[tokio::test]
async fn files_of_a_killed_process_are_removed() {
    let home = Home::empty();
    let left = home.dir.path().join("results").join("gone.part");
    let mut file = std::fs::File::create(&left).unwrap();
    file.write_all(b"half").unwrap();
    Engine::open(EngineConfig::at(home.dir.path())).unwrap();
    assert!(left.exists(), "another process may be writing it");
    file.set_modified(std::time::SystemTime::now() - std::time::Duration::from_secs(25 * 3600)).unwrap();
    Engine::open(EngineConfig::at(home.dir.path())).unwrap();
    assert!(!left.exists());
}

#[tokio::test]
async fn exports_are_exact_in_every_format() {
    let home = Home::chain().await;
    let text = "select hash, value, block_timestamp, receipt_status, to_address, '=cmd' as t, -5 as n, value / 1e18 as eth \
                from transactions where transaction_index = 2 order by block_number limit 1";
    let job = home.run(text).await;
    assert_eq!(job.error, None);
    let result = home.engine.result(&job.id).unwrap();
    let hash = format!("0x{}", "f2".repeat(32));

    let csv = String::from_utf8(export(&result, Format::Csv).await).unwrap();
    let row = format!("{hash},3000000000000000000,2024-01-01 00:00:00,1,,\"'=cmd\",-5,3\r\n");
    assert_eq!(csv, format!("hash,value,block_timestamp,receipt_status,to_address,t,n,eth\r\n{row}"));

    let json = String::from_utf8(export(&result, Format::Json).await).unwrap();
    let parsed: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!(parsed[0]["hash"], json!(hash));
    assert_eq!(parsed[0]["to_address"], json!(null));
    assert!(json.contains("\"value\":3000000000000000000,"), "{json}");

    let parquet = export(&result, Format::Parquet).await;
    let reader = ParquetRecordBatchReaderBuilder::try_new(bytes::Bytes::from(parquet)).unwrap().build().unwrap();
    assert_eq!(reader.schema().field(0).name(), "hash");
    assert_eq!(reader.map(|batch| batch.unwrap().num_rows()).sum::<usize>(), 1);

    let arrow = export(&result, Format::Arrow).await;
    let reader = arrow::ipc::reader::FileReader::try_new(std::io::Cursor::new(arrow), None).unwrap();
    assert_eq!(reader.map(|batch| batch.unwrap().num_rows()).sum::<usize>(), 1);
}

#[tokio::test]
async fn numbers_in_lists_and_structs_have_no_exponents() {
    let home = Home::chain().await;
    let text = "select 9007199254740993 as n, array[9007199254740993, null] as a, [[value]] as v, \
                named_struct('n', 9007199254740993, 't', '7', 'h', to_address) as s, cast(null as bigint[]) as none \
                from transactions where transaction_index = 2 order by block_number limit 1";
    let job = home.run(text).await;
    assert_eq!(job.error, None);
    let result = home.engine.result(&job.id).unwrap();
    let json = String::from_utf8(export(&result, Format::Json).await).unwrap();
    let row = r#"{"n":9007199254740993,"a":[9007199254740993,null],"v":[[3000000000000000000]],"s":{"n":9007199254740993,"t":"7","h":null},"none":null}"#;
    assert_eq!(json, format!("[\n{row}\n]\n"));
    let csv = String::from_utf8(export(&result, Format::Csv).await).unwrap();
    let row = r#"9007199254740993,"[9007199254740993,null]",[[3000000000000000000]],"{""n"":9007199254740993,""t"":""7"",""h"":null}","#;
    assert_eq!(csv, format!("n,a,v,s,none\r\n{row}\r\n"));
    // In JSON for browsers, numbers that a browser would round are text.
    assert_eq!(result.page(0, 1).unwrap()[0][1], json!(["9007199254740993", null]));
}

#[tokio::test]
async fn types_have_sql_names() {
    let home = Home::chain().await;
    let text = "select block_number, value, from_address, hash, input, block_timestamp, v, transaction_type = 1 as b, \
                'x' as t, 1.5 as d, cast(1 as double) as f, array[1, 2] as a, access_list from transactions";
    let job = home.run(text).await;
    let result = home.engine.result(&job.id).unwrap();
    let types: Vec<&str> = result.columns().iter().map(|column| column.type_name.as_str()).collect();
    let wanted = [
        "bigint",
        "decimal(38,0)",
        "address",
        "hash",
        "bytes",
        "timestamp",
        "uint256",
        "boolean",
        "varchar",
        "decimal(2,1)",
        "double",
        "array(bigint)",
        "array(struct)",
    ];
    assert_eq!(types, wanted);
}

#[tokio::test]
async fn query_only_types_are_readable_in_files() {
    let home = Home::chain().await;
    let text = "select uint256 '7' as u, array[uint256 '8', null] as l, struct(uint256 '9' as n) as s, map(array['a'], \
                array[int256 '-1']) as m, interval '1 day 2 hours' as i";
    let job = home.run(text).await;
    assert_eq!(job.error, None);
    let file = home.dir.path().join("out.parquet");
    std::fs::write(&file, export(&home.engine.result(&job.id).unwrap(), Format::Parquet).await).unwrap();
    let reader = ParquetRecordBatchReaderBuilder::try_new(std::fs::File::open(&file).unwrap()).unwrap();
    let types =
        reader.schema().fields().iter().map(|field| field.data_type().to_string()).collect::<Vec<_>>().join(" ");
    assert!(!types.contains("FixedSizeBinary(33)") && !types.contains("Interval"), "{types}");
    // Read again, a uint256 is one.
    home.engine.attach("out", &file).unwrap();
    let rows = home.rows("select typeof(u), u + 1, l[1], s['n'], m['a'], i from out").await;
    assert_eq!(rows, [["uint256", "8", "8", "9", "-1", "1 days 2 hours"].map(|cell| json!(cell))]);
}

#[tokio::test]
async fn an_empty_lake_has_the_time_of_the_clock() {
    let home = Home::empty();
    let same = "select localtimestamp = now() and current_timestamp = now() and current_date = cast(now() as date)
        and localtimestamp > timestamp '2020-01-01 00:00:00' as times, localtime = current_time as clocks";
    assert_eq!(json!(home.rows(same).await), json!([[true, true]]));
}
