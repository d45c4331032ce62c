//! Queries whose plans run on workers answer as they do in one process. Workers inside the process get their plans encoded.

use std::collections::BTreeMap;
use std::fmt::Write;

use quarry_cluster::{StageRuntime, add_workers};
use quarry_runtime::job::JobHandle;
use serde_json::Value;
use sqllogictest::{DefaultColumnType, Record, parse_file};
use tokio::runtime::Handle;

use crate::fixture::Home;
use crate::slt;

/// Row groups so small that each scan of the small chain has several.
const ROW_GROUP_ROWS: usize = 2;

/// Why a query ran in one process, from its log.
fn refusal(job: &JobHandle) -> Option<String> {
    let logs = job.logs();
    let lines = logs.iter().map(|line| line.text.as_str());
    lines.filter_map(|line| line.strip_prefix("The query runs on this machine only: ")).next().map(str::to_string)
}

fn is_shared_out(job: &JobHandle) -> bool {
    job.logs().iter().any(|line| line.text.starts_with("Shared out over "))
}

/// The rows of a job in an order of their own, or its error.
async fn answer(home: &Home, job: &JobHandle) -> Result<Vec<String>, String> {
    let done = job.clone().wait().await;
    if let Some(error) = done.error {
        return Err(format!("{} {}", error.code, error.message));
    }
    let rows: Vec<Vec<Value>> = home.engine.result(&done.id).unwrap().page(0, u64::MAX).unwrap();
    let mut rows: Vec<String> = rows.iter().map(|row| Value::Array(row.clone()).to_string()).collect();
    rows.sort();
    Ok(rows)
}

/// How many queries of each file run on workers, and how many are refused for another reason than that they have nothing to share
/// out. `UPDATE_EXPECT=1` with one test thread writes the actual numbers.
const COUNTS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/workers.txt");

/// The reason of a query that is as fast here.
const NOTHING: &str = "it has nothing to share out.";

/// Queries whose answer depends on the order in which rows come: LIMIT without ORDER BY, and sums of doubles that cancel out.
const DEPENDS_ON_ORDER: [&str; 5] = [
    "select concat(from_address, ' -> ', to_address) as a",
    "select date_trunc('day', block_timestamp) as d",
    "select any_value(receipt_status)",
    "select round(corr(transaction_index, block_number), 6)",
    "select d, sum(v) as total from (select block_date as d, cast(value as double) as v",
];

/// Runs the queries of a file in one process and on workers, and compares the answers.
pub async fn compare(file: &str) {
    let [here, there] = [(); 2].map(|()| Home::chain_in_row_groups(ROW_GROUP_ROWS));
    let (here, there) = (here.await, there.await);
    let runtime = StageRuntime::new(there.engine.config(), there.engine.sessions().runtime(), Handle::current());
    add_workers(there.engine.sessions(), there.engine.lake().without_catalogue(), &runtime, 3).unwrap();
    let (mut shared_out, mut refused, mut different) = (0, BTreeMap::<String, usize>::new(), String::new());
    for record in parse_file::<DefaultColumnType>(slt::path(file)).unwrap() {
        let (Record::Query { sql, .. } | Record::Statement { sql, .. }) = record else { continue };
        let submit = |home: &Home| if slt::is_hive(file) { home.submit_hive("slt", &sql) } else { home.submit(&sql) };
        let (one, many) = (submit(&here), submit(&there));
        let (expected, found) = (answer(&here, &one).await, answer(&there, &many).await);
        shared_out += usize::from(is_shared_out(&many));
        if let Some(reason) = refusal(&many).filter(|reason| reason != NOTHING) {
            *refused.entry(reason).or_default() += 1;
        }
        if expected != found && !DEPENDS_ON_ORDER.iter().any(|query| sql.starts_with(query)) {
            let log: Vec<String> = many.logs().into_iter().map(|line| line.text).collect();
            write!(different, "\n{sql}\n--- in one process\n{expected:?}\n--- on workers\n{found:?}\n{log:?}\n")
                .unwrap();
        }
    }
    assert!(different.is_empty(), "{different}");
    println!("{refused:#?}");
    check_counts(file, shared_out, refused.values().sum(), &refused);
}

/// The numbers of queries that run on workers may only grow, those of refusals only fall.
#[allow(clippy::disallowed_methods, reason = "a switch of the test run, not a setting of the product")]
fn check_counts(file: &str, shared_out: usize, refused: usize, reasons: &BTreeMap<String, usize>) {
    let text = std::fs::read_to_string(COUNTS).unwrap_or_default();
    let mut counts: BTreeMap<&str, &str> = text.lines().filter_map(|line| line.split_once(' ')).collect();
    let found = format!("{shared_out} {refused}");
    if std::env::var("UPDATE_EXPECT").is_ok_and(|value| !value.is_empty()) {
        counts.insert(file, &found);
        let lines = counts.iter().map(|(file, counts)| format!("{file} {counts}\n"));
        return std::fs::write(COUNTS, lines.collect::<String>()).unwrap();
    }
    let known = counts.get(file).and_then(|counts| counts.split_once(' '));
    let (before, refused_before) = known.unwrap_or_else(|| panic!("tests/workers.txt lacks {file} {found}"));
    let (before, refused_before): (usize, usize) = (before.parse().unwrap(), refused_before.parse().unwrap());
    assert!(
        shared_out >= before && refused <= refused_before,
        "{file} {found}, not {before} {refused_before}: {reasons:#?}"
    );
}
