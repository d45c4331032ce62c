//! MAPREDUCE jobs: results, combiners, order, progress and cancellation.

use std::time::{Duration, Instant};

use quarry_mapreduce::job_file;
use quarry_runtime::job::{JobHandle, JobKind, JobRequest, JobSnapshot, JobState, Schemas};
use quarry_types::ErrorCode;
use serde_json::{Value, json};

use crate::fixture::Home;

pub const SUM: &str =
    "(key, values, emit) => { let sum = 0n; for (const one of values) sum += BigInt(one); emit(key, sum) }";

pub fn request(id: &str, spec: Value) -> JobRequest {
    JobRequest {
        id: id.into(),
        kind: JobKind::MapReduce,
        owner: "ada".into(),
        schemas: Schemas { own: Some("user_ada".into()), ..Schemas::default() },
        spec: Some(spec),
        ..JobRequest::default()
    }
}

pub fn submit(home: &Home, id: &str, spec: Value) -> JobHandle {
    home.engine.submit(request(id, spec)).unwrap()
}

/// A spec with rows as its result.
pub fn spec(driver: &str, mapper: &str, reducer: &str) -> Value {
    json!({"result": "rows", "driver": driver, "mapper": mapper, "reducer": reducer})
}

/// The rows of a job that must succeed, sorted by their text.
pub async fn rows(home: &Home, id: &str, spec: Value) -> Vec<Vec<Value>> {
    let job = submit(home, id, spec.clone()).wait().await;
    assert_eq!(job.error, None, "{spec:#}");
    let mut rows = home.engine.result(id).unwrap().page(0, u64::MAX).unwrap();
    rows.sort_by_key(|row| json!(row).to_string());
    rows
}

pub async fn fails(home: &Home, id: &str, spec: Value) -> quarry_runtime::job::JobError {
    let job: JobSnapshot = submit(home, id, spec.clone()).wait().await;
    assert_eq!(job.state, JobState::Failed, "{spec:#}");
    job.error.unwrap()
}

pub const COUNT: &str = "{input: 'transactions', columns: ['from_address'], output: {sender: 'address', n: 'bigint'}}";

#[tokio::test]
async fn a_second_run_replaces_the_table() {
    let home = Home::chain().await;
    let mut spec = spec(COUNT, "(row, emit) => emit(row.from_address, 1)", SUM);
    spec["result"] = "table".into();
    spec["tableName"] = "Senders".into();
    let expected =
        [[json!(format!("0x{}", "0a".repeat(20))), json!("6")], [json!(format!("0x{}", "0b".repeat(20))), json!("6")]];
    assert_eq!(rows(&home, "first", spec.clone()).await, expected);
    assert_eq!(rows(&home, "second", spec).await, expected);
    let table = home.engine.user_tables().get("user_ada", "senders").unwrap();
    assert_eq!((table.rows, table.columns[0].type_name.as_str()), (2, "address"));
    let read = home.hive("ada", "select sum(n) from senders").await;
    assert_eq!(home.engine.result(&read.id).unwrap().page(0, 1).unwrap(), [[json!("12")]]);
}

#[tokio::test]
async fn a_combiner_reduces_pairs_and_keeps_the_result() {
    let home = Home::chain().await;
    let mut plain = spec(COUNT, "(row, emit) => emit(row.from_address, 1)", SUM);
    let expected = rows(&home, "plain", plain.clone()).await;
    plain["combiner"] = SUM.into();
    let job = submit(&home, "combined", plain.clone());
    job.wait().await;
    let mut found = home.engine.result("combined").unwrap().page(0, 10).unwrap();
    found.sort_by_key(|row| json!(row).to_string());
    assert_eq!(found, expected);
    // 12 pairs of the mapper, and one for each of two keys.
    assert!(job.logs().iter().any(|line| line.text.contains("emitted 14 pairs")), "{:?}", job.logs());
}

#[tokio::test]
async fn values_are_exact_in_the_code() {
    let home = Home::chain().await;
    let driver = "{input: 'token_transfers', columns: ['value', 'to_address', 'block_timestamp', 'block_number', 'standard'],
        where: 'log_index = 3 and block_number = 102',
        output: {value: 'uint256', less: 'int256', to: 'address', at: 'timestamp', block: 'bigint', types: 'varchar', list: 'array(uint256)'}}";
    let mapper = "(row, emit) => {
        const types = Object.keys(row).map((name) => typeof row[name]).join();
        if (row.value !== 2n ** 256n - 1n) throw new Error('rounded: ' + row.value);
        emit(row.value, [row.to_address, row.block_timestamp, row.block_number, types, {deep: [-row.value]}]);
    }";
    let reducer = "(value, rows, emit) => {
        for (const [to, at, block, types, {deep}] of rows)
            emit({value, less: -1n, to, at, block, types, list: [value, 0n]});
    }";
    let largest = "115792089237316195423570985008687907853269984665640564039457584007913129639935";
    let expected = [[
        json!(largest),
        json!("-1"),
        json!(format!("0x{}", "cb".repeat(20))),
        json!("2024-01-01 00:00:24"),
        json!("102"),
        json!("bigint,string,number,bigint,string"),
        json!([largest, "0"]),
    ]];
    assert_eq!(rows(&home, "exact", spec(driver, mapper, reducer)).await, expected);
    for (at, (kind, value)) in [
        ("uint256", "2n ** 256n"),
        ("uint256", "-1n"),
        ("bigint", "2n ** 63n"),
        ("bigint", "1.5"),
        ("bigint", "2 ** 53"),
        ("int", "2147483648"),
        ("address", "'0x00'"),
        ("boolean", "1"),
        ("varchar", "{}"),
        ("timestamp", "'today'"),
        ("array(int)", "['x']"),
    ]
    .into_iter()
    .enumerate()
    {
        let driver = format!("{{input: 'blocks', columns: ['number'], output: {{x: '{kind}'}}}}");
        let reducer = format!("(key, values, emit) => {{\n  emit({{x: {value}}});\n}}");
        let error = fails(&home, &format!("bad-{at}"), spec(&driver, "(row, emit) => emit(1, 1)", &reducer)).await;
        assert_eq!((error.param.as_deref(), error.position.unwrap().line), (Some("reducer"), 2), "{error:?}");
        assert!(error.message.contains(" expects "), "{}", error.message);
    }
}

#[tokio::test]
async fn nulls_are_values_and_keys() {
    let home = Home::chain().await;
    let driver = "{input: 'transactions', columns: ['to_address', 'value'], output: {to: 'address', n: 'int'}}";
    let reducer = "(to, values, emit) => emit(to, [...values].length)";
    let found = rows(&home, "nulls", spec(driver, "(row, emit) => emit(row.to_address, row.value)", reducer)).await;
    assert_eq!(found.len(), 12);
    assert!(found.contains(&vec![Value::Null, json!(1)]), "{found:?}");
}

#[tokio::test]
async fn keys_and_values_are_sorted() {
    let home = Home::chain().await;
    let driver = |sort: &str| {
        format!("{{input: 'transactions', columns: ['from_address', 'value', 'transaction_index'], sort: '{sort}', partitions: 1,
            output: {{key: 'varchar', values: 'varchar'}}}}")
    };
    let mapper = "(row, emit) => emit(row.from_address.slice(0, 4), row.value / 10n ** 18n, row.value)";
    let reducer = "(key, values, emit) => emit(key, values.toArray().join())";
    let up = rows(&home, "up", spec(&driver("ascending"), mapper, reducer)).await;
    assert_eq!(up, [[json!("0x0a"), json!("1,3,5,7,9,11")], [json!("0x0b"), json!("2,4,6,8,10,12")]]);
    let down = rows(&home, "down", spec(&driver("descending"), mapper, reducer)).await;
    assert_eq!(down[0][1], "11,9,7,5,3,1");
    // All types of keys, in their order.
    let mixed = "(row, emit) => { if (row.value === 10n ** 18n) for (const key of
        ['b', 'a', 'a\\u0000b', 2n ** 80n, 10n, -3n, -(2n ** 80n), 1.5, -1, 0, true, false, null, [1, 'x'], [1], []]) emit(key, 1, 0) }";
    let reducer = "(key, values, emit) => emit(JSON.stringify(key, (name, value) => typeof value === 'bigint' ? value + 'n' : value), '')";
    let job = submit(&home, "mixed", spec(&driver("ascending"), mixed, reducer)).wait().await;
    assert_eq!(job.error, None);
    let found = home.engine.result("mixed").unwrap().page(0, 100).unwrap();
    let found: Vec<&str> = found.iter().map(|row| row[0].as_str().unwrap()).collect();
    let expected = [
        "null",
        "false",
        "true",
        "-1",
        "0",
        "1.5",
        "\"-1208925819614629174706176n\"",
        "\"-3n\"",
        "\"10n\"",
        "\"1208925819614629174706176n\"",
        "\"a\"",
        "\"a\\u0000b\"",
        "\"b\"",
        "[]",
        "[1]",
        "[1,\"x\"]",
    ];
    assert_eq!(found, expected);
}

#[tokio::test]
async fn dates_parameters_and_counters_belong_to_the_job() {
    let home = Home::chain().await;
    let driver =
        "(given) => ({input: 'transactions', columns: ['value'], params: {least: 0, name: given.name ?? 'none'},
        output: {name: 'varchar', n: 'int'}})";
    let mapper = "(row, emit) => { count('seen'); count('ether', Number(row.value / 10n ** 18n));
        if (row.value >= BigInt(params.least)) { log('large ' + row.value); emit(params.name, 1) } }";
    let mut spec = spec(driver, mapper, "(name, values, emit) => emit(name, values.toArray().length)");
    spec["startDate"] = "2024-01-01 00:00:12".into();
    spec["endDate"] = "2024-01-01 00:00:23".into();
    let mut request = request("given", spec);
    request.parameters.insert("least".into(), json!("7000000000000000000"));
    request.parameters.insert("name".into(), json!({"type": "text", "value": "x"}));
    let job = home.engine.submit(request).unwrap();
    assert_eq!(job.wait().await.error, None);
    // The second block only: transactions of 5 to 8 ether.
    assert_eq!(home.engine.result("given").unwrap().page(0, 10).unwrap(), [[json!("x"), json!(2)]]);
    let said: Vec<String> = job.logs().into_iter().map(|line| line.text).collect();
    for line in ["seen = 4", "ether = 26", "large 8000000000000000000"] {
        assert!(said.iter().any(|said| said == line), "{line}: {said:?}");
    }
}

#[tokio::test]
async fn log_lines_are_limited() {
    let home = Home::empty();
    home.attach_numbers(1_000);
    let driver = "{input: 'numbers', output: {key: 'varchar', n: 'bigint'}}";
    let mapper = "(row, emit) => log({ toString() { emit('made', 1); return 'a line' } })";
    let job = submit(&home, "lines", spec(driver, mapper, SUM));
    assert_eq!(job.wait().await.error, None);
    let found = home.engine.result("lines").unwrap().page(0, 10).unwrap();
    let made: u64 = found[0][1].as_str().unwrap().parse().unwrap();
    // The last line says that more are omitted; each worker may write one.
    assert!((201..300).contains(&made), "{found:?}");
    assert_eq!(job.logs().iter().filter(|line| line.text == "a line").count(), 200);
}

#[tokio::test]
async fn a_reducer_streams_millions_of_values() {
    let home = Home::with(|config| {
        config.memory_limit = 192 << 20;
        config.query_memory_limit = 192 << 20;
        config.script_memory_limit = 16 << 20;
    });
    home.attach_numbers(1_500_000);
    let driver = "{input: 'numbers', columns: ['id'], batch: true, output: {n: 'bigint', sum: 'bigint'}}";
    let mapper = "(batch, emit) => { for (const id of batch.id) emit('one', id) }";
    let reducer =
        "(key, ids, emit) => { let [n, sum] = [0, 0n]; for (const id of ids) { n++; sum += id } emit(n, sum) }";
    let found = rows(&home, "streamed", spec(driver, mapper, reducer)).await;
    assert_eq!(found, [[json!("1500000"), json!("1124999250000")]]);
    let holds = "(key, ids, emit) => emit([...ids].length, 0)";
    let error = fails(&home, "held", spec(driver, mapper, holds)).await;
    assert_eq!((error.code.as_str(), error.param.as_deref()), ("memory_limit", Some("reducer")), "{error:?}");
}

#[tokio::test]
async fn a_killed_job_stops_and_leaves_no_table() {
    let home = Home::chain().await;
    for (id, mapper, reducer) in [
        ("maps", "(row, emit) => { while (true) {} }", SUM),
        ("reduces", "(row, emit) => emit(1, 1)", "(key, values, emit) => { while (true) {} }"),
        ("emits", "(row, emit) => emit(1, 1)", "(key, values, emit) => { while (true) emit(1, 1) }"),
    ] {
        let mut spec = spec(COUNT.replace("'address'", "'int'").as_str(), mapper, reducer);
        spec["result"] = "table".into();
        spec["tableName"] = "killed".into();
        let job = submit(&home, id, spec);
        let mut changes = job.watch();
        changes.wait_for(|job| job.state.is_final() || job.progress.rows_read > 0).await.unwrap();
        assert_eq!(job.snapshot().state, JobState::Running, "{id}: {:?}", job.snapshot().error);
        let killed = Instant::now();
        job.kill();
        assert_eq!(job.wait().await.state, JobState::Killed, "{id}");
        assert!(killed.elapsed() < Duration::from_secs(2), "{id}: {:?}", killed.elapsed());
        assert!(home.engine.result(id).is_err(), "{id}");
    }
    assert!(home.engine.user_tables().list("user_ada").unwrap().is_empty());
}

#[tokio::test]
async fn progress_rises_and_batch_jobs_have_their_own_queue() {
    let home = Home::with(|config| config.concurrency = 1);
    home.attach_numbers(400_000);
    let driver = "{input: 'numbers', columns: ['bucket'], output: {bucket: 'bigint', n: 'bigint'}}";
    let job = submit(&home, "watched", spec(driver, "(row, emit) => emit(row.bucket, 1)", SUM));
    let mut changes = job.watch();
    changes.wait_for(|job| job.state == JobState::Running).await.unwrap();
    assert_eq!(home.run("select 1").await.state, JobState::Succeeded);
    let mut last = 0.0;
    loop {
        let now = changes.borrow_and_update().clone();
        let percent = now.progress.percent.unwrap_or(last);
        assert!(percent >= last, "{last} then {percent}");
        last = percent;
        if now.state.is_final() {
            assert_eq!(now.error, None);
            break;
        }
        changes.changed().await.unwrap();
    }
    assert_eq!(last, 100.0);
    assert_eq!(job.snapshot().progress.rows_read, 400_000);
    assert_eq!(home.engine.result("watched").unwrap().total(), 1_000);
}

#[tokio::test]
async fn examples_have_the_expected_results() {
    let home = Home::empty();
    let count = |lines: &str, at: &str| {
        let script = format!("create table lines as select explode(array({lines})) as line");
        (script, format!("words-{at}"))
    };
    for (at, (lines, expected)) in [
        ("'Hello World Bye World', 'Hello Hadoop Goodbye Hadoop'", "Bye 1,Goodbye 1,Hadoop 2,Hello 2,World 2"),
        ("'Hello World', 'Hello Hadoop'", "Hadoop 1,Hello 2,World 1"),
    ]
    .into_iter()
    .enumerate()
    {
        let (script, id) = count(lines, &at.to_string());
        assert_eq!(home.hive("ada", &format!("drop table if exists lines; {script}")).await.error, None);
        let driver = "{input: 'lines', output: {word: 'varchar', n: 'int'}, partitions: 1}";
        let mapper = "(row, emit) => { for (const word of row.line.split(' ')) emit(word, 1) }";
        let mut spec = spec(driver, mapper, "(word, ones, emit) => emit(word, ones.reduce((a, b) => a + b, 0))");
        spec["combiner"] = "(word, ones, emit) => emit(word, ones.reduce((a, b) => a + b, 0))".into();
        let found = rows(&home, &id, spec).await;
        let found: Vec<String> = found.iter().map(|row| format!("{} {}", row[0].as_str().unwrap(), row[1])).collect();
        assert_eq!(found.join(","), expected);
    }
    // Every number twice, summed by number: 1 to 500.
    home.attach_numbers(501);
    let driver = "{input: 'numbers', columns: ['id'], where: 'id > 0', output: {id: 'bigint', sum: 'bigint'}}";
    let found =
        rows(&home, "twice", spec(driver, "(row, emit) => { emit(row.id, row.id); emit(row.id, row.id) }", SUM)).await;
    let sum = |from: i64, to: i64| -> i64 {
        let number = |value: &Value| value.as_str().unwrap().parse::<i64>().unwrap();
        found.iter().filter(|row| (from..=to).contains(&number(&row[0]))).map(|row| number(&row[1])).sum()
    };
    assert_eq!((sum(1, 500), sum(4, 4), sum(4, 5), sum(4, 6)), (250_500, 8, 18, 30));
    // Keys that are lists, grouped by their first two items.
    let words = "['a', 'a', 'ab', 'ab', 'abc', 'abd', 'acd', 'd', 'da', 'db', 'dc']";
    let mapper = format!("(row, emit) => {{ for (const word of {words}) emit([...word].slice(0, 2), 1) }}");
    let driver = "{input: 'numbers', where: 'id < 10', output: {key: 'varchar', n: 'int'}}";
    let found = rows(
        &home,
        "lists",
        spec(driver, &mapper, "(key, ones, emit) => emit(key.join(''), ones.reduce((a, b) => a + b, 0))"),
    )
    .await;
    let found: Vec<String> = found.iter().map(|row| format!("{} {}", row[0].as_str().unwrap(), row[1])).collect();
    assert_eq!(found.join(","), "a 20,ab 40,ac 10,d 10,da 10,db 10,dc 10");
}

#[test]
fn a_job_file_has_fields_and_parts() {
    let text = "// tableName: t\n// titleEn: Colons: kept\n\n// ---- driver ----\n{a: 1}\n\n// ---- mapper ----\n// -- no part --\nm\n//----reducer----\nr";
    let file = job_file(text).unwrap();
    assert_eq!(
        file.spec,
        json!({"tableName": "t", "driver": "{a: 1}", "mapper": "// -- no part --\nm", "reducer": "r"})
    );
    assert_eq!(file.notes["titleEn"], "Colons: kept");
    assert_eq!(job_file(" {\"driver\": \"d\"}").unwrap().spec, json!({"driver": "d"}));
    assert_eq!(job_file("{").unwrap_err().code, ErrorCode::Syntax);
    assert_eq!(job_file("(row) => 1").unwrap_err().code, ErrorCode::Syntax);
}
