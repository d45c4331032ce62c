//! Queries that would take all memory, or all time: the server answers others, the job ends with its reason, and the
//! memory comes back. The limits are those of a machine with 2 GiB.

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use quarry_tests::quarry::{Home, SMALLEST_SAMPLE};
use quarry_tests::server::Server;
use quarry_tests::wait::wait_for;
use serde_json::{Value, json};

const START: Duration = Duration::from_secs(60);
/// Time between two looks at the memory of the process.
const LOOK: Duration = Duration::from_millis(10);
/// Time that a bomb has before it is killed.
const FUSE: Duration = Duration::from_secs(2);
/// Time within which a killed job ends, and within which others are answered.
const PROMPTLY: Duration = Duration::from_secs(2);

const MIB: u64 = 1 << 20;
/// 80 % of 2 GiB, as is the default; a tenth more is allowed.
const PROCESS_LIMIT: u64 = 1_638 * MIB;
const LIMITS: [&str; 6] =
    ["--memory-limit", "1228MiB", "--query-memory-limit", "614MiB", "--process-memory-limit", "1638MiB"];
/// What an idle server of this size holds at most, when the allocator has given back what it kept.
const IDLE: u64 = 700 * MIB;

/// Patterns of half a million states each, one a row.
const PATTERN: &str = "concat('(', hash::varchar, '|x{500}){1,50}')";

fn sql() -> Vec<String> {
    let columns = "hash, block_number, from_address, to_address, value, gas, gas_price, nonce, transaction_index, input, \
        block_timestamp, receipt_gas_used";
    let pairs = "transactions a cross join transactions b";
    let matched = [
        format!("regexp_like(hash::varchar, {PATTERN})"),
        format!("hash::varchar ~ {PATTERN}"),
        format!("hash::varchar !~* {PATTERN}"),
        format!("hash::varchar similar to {PATTERN}"),
        format!("regexp_count(hash::varchar, {PATTERN}) > 1"),
        format!("regexp_instr(hash::varchar, {PATTERN}) > 1"),
        format!("cardinality(regexp_match(hash::varchar, {PATTERN})) > 1"),
        format!("regexp_extract(hash::varchar, {PATTERN}) = ''"),
        format!("regexp_replace(hash::varchar, {PATTERN}, '') = ''"),
    ];
    let mut all: Vec<String> =
        matched.iter().map(|condition| format!("select count(*) from transactions where {condition}")).collect();
    all.extend([
        // Grouping sets.
        format!("select count(*) from (select {columns}, count(*) from transactions group by cube({columns}))"),
        format!("select count(*) from (select count(*) from {pairs} group by rollup(a.hash, b.hash))"),
        // Joins.
        "select count(*) from transactions a, transactions b, transactions c where a.value + b.value + c.value = 7"
            .into(),
        "select count(*) from transactions a join transactions b on a.receipt_status = b.receipt_status \
            join transactions c on b.receipt_status = c.receipt_status where a.value + b.value + c.value = 7"
            .into(),
        // Aggregates that collect.
        format!("select cardinality(array_agg(a.hash)) from {pairs}"),
        format!("select length(string_agg(a.hash::varchar || repeat('x', 1000), ',')) from {pairs}"),
        format!("select cardinality(map_agg(a.hash::varchar || b.hash::varchar, 1)) from {pairs}"),
        format!("select count(distinct a.hash::varchar || b.hash::varchar) from {pairs}"),
        "select count(distinct x * y) from unnest(sequence(1, 5000000)) t(x), unnest(sequence(1, 5000000)) s(y)".into(),
        // Texts, lists and JSON that double.
        "with recursive t as (select 'x' as a union all select a || a from t) select max(length(a)) from t".into(),
        "with recursive t as (select array[1] as a union all select array_concat(a, a) from t) \
            select max(cardinality(a)) from t"
            .into(),
        "with recursive t as (select 1 as a union all select a + 1 from t, transactions) select count(*) from t".into(),
        "with recursive t as (select '[1' as a union all select a || ',' || a from t) \
            select max(length(json_format(json_parse(a || ']')))) from t"
            .into(),
        format!("select max(length(json_format(cast(array_repeat(a.hash::varchar, 500) as json)))) from {pairs}"),
        // Windows and sorts.
        format!(
            "select max(r) from (select row_number() over (order by a.hash::varchar || b.hash::varchar || \
                a.input::varchar) r from {pairs})"
        ),
        format!(
            "select max(l) from (select cardinality(array_agg(a.hash) over (order by a.block_number, b.nonce \
                rows between unbounded preceding and current row)) l from {pairs})"
        ),
    ]);
    all
}

/// Jobs of the other kinds.
fn others() -> Vec<Value> {
    let mapper = "(row, emit) => { const all = []; for (;;) all.push('x'.repeat(1000) + all.length); }";
    let reducer = "(key, values, emit) => { emit({ key: key + [...values].length }); }";
    let driver = "({ input: 'transactions', columns: ['hash'], output: { key: 'varchar' } })";
    let repeat = "(row, emit) => { for (;;) emit(row.hash, 'x'.repeat(1000)); }";
    let map_reduce = |mapper: &str| {
        let spec = json!({"tableName": "bomb", "driver": driver, "mapper": mapper, "reducer": reducer});
        json!({"kind": "MAPREDUCE", "spec": spec})
    };
    let collected = "select size(collect_list(concat(a.hash, b.hash))) from transactions a cross join transactions b";
    let matched = PATTERN.replace("::varchar", "");
    let matched = format!("select count(*) from transactions where cast(hash as string) rlike {matched}");
    vec![
        json!({"kind": "HIVE", "text": collected}),
        json!({"kind": "HIVE", "text": matched}),
        json!({"kind": "GRAPH", "text": "match p = (a)-[*1..9]->(b) return count(p)"}),
        json!({"kind": "GRAPH", "text": "match (a), (b), (c) return collect(a.address + b.address + c.address)"}),
        map_reduce(mapper),
        map_reduce(repeat),
    ]
}

#[test]
fn no_query_takes_the_memory_or_the_time_of_others() {
    let home = Home::with_sample(SMALLEST_SAMPLE, 2);
    let server = Server::start_with(home.path(), START, &LIMITS);
    let (attacker, other) = (server.register("attacker"), server.register("other"));
    let jobs = sql().into_iter().map(|text| json!({"kind": "SQL", "text": text})).chain(others());
    let jobs: Vec<Value> = jobs.collect();
    let (peak, done) = (AtomicU64::new(0), AtomicBool::new(false));
    let slowest = Mutex::new(Duration::ZERO);

    std::thread::scope(|scope| {
        scope.spawn(|| watch_memory(&server, &peak, &done));
        scope.spawn(|| ask_small_questions(&server, &other, &slowest, &done));
        let ended = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
            for job in &jobs {
                detonate(&server, &attacker, job);
                let slowest = *slowest.lock().unwrap();
                assert!(slowest < PROMPTLY, "another account waited {slowest:?} beside {job}");
                let peak = peak.load(Ordering::Relaxed);
                assert!(peak <= PROCESS_LIMIT + PROCESS_LIMIT / 10, "the process held {} MiB: {job}", peak / MIB);
            }
        }));
        done.store(true, Ordering::Relaxed);
        if let Err(panic) = ended {
            std::panic::resume_unwind(panic);
        }
    });

    wait_for("the memory to come back", Duration::from_secs(60), || {
        // What is free goes back when somebody works again.
        server.query(&other, &format!("select {}", nanos()));
        (server.process().resident() < IDLE).then_some(())
    });
    let message = "GROUP BY makes 8192 grouping sets";
    let columns: Vec<String> = (0..13).map(|digit| format!("gas + {digit}")).collect();
    let cube = format!("select count(*) from transactions group by cube({})", columns.join(", "));
    let job = server.execute(&other, &cube);
    let job = server.wait_for_state(&other, &job, &["FAILED"], START);
    assert!(job["message"].as_str().unwrap().contains(message), "{job}");
}

/// Runs one job until it ends, and kills it when it does not end by itself.
fn detonate(server: &Server, token: &str, job: &Value) {
    let answer = server.call("POST", "/api/query/execute", Some(token), Some(job.clone()));
    let envelope = answer.json();
    assert_eq!(answer.status / 100, 2, "{job}: {envelope}");
    let id = envelope["data"]["jobId"].as_str().unwrap_or_else(|| panic!("{envelope}"));
    let begun = Instant::now();
    let ended = wait_for("a job to end or its time", START, || {
        let state = server.job(token, id);
        let ended = ["SUCCEEDED", "FAILED", "KILLED"].iter().any(|ended| state["state"] == *ended);
        (ended || begun.elapsed() > FUSE).then_some(state)
    });
    if ended["state"] == "RUNNING" {
        server.data("POST", &format!("/api/job/{id}/kill"), Some(token), Some(json!({})));
        let killed = Instant::now();
        server.wait_for_state(token, id, &["KILLED", "FAILED"], PROMPTLY);
        println!("killed in {:?}: {job}", killed.elapsed());
        return;
    }
    let code = ended["code"].as_str().unwrap_or_default();
    println!("{code} after {:?}: {job}", begun.elapsed());
    assert_eq!(ended["state"], "FAILED", "{job}: {ended}");
    assert!(["memory_limit", "too_complex", "result_limit", "invalid_query"].contains(&code), "{job}: {ended}");
}

/// Another account asks small things all the time.
fn ask_small_questions(server: &Server, token: &str, slowest: &Mutex<Duration>, done: &AtomicBool) {
    while !done.load(Ordering::Relaxed) {
        let begun = Instant::now();
        // No two are equal: equal ones would share a result.
        let job = json!({"kind": "SQL", "text": format!("select {}", nanos()), "wait": 30_000});
        let answer = server.data("POST", "/api/query/execute", Some(token), Some(job));
        assert_eq!(answer["job"]["state"], "SUCCEEDED", "{answer}");
        let took = begun.elapsed();
        {
            let mut slowest = slowest.lock().unwrap();
            *slowest = took.max(*slowest);
        }
        std::thread::park_timeout(LOOK);
    }
}

/// Notes the largest size of the process, and ends it before it could take the machine down.
fn watch_memory(server: &Server, peak: &AtomicU64, done: &AtomicBool) {
    while !done.load(Ordering::Relaxed) {
        let held = server.process().resident();
        peak.fetch_max(held, Ordering::Relaxed);
        if held > 2 * PROCESS_LIMIT {
            server.kill_now();
            return;
        }
        std::thread::park_timeout(LOOK);
    }
}

fn nanos() -> u128 {
    std::time::UNIX_EPOCH.elapsed().unwrap().as_nanos()
}
