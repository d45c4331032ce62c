//! The five kinds of jobs in one suite: whatever a kind does inside, its jobs are refused, watched, logged, kept from others,
//! killed, limited and remembered alike. A kind is a row of the table below: a quick job, one that runs until it is stopped,
//! and one that is wrong.

use std::time::{Duration, Instant};

use quarry::app::AppOptions;
use quarry::jobs::model::Kind;
use quarry_lake::tables::Table;
use quarry_lake::{BlockRange, Head, Lake, Origin, Publish};
use quarry_runtime::EngineConfig;
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::harness::{ENDLESS, SOON, Server, text};

/// How soon a kill has to take effect.
const KILLED_WITHIN: Duration = Duration::from_secs(2);
/// Transactions between two of the three accounts of the chain; their rings are more than anybody can count.
const ROUNDS: usize = 6_000;
/// 2024-01-01 00:00:00 UTC in microseconds.
const START: i64 = 1_704_067_200_000_000;

/// What is said of a job that is wrong.
enum Wrong {
    /// The call is refused, naming the field.
    Refused(&'static str),
    /// The job fails with a code at a line of its text.
    Fails(&'static str, i64),
    /// The job fails with a code in a part of its spec, at a line of it.
    FailsIn(&'static str, &'static str, i64),
}

struct Sample {
    kind: Kind,
    quick: Value,
    /// Rows of the quick job.
    rows: i64,
    endless: Value,
    wrong: Value,
    says: Wrong,
    /// A job that needs more memory than `MEMORY`.
    greedy: Value,
}

/// Memory of one query where that is short, in bytes.
const MEMORY: usize = 1 << 20;
/// Memory of the code of a MAPREDUCE job there, in bytes.
const SCRIPT_MEMORY: usize = 4 << 20;

fn map_reduce(mapper: &str) -> Value {
    let spec = json!({
        "tableName": "",
        "result": "rows",
        "driver": "{input: 'transactions', columns: ['transaction_index'], output: {key: 'bigint', n: 'bigint'}}",
        "mapper": format!("(row, emit) => {{\n  {mapper};\n}}"),
        "reducer": "(key, ones, emit) => emit(key, ones.reduce((a, b) => a + b, 0))",
    });
    json!({"kind": "MAPREDUCE", "spec": spec})
}

fn samples() -> [Sample; 5] {
    let of = |kind: &str, text: &str| json!({"kind": kind, "text": text});
    let label = |spec: Value| json!({"kind": "LABEL", "spec": spec});
    let nine = "(select explode(array(1, 2, 3, 4, 5, 6, 7, 8, 9)) as x)";
    let product = (0..14).map(|at| format!("{nine} v{at}")).collect::<Vec<_>>().join(" join ");
    let ring = label(json!({"label": "circular-flow", "parameters": {"rounds": "2"}}));
    [
        Sample {
            kind: Kind::Sql,
            quick: of("SQL", "select x from generate_series(1, 5000) t(x)"),
            rows: 5_000,
            endless: of("SQL", ENDLESS),
            wrong: of("SQL", "select 1\nfrom blocks where )"),
            says: Wrong::Fails("syntax_error", 2),
            greedy: of("SQL", "select array_agg(cast(x as varchar)) from generate_series(1, 5000000) t(x)"),
        },
        Sample {
            kind: Kind::Hive,
            quick: of("HIVE", "select hash from transactions limit 5000"),
            rows: 5_000,
            endless: of("HIVE", &format!("select sum(v0.x) from {product}")),
            wrong: of("HIVE", "select 1;\nselect nothing from blocks"),
            says: Wrong::Fails("unknown_column", 2),
            greedy: of(
                "HIVE",
                &format!(
                    "select collect_list(concat(t.hash, x, y, z)) from transactions t join {nine} a join (select explode(array(1, 2, 3, 4, 5, 6, 7, 8, 9)) as y) b join (select explode(array(1, 2, 3, 4, 5, 6, 7, 8, 9)) as z) c"
                ),
            ),
        },
        Sample {
            kind: Kind::Graph,
            quick: of("GRAPH", "UNWIND range(1, 5000) AS x RETURN x"),
            rows: 5_000,
            endless: of("GRAPH", "UNWIND range(1, 1000000) AS a UNWIND range(1, 1000000) AS b RETURN count(*)"),
            wrong: of("GRAPH", "MATCH (n)\nDELETE n"),
            says: Wrong::Fails("not_allowed", 2),
            greedy: of("GRAPH", "UNWIND range(1, 3000000) AS x RETURN size(collect(toString(x)))"),
        },
        Sample {
            kind: Kind::MapReduce,
            quick: map_reduce("emit(row.transaction_index % 5000n, 1)"),
            rows: 5_000,
            // So slow that it does not come to the most pairs that one call may emit.
            endless: map_reduce("while (true) { for (let i = 0; i < 10000; i++); emit(1, 1); }"),
            wrong: map_reduce("row.x.y"),
            says: Wrong::FailsIn("invalid_query", "mapper", 2),
            greedy: map_reduce("const a = []; while (true) a.push('x'.repeat(1000) + a.length)"),
        },
        Sample {
            kind: Kind::Label,
            quick: label(json!({"label": "account-kind"})),
            rows: 3,
            endless: ring.clone(),
            wrong: label(json!({"label": "no-such-label"})),
            says: Wrong::Refused("label"),
            greedy: ring,
        },
    ]
}

/// A home whose chain is one block in which three accounts send the same money round and round.
async fn home() -> TempDir {
    let home = tempfile::tempdir().unwrap();
    let lake = Lake::open(&home.path().join("lake")).await.unwrap();
    let writer = lake.writer().await.unwrap();
    writer.claim(1, Origin::Sample).await.unwrap();
    let mut staging = writer.stage(BlockRange::new(1, 1).unwrap());
    let time = "2024-01-01T00:00:00Z";
    let block = json!({"number": 1, "timestamp": time, "transaction_count": 3 * ROUNDS});
    staging.write(Table::Blocks, batch(Table::Blocks, &[block])).await.unwrap();
    let account = |at: usize| format!("{:040x}", at % 3 + 1);
    let transaction = |at: usize| {
        json!({
            "block_number": 1, "block_timestamp": time, "transaction_index": at, "hash": format!("{:064x}", at + 1),
            "from_address": account(at), "to_address": account(at + 1), "value": "1000000000000000000",
            "receipt_status": 1,
        })
    };
    let transactions: Vec<Value> = (0..3 * ROUNDS).map(transaction).collect();
    staging.write(Table::Transactions, batch(Table::Transactions, &transactions)).await.unwrap();
    let staged = staging.finish().await.unwrap();
    let head = Head { number: 1, hash: [1; 32].into(), time: START };
    let publish = Publish { head: Some(head), reason: "test".to_string(), ..Publish::default() };
    writer.publish(vec![staged], publish).await.unwrap();
    home
}

/// Rows of a table; what is not said is null, or zero where there is no null.
fn batch(table: Table, rows: &[Value]) -> arrow::array::RecordBatch {
    use arrow::datatypes::DataType;
    let schema = table.schema();
    let mut lines = String::new();
    for row in rows {
        let mut row = row.clone();
        for field in schema.fields().iter().filter(|field| !field.is_nullable()) {
            let zero = match field.data_type() {
                DataType::FixedSizeBinary(width) => json!("00".repeat(usize::try_from(*width).unwrap())),
                DataType::Binary | DataType::Utf8 | DataType::Utf8View => json!(""),
                DataType::Boolean => json!(false),
                DataType::List(_) => json!([]),
                _ => json!(0),
            };
            let given = row.as_object_mut().unwrap();
            given.entry(field.name().as_str()).or_insert(zero);
        }
        lines.push_str(&row.to_string());
        lines.push('\n');
    }
    let reader = arrow::json::ReaderBuilder::new(schema.clone()).with_batch_size(rows.len());
    reader.build(lines.as_bytes()).unwrap().next().unwrap().unwrap()
}

/// A server on a home with these settings of the engine.
async fn serve(home: TempDir, change: impl FnOnce(&mut EngineConfig)) -> Server {
    Server::tuned(home, AppOptions::default(), |config| {
        // Three of one owner run, and a place stays for others.
        (config.threads, config.batch_concurrency) = (2, 4);
        change(config);
    })
    .await
}

/// Stops a server as its process would, and gives its home back.
async fn stop(server: Server) -> TempDir {
    server.app.close().await;
    server.app.db.close().await;
    server.home
}

async fn start(server: &Server, token: &str, job: &Value) -> String {
    text(&server.post("/api/query/execute", Some(token), job.clone()).await.data()["jobId"])
}

async fn kill(server: &Server, token: &str, id: &str) {
    server.post(&format!("/api/job/{id}/kill"), Some(token), Value::Null).await.data();
    server.wait_for(token, id, "KILLED").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn every_kind_lives_alike() {
    let server = serve(home().await, |_| {}).await;
    let (ada, eve) = (server.register("ada").await, server.register("eve").await);
    for sample in samples() {
        refused(&server, &ada, &sample).await;
        let done = watched(&server, &ada, &sample).await;
        foreign(&server, &eve, &sample, &done).await;
        killed(&server, &ada, &sample).await;
    }
    remembered(server, &ada).await;
}

/// What is wrong is said with a code and its place.
async fn refused(server: &Server, token: &str, sample: &Sample) {
    let kind = sample.kind.name();
    let (code, param, line) = match sample.says {
        Wrong::Refused(param) => {
            let answer = server.post("/api/query/execute", Some(token), sample.wrong.clone()).await;
            assert_eq!(answer.failure(400, "invalid_input")["param"], param, "{kind}");
            return;
        }
        Wrong::Fails(code, line) => (code, None, line),
        Wrong::FailsIn(code, param, line) => (code, Some(param), line),
    };
    let id = start(server, token, &sample.wrong).await;
    let job = server.wait_for(token, &id, "FAILED").await;
    assert_eq!((&job["code"], &job["position"]["line"]), (&json!(code), &json!(line)), "{job}");
    assert_eq!(job["param"].as_str(), param, "{job}");
    assert!(job["position"]["column"].as_i64() > Some(0) && job["message"].as_str() > Some(""), "{job}");
    server.get(&format!("/api/job/{id}/result"), Some(token)).await.failure(409, "job_failed");
}

/// A quick job's progress never goes back and ends at 100; it leaves rows and log lines.
async fn watched(server: &Server, token: &str, sample: &Sample) -> String {
    let kind = sample.kind.name();
    let id = start(server, token, &sample.quick).await;
    let (began, mut last) = (Instant::now(), 0.0);
    let job = loop {
        let job = server.get(&format!("/api/job/{id}"), Some(token)).await.data();
        let progress = job["progress"].as_f64().unwrap_or(0.0);
        assert!(progress >= last && progress <= 100.0, "{kind}: {last} before {job}");
        last = progress;
        if !["QUEUED", "RUNNING"].contains(&job["state"].as_str().unwrap()) {
            break job;
        }
        assert!(began.elapsed() < SOON, "{kind} is not done: {job}");
        tokio::task::yield_now().await;
    };
    assert_eq!(
        (&job["state"], &job["progress"], &job["kind"]),
        (&json!("SUCCEEDED"), &json!(100.0), &json!(kind)),
        "{job}"
    );
    assert_eq!(job["rows"], sample.rows, "{job}");
    assert!(!log(server, token, &id).await.is_empty(), "{kind} says what it does");
    let page = server.get(&format!("/api/job/{id}/result?limit=2"), Some(token)).await.data();
    assert_eq!((&page["total"], page["rows"].as_array().unwrap().len()), (&json!(sample.rows), 2), "{page}");
    id
}

/// To others a job is not there.
async fn foreign(server: &Server, eve: &str, sample: &Sample, id: &str) {
    for path in ["", "/result", "/log", "/graph", "/download?format=csv"] {
        server.get(&format!("/api/job/{id}{path}"), Some(eve)).await.failure(404, "not_found");
        server.get(&format!("/api/job/{id}{path}"), None).await.failure(401, "unauthenticated");
    }
    server.post(&format!("/api/job/{id}/kill"), Some(eve), Value::Null).await.failure(404, "not_found");
    let ticket = json!({"purpose": "download", "jobId": id});
    server.post("/api/file/ticket", Some(eve), ticket).await.failure(404, "not_found");
    let path = format!("/api/job/list?kind={}", sample.kind.name());
    assert_eq!(server.get(&path, Some(eve)).await.data()["total"], 0);
}

/// Seconds of processor time that this process has used.
fn cpu_seconds() -> f64 {
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap();
    let fields: Vec<f64> =
        stat.rsplit(") ").next().unwrap().split(' ').skip(11).take(2).map(|field| field.parse().unwrap()).collect();
    fields.iter().sum::<f64>() / 100.0
}

/// A kill ends a job soon, and its work with it.
async fn killed(server: &Server, token: &str, sample: &Sample) {
    let kind = sample.kind.name();
    let id = start(server, token, &sample.endless).await;
    server.wait_for(token, &id, "RUNNING").await;
    server.get(&format!("/api/job/{id}/result"), Some(token)).await.failure(409, "job_running");
    let asked = Instant::now();
    kill(server, token, &id).await;
    assert!(asked.elapsed() < KILLED_WITHIN, "{kind} ended {:?} after the kill", asked.elapsed());
    server.get(&format!("/api/job/{id}/result"), Some(token)).await.failure(409, "job_killed");
    // Nothing computes any more: a tick of the clock passes without processor time.
    let mut ticks = tokio::time::interval(Duration::from_millis(100));
    let mut before = f64::NEG_INFINITY;
    while cpu_seconds() - before > 0.03 {
        assert!(asked.elapsed() < SOON, "{kind} still computes after the kill");
        before = cpu_seconds();
        ticks.tick().await;
        ticks.tick().await;
    }
}

/// After a restart a finished job has its result and its log, and one that ran has failed, with the reason and what it said.
async fn remembered(server: Server, token: &str) {
    let mut jobs = Vec::new();
    for sample in samples() {
        let done = start(&server, token, &sample.quick).await;
        server.wait_for(token, &done, "SUCCEEDED").await;
        let said = log(&server, token, &done).await;
        jobs.push((sample, done, said));
    }
    let mut cut = Vec::new();
    for (sample, ..) in &jobs {
        let id = start(&server, token, &sample.endless).await;
        server.wait_for(token, &id, "RUNNING").await;
        let said = log(&server, token, &id).await;
        cut.push((id, said));
    }
    let database = server.app.db.clone();
    server.app.close().await;
    // What a power cut leaves: rows that say the jobs run.
    for (id, _) in &cut {
        let statement = "update jobs set state = 'RUNNING', error_code = null, message = '' where id = $1";
        sqlx::query(statement).bind(id).execute(database.pool()).await.unwrap();
    }
    let server = serve(stop(server).await, |_| {}).await;
    for ((sample, done, said), (cut, last_words)) in jobs.iter().zip(&cut) {
        let job = server.wait_for(token, cut, "FAILED").await;
        assert_eq!((&job["code"], &job["kind"]), (&json!("server_stopped"), &json!(sample.kind.name())), "{job}");
        assert!(job["message"].as_str().unwrap().contains("stopped"), "{job}");
        assert_eq!(server.wait_for(token, done, "SUCCEEDED").await["rows"], sample.rows);
        let page = server.get(&format!("/api/job/{done}/result"), Some(token)).await.data();
        assert_eq!(page["total"], sample.rows, "{page}");
        assert_eq!(&log(&server, token, done).await, said, "{}", sample.kind.name());
        assert!(log(&server, token, cut).await.starts_with(last_words), "{}", sample.kind.name());
    }
}

/// What a job says that it did.
async fn log(server: &Server, token: &str, id: &str) -> Vec<Value> {
    let log = server.get(&format!("/api/job/{id}/log"), Some(token)).await.data();
    log["lines"].as_array().unwrap().clone()
}

#[tokio::test(flavor = "multi_thread")]
async fn every_kind_keeps_the_limits() {
    let home = home().await;
    // One place for each kind, and for all batch jobs: who comes second waits, and owners take turns.
    let server = serve(home, |config| (config.concurrency, config.batch_concurrency) = (1, 1)).await;
    let (ada, eve) = (server.register("ada").await, server.register("eve").await);
    for sample in samples() {
        let first = start(&server, &ada, &sample.endless).await;
        server.wait_for(&ada, &first, "RUNNING").await;
        let second = start(&server, &ada, &sample.endless).await;
        let other = start(&server, &eve, &sample.quick).await;
        assert_eq!(server.wait_for(&eve, &other, "QUEUED").await["kind"], sample.kind.name());
        kill(&server, &ada, &first).await;
        server.wait_for(&eve, &other, "SUCCEEDED").await;
        server.wait_for(&ada, &second, "RUNNING").await;
        kill(&server, &ada, &second).await;
    }
    let ends = async |home: TempDir, code: &str, job: fn(&Sample) -> &Value, change: fn(&mut EngineConfig)| {
        let server = serve(home, change).await;
        for sample in samples() {
            let id = start(&server, &ada, job(&sample)).await;
            let ended = server.wait_for(&ada, &id, "FAILED").await;
            assert_eq!(ended["code"], code, "{ended}");
            assert!(ended["message"].as_str() > Some(""), "{ended}");
        }
        stop(server).await
    };
    let home = stop(server).await;
    let home =
        ends(home, "time_limit", |sample| &sample.endless, |config| config.time_limit = Duration::from_secs(1)).await;
    let home = ends(home, "result_limit", |sample| &sample.quick, |config| config.result_rows_limit = 2).await;
    ends(
        home,
        "memory_limit",
        |sample| &sample.greedy,
        |config| {
            (config.query_memory_limit, config.script_memory_limit) = (MEMORY, SCRIPT_MEMORY);
        },
    )
    .await;
}
