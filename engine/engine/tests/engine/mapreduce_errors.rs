//! Errors of MAPREDUCE jobs have positions, and their code can't leave its sandbox.

use std::time::Duration;

use quarry_runtime::job::JobRequest;
use quarry_types::ErrorCode;
use serde_json::{Value, json};

use crate::fixture::Home;
use crate::mapreduce::{COUNT, SUM, fails, request, rows, spec, submit};

#[tokio::test]
async fn invalid_fields_are_refused_on_submission() {
    let home = Home::empty();
    for (change, param) in [
        (json!({"result": "table", "tableName": "1a"}), "tableName"),
        (json!({"result": "table"}), "tableName"),
        (json!({"startDate": "soon"}), "startDate"),
        (json!({"startDate": "2024-02-01", "endDate": "2024-01-01"}), "endDate"),
        (json!({"mapper": " "}), "mapper"),
        (json!({"maper": "x"}), "spec"),
    ] {
        let mut spec = spec(COUNT, "(row, emit) => {}", SUM);
        spec.as_object_mut().unwrap().extend(change.as_object().unwrap().clone());
        let error = home.engine.submit(request("refused", spec)).err().unwrap();
        assert_eq!((error.code, error.param), (ErrorCode::InvalidInput, Some(param)), "{error}");
    }
    assert_eq!(
        home.engine.submit(JobRequest { spec: None, ..request("none", Value::Null) }).err().unwrap().param,
        Some("spec")
    );
}

#[tokio::test]
async fn errors_of_drivers_are_explained() {
    let home = Home::chain().await;
    for (at, (driver, says, place)) in [
        ("{input: 'transactions',\n outptu: {}}", "unknown field `outptu`", Some((2, 2))),
        ("{input: 'transactions'}", "missing field `output`", None),
        ("{input: 'transactions', output: {a: 'colour'}}", "can't have type colour", Some((1, 38))),
        ("{input: 'transactions', output: {a: 'int'}, partitions: 99}", "1 to 16", Some((1, 45))),
        ("{input: 'transactions', output: {a: 'int'}, sort: 'sideways'}", "'ascending' or 'descending'", Some((1, 45))),
        ("{input: 'transactionz', output: {a: 'int'}}", "Did you mean transactions", Some((1, 10))),
        ("{input: 'transactions', columns: ['hsh'], output: {a: 'int'}}", "no column hsh", Some((1, 36))),
        ("{input: 'transactions where 1 = 1', output: {a: 'int'}}", "is not a valid table name", Some((1, 10))),
        ("{input: '/etc/passwd', output: {a: 'int'}}", "is not a valid table name", Some((1, 10))),
        ("{input: 'transactions', where: 'value > (', output: {a: 'int'}}", "The input transactions", Some((1, 10))),
        ("5", "the driver must be an object", None),
        ("while (true) {}", "endless loop", Some((1, 1))),
        ("{input: 'transactions', output: {a: 'int'}", "SyntaxError", Some((1, 43))),
    ]
    .into_iter()
    .enumerate()
    {
        let home = Home::with(|config| config.script_time_limit = Duration::from_millis(500));
        let error = fails(&home, &format!("driver-{at}"), spec(driver, "(row, emit) => {}", SUM)).await;
        assert!(error.message.contains(says), "{driver}: {}", error.message);
        assert_eq!(error.param.as_deref(), Some("driver"), "{driver}");
        assert_eq!(error.position.map(|at| (at.line, at.column)), place, "{driver}: {}", error.message);
    }
    drop(home);
}

#[tokio::test]
async fn errors_of_code_have_part_line_and_row() {
    let home = Home::chain().await;
    let throws = "(row, emit) => {\n  if (row.from_address.startsWith('0x0b'))\n    throw new Error('odd one');\n}";
    let mapper = "(row, emit) => row.nobody.x";
    let first = fails(&home, "first", spec(COUNT, mapper, SUM)).await.position.unwrap();
    let second = fails(&home, "second", spec(COUNT, &format!("\n{mapper}"), SUM)).await.position.unwrap();
    assert_eq!((first.line, first.column), (1, second.column), "{second:?}");
    let error = fails(&home, "throws", spec(COUNT, throws, SUM)).await;
    assert_eq!(
        (error.code.as_str(), error.param.as_deref(), error.position.unwrap().line),
        ("invalid_query", Some("mapper"), 3)
    );
    let row = format!("{{\"from_address\":\"0x{}\"}}", "0b".repeat(20));
    assert_eq!(error.message, format!("mapper, line 3: Error: odd one. The row was {row}"));
    let emits = "(row, emit) => emit(row.from_address, 1)";
    let error = fails(&home, "reduces", spec(COUNT, emits, "(key, values, emit) => {\n\n  values.x.y;\n}")).await;
    assert_eq!((error.param.as_deref(), error.position.unwrap().line), (Some("reducer"), 3));
    assert!(error.message.contains("The key was \"0x"), "{}", error.message);
    let error =
        fails(&home, "syntax", spec(COUNT, "const a = 1;\nfunction mapper(row, emit) {\n  return ((a;\n}", SUM)).await;
    assert_eq!((error.code.as_str(), error.position.unwrap().line), ("syntax_error", 3), "{error:?}");
    for (at, (mapper, says)) in [
        ("5", "there is no function here"),
        ("(row, emit) => emit({a: 1}, 1)", "a key must be a string"),
        ("(row, emit) => emit(row.form_address, 1)", "a key is undefined"),
        ("(row, emit) => emit()", "a key is undefined"),
        ("(row, emit) => emit([row.from_address, row.nope], 1)", "a part of a key is undefined"),
        ("(row, emit) => emit('k', new Map())", "plain objects"),
        ("(row, emit) => emit('k', 1, 2)", "the driver has no sort"),
        ("(row, emit) => emit('k', '\\ud800')", "unpaired surrogate"),
        ("(row, emit) => emit('k', 2n ** 600n)", "512 bits"),
        ("(row, emit) => emit('k', 'x'.repeat(2e6))", "1 MB"),
        ("(row, emit) => { const o = {}; o.o = o; emit('k', o) }", "too deep"),
        ("(row, emit) => { for (let i = 0; ; i++) emit(i, 1) }", "more than 1,000,000 pairs"),
        ("(row, emit) => { for (let i = 0; ; i++) count('c' + i) }", "at most 100 counters"),
        ("async (row, emit) => {}", "can't be async"),
        ("(row, emit) => { throw 'text' }", "text was thrown"),
        ("(row, emit) => row.toString()", "not a function"),
    ]
    .into_iter()
    .enumerate()
    {
        let error = fails(&home, &format!("mapper-{at}"), spec(COUNT, mapper, SUM)).await;
        assert!(error.message.contains(says), "{mapper}: {}", error.message);
        assert_eq!(error.param.as_deref(), Some("mapper"), "{mapper}");
    }
}

#[tokio::test]
async fn code_can_not_leave_its_sandbox() {
    let home = Home::with(|config| {
        config.script_time_limit = Duration::from_millis(500);
        config.script_memory_limit = 16 << 20;
    });
    home.attach_numbers(10);
    let driver = "{input: 'numbers', output: {key: 'varchar', n: 'bigint'}}";
    for (at, (code, outcome)) in [
        ("require('fs')", "require is not defined"),
        ("import('fs'); throw 1", "1 was thrown"),
        ("Function('return this')()", "Function is not defined"),
        ("(() => 1).constructor('return this')()", "generated from strings"),
        ("Object.getPrototypeOf(async function* () {}).constructor('')()", "generated from strings"),
        ("eval('1')", "eval is not defined"),
        ("fetch('http://localhost')", "fetch is not defined"),
        ("new Date()", "no clock"),
        ("Date.now()", "not a function"),
        ("setTimeout(() => 1)", "setTimeout is not defined"),
        ("performance.now()", "performance is not defined"),
        ("new Proxy({}, {})", "Proxy is not defined"),
        ("new SharedArrayBuffer(8)", "SharedArrayBuffer is not defined"),
        ("Object.prototype.polluted = 1", "not extensible"),
        ("Array.prototype.map = null", "read-only"),
        ("JSON.parse = null", "read-only"),
        ("params.x = 1", "not extensible"),
        ("'x'.repeat(2 ** 29)", "MB of memory"),
        ("const a = []; while (true) a.push(new Uint8Array(1 << 20))", "MB of memory"),
        ("new Array(4294967295).fill(1)", "at most 10000000 items"),
        ("Array.prototype.slice.call({length: 2 ** 53 - 1})", "at most 10000000 items"),
        ("Array.prototype.forEach.call({length: 2 ** 53 - 1}, () => 1)", "endless loop"),
        ("'a'.repeat(5e6).indexOf('a'.repeat(2e6) + 'b')", "pairs of characters"),
        ("while (true) {}", "endless loop"),
        ("try { while (true) {} } catch { emit('caught', 1) } finally { emit('at last', 1) }", "endless loop"),
        ("/(a+)+$/.test('a'.repeat(40) + 'b')", "endless loop"),
        ("(function f() { f() })()", "stack"),
        ("emit({get a() { while (true) {} }}, 1)", "a key must be"),
        ("emit('k', {get a() { while (true) {} }})", "endless loop"),
        ("emit('k', {get a() { throw new Error('from a getter') }})", "from a getter"),
    ]
    .into_iter()
    .enumerate()
    {
        let mapper = format!("(row, emit) => {{\n  {code};\n  emit('through', 1);\n}}");
        let id = format!("escape-{at}");
        let job = submit(&home, &id, spec(driver, &mapper, SUM)).wait().await;
        let error = job.error.unwrap_or_else(|| panic!("it ran: {code}"));
        assert!(error.message.contains(outcome), "{code}: {}", error.message);
        if outcome == "endless loop" && code.starts_with("while") {
            assert_eq!((error.code.as_str(), error.position.unwrap().line), ("time_limit", 2), "{error:?}");
        }
    }
    // Random numbers depend on the seed.
    let mapper = "(row, emit) => emit(String(Math.random()), 1)";
    let seeded = |seed: u32| format!("{{input: 'numbers', seed: {seed}, output: {{key: 'varchar', n: 'bigint'}}}}");
    let first = rows(&home, "chance-1", spec(&seeded(1), mapper, SUM)).await;
    assert_eq!(first.len(), 10);
    assert_eq!(rows(&home, "chance-2", spec(&seeded(1), mapper, SUM)).await, first);
    assert_ne!(rows(&home, "chance-3", spec(&seeded(2), mapper, SUM)).await, first);
}
