//! Runs the queries of `benches/peers/queries` in one process and on 1, 2 and 3 workers inside the process, over a sample chain of
//! 100,000 transactions or as many as the first argument says. Prints where each ran; fails if an answer differs.

#![allow(clippy::unwrap_used, reason = "a bench that can't run has nothing to say")]

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

use quarry_cluster::{StageRuntime, add_workers};
use quarry_engine::engine::Engine;
use quarry_ingest::sample::SampleConfig;
use quarry_runtime::EngineConfig;
use quarry_runtime::job::JobRequest;
use serde_json::Value;

fn main() {
    let transactions = std::env::args().nth(1).map_or(100_000, |count| count.parse().unwrap());
    let home = tempfile::tempdir().unwrap();
    let config = EngineConfig { threads: 2, ..EngineConfig::at(home.path()) };
    quarry_benches::write_sample(&config, SampleConfig { transactions, ..quarry_benches::SAMPLE });
    let queries = queries(&Engine::open(config.clone()).unwrap());
    let network = tokio::runtime::Runtime::new().unwrap();
    let (mut refused, mut different) = (Vec::new(), Vec::new());
    let local: Vec<Vec<String>> = {
        let engine = Engine::open(config.clone()).unwrap();
        queries.iter().map(|(name, sql)| answer(&engine, name, sql).rows).collect()
    };
    for count in 1..=3 {
        let engine = Engine::open(config.clone()).unwrap();
        let runtime = StageRuntime::new(&config, engine.sessions().runtime(), network.handle().clone());
        add_workers(engine.sessions(), engine.lake().without_catalogue(), &runtime, count).unwrap();
        for ((name, sql), expected) in queries.iter().zip(&local) {
            let Answer { rows, note, seconds } = answer(&engine, &format!("{name}-{count}"), sql);
            println!("{count} {name:32} {seconds:6.2} s  {note}");
            if rows != *expected {
                different.push(format!("{name} on {count} workers"));
            }
            if count > 1 && !note.starts_with("Shared out") {
                refused.push(format!("{name} on {count} workers"));
            }
        }
    }
    println!("{} queries; in one process although there were workers: {refused:?}", queries.len());
    assert!(different.is_empty(), "other rows: {different:?}");
}

/// What the queries look up, by the name in braces: values of which the chain has many rows.
const LOOKED_UP: [(&str, &str); 6] = [
    ("address", "select from_address from transactions group by 1 order by count(*) desc, 1 limit 1 offset 200"),
    ("token", "select token_address from token_transfers group by 1 order by count(*) desc, 1 limit 1 offset 3"),
    ("contract", "select address from logs group by 1 order by count(*) desc, 1 limit 1"),
    ("topic", "select topic0 from logs where address = {contract} group by 1 order by count(*) desc, 1 limit 1"),
    ("hash", "select hash from transactions order by block_number, transaction_index limit 1 offset 70000"),
    ("block", "select block_number from logs group by 1 order by count(*) desc, 1 limit 1"),
];

/// The queries by the names of their files.
fn queries(engine: &Arc<Engine>) -> Vec<(String, String)> {
    let mut values: Vec<(String, String)> = Vec::new();
    let fill = |text: &str, values: &[(String, String)]| {
        // `{function:column}` is a function whose name differs from engine to engine.
        let calls = text.split_inclusive('}').map(|part| {
            let (before, call) = part.rsplit_once('{').unwrap_or((part, ""));
            match call.trim_end_matches('}').split_once(':') {
                Some(("percentile95", column)) => format!("{before}percentile_cont({column}, 0.95)"),
                Some((function, column)) => format!("{before}{function}({column})"),
                None => part.to_string(),
            }
        });
        values.iter().fold(calls.collect(), |text: String, (name, value)| text.replace(name, value))
    };
    for (name, sql) in LOOKED_UP {
        let rows = answer(engine, name, &fill(sql, &values)).rows;
        let value = rows[0].trim_matches(['[', ']', '"']).to_string();
        let literal = if name == "block" { value } else { format!("'{value}'") };
        values.push((format!("{{{name}}}"), literal));
    }
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("peers/queries");
    let mut files: Vec<PathBuf> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    let query = |file: &PathBuf| {
        (
            file.file_stem().unwrap().to_string_lossy().into_owned(),
            fill(&std::fs::read_to_string(file).unwrap(), &values),
        )
    };
    files.iter().map(query).collect()
}

struct Answer {
    /// Sorted, since few queries say in which order rows with equal keys come.
    rows: Vec<String>,
    /// Where the query ran.
    note: String,
    seconds: f64,
}

fn answer(engine: &Arc<Engine>, id: &str, sql: &str) -> Answer {
    let request = JobRequest { id: id.to_string(), text: sql.to_string(), ..JobRequest::default() };
    let begun = Instant::now();
    let job = engine.submit(request).unwrap();
    let done = quarry_benches::wait(&job);
    assert_eq!(done.error, None, "{id}");
    let seconds = begun.elapsed().as_secs_f64();
    let rows = engine.result(id).unwrap().page(0, u64::MAX).unwrap();
    let mut rows: Vec<String> = rows.into_iter().map(|row| Value::Array(row).to_string()).collect();
    rows.sort();
    let notes = job.logs().into_iter().map(|line| line.text);
    let note = notes.into_iter().find(|text| text.starts_with("Shared out") || text.starts_with("The query runs"));
    Answer { rows, note: note.unwrap_or_default(), seconds }
}
