//! Limits: expensive queries end with a clear error, and do not affect others.

use std::time::{Duration, Instant};

use quarry_lake::tables::Table;
use quarry_runtime::job::JobState;

use crate::fixture::Home;

#[tokio::test]
async fn too_complex_texts_are_refused_quickly() {
    let home = Home::chain().await;
    let sum = format!("select {}", vec!["1"; 5_000].join("+"));
    let and = format!("select 1 where {}", vec!["true"; 5_000].join(" and "));
    let text = format!("select {}", vec!["'a'"; 5_000].join("||"));
    let not = format!("select {} true", "not ".repeat(5_000));
    let minus = format!("select {} 1", "- ".repeat(5_000));
    let parentheses = format!("select {}1{}", "(".repeat(5_000), ")".repeat(5_000));
    let joins = format!(
        "select 1 from blocks b0 {}",
        (1..1_000).map(|i| format!("cross join blocks b{i} ")).collect::<String>()
    );
    let commas = format!("select 1 from {}", (0..1_000).map(|i| format!("blocks b{i}")).collect::<Vec<_>>().join(", "));
    let unions = vec!["select 1"; 1_000].join(" union all ");
    let nested = format!("select * from {}blocks{}", "(select * from ".repeat(500), ") as t".repeat(500));
    let doubling: Vec<String> =
        (1..30).map(|i| format!("c{i} as (select a.number from c{} a, c{} b)", i - 1, i - 1)).collect();
    let doubling = format!("with c0 as (select * from blocks), {} select * from c29", doubling.join(", "));
    let long = format!("select '{}'", "x".repeat(10_000_000));
    for text in [sum, and, text, not, minus, parentheses, joins, commas, unions, nested, doubling, long] {
        let started = Instant::now();
        let (code, message) = home.error(&text).await;
        assert_eq!(code, "too_complex", "{message}: {}", &text[..80]);
        assert!(started.elapsed() < Duration::from_secs(2), "{:?}: {}", started.elapsed(), &text[..80]);
    }
    assert_eq!(home.rows("select 1 + 1").await, [["2"]]);
}

#[tokio::test]
async fn large_texts_within_the_bounds_are_planned() {
    let home = Home::chain().await;
    let sum = format!("select {} as n", vec!["1"; 200].join("+"));
    assert_eq!(home.rows(&sum).await, [["200"]]);
    let or: Vec<String> = (0..300).map(|i| format!("number = {i}")).collect();
    assert_eq!(home.rows(&format!("select count(*) from blocks where {}", or.join(" or "))).await, [["3"]]);
    let list: Vec<String> = (0..5_000).map(|i| format!("0x{i:040x}")).collect();
    let list = format!("select count(*) from transactions where from_address in ({})", list.join(", "));
    assert_eq!(home.rows(&list).await, [["0"]]);
    let joins: String = (1..12).map(|i| format!(" join blocks b{i} on b{i}.number = b0.number")).collect();
    assert_eq!(home.rows(&format!("select count(*) from blocks b0{joins}")).await, [["3"]]);
}

#[tokio::test]
async fn a_join_without_results_has_a_time_limit() {
    let home = Home::with(|config| config.time_limit = Duration::from_secs(1));
    let side = "(select x, x % 1 as k from generate_series(1, 30000) t(x))";
    let text = format!("select count(*) from {side} a join {side} b on a.k = b.k and a.x * b.x + a.x + b.x < 0");
    let started = Instant::now();
    assert_eq!(home.error(&text).await.0, "time_limit");
    assert!(started.elapsed() < Duration::from_secs(30), "{:?}", started.elapsed());
}

#[tokio::test]
async fn huge_cross_joins_have_limits_and_others_go_on() {
    let home = Home::with(|config| {
        config.time_limit = Duration::from_secs(3);
        config.result_rows_limit = 1_000;
    });
    home.attach_numbers(100_000);
    let rows = home.submit("select a.id, b.id as other from numbers a cross join numbers b");
    let time =
        home.submit("select sum(a.id % 7 + b.id % 5 + c.id) from numbers a cross join numbers b cross join numbers c");
    let other = home.submit("select count(*) as n from numbers");
    assert_eq!(other.wait().await.state, JobState::Succeeded);
    assert_eq!(rows.wait().await.error.unwrap().code, "result_limit");
    assert_eq!(time.wait().await.error.unwrap().code, "time_limit");
    assert_eq!(home.rows("select count(*) from numbers").await, [["100000"]]);
    let results = home.engine.results().unwrap();
    assert!(!results.contains(&rows.snapshot().id) && !results.contains(&time.snapshot().id));
}

#[tokio::test]
async fn queries_have_a_memory_limit() {
    let home = with_little_memory();
    // Groups spill to disk; a join must keep one side in memory, and fails.
    let groups = home.run("select count(*) from (select spread, count(*) from numbers group by spread)").await;
    assert_eq!(groups.error, None);
    let (code, message) = home.error("select count(*) from numbers a join numbers b on a.spread = b.spread").await;
    assert_eq!(code, "memory_limit", "{message}");
    assert!(!message.contains("HashJoin"), "{message}");
    assert_eq!(home.rows("select count(*) from numbers").await, [["3000000"]]);
}

#[tokio::test]
async fn nested_loop_joins_have_a_memory_limit() {
    let home = with_little_memory();
    for join in ["left", "full"] {
        let query =
            format!("select count(*) from numbers a {join} join numbers b on a.id + a.spread < b.id - b.spread");
        let (code, message) = home.error(&query).await;
        assert_eq!(code, "memory_limit", "{join}: {message}");
    }
    assert_eq!(home.rows("select count(*) from numbers").await, [["3000000"]]);
}

#[tokio::test]
async fn a_large_common_subplan_spills_to_disk() {
    let home = with_little_memory();
    let twice = "with big as (select id, spread, count(*) as n from numbers group by 1, 2)
        select (select sum(n) from big) as n, (select max(id) from big) as hi";
    assert_eq!(home.rows(twice).await, [["3000000", "2999999"]]);
}

#[tokio::test]
async fn unaccounted_memory_is_limited_too() {
    let home = Home::with(|config| config.process_memory_limit = 700 << 20);
    home.attach_numbers(4_000_000);
    let (code, message) = home.error("select array_length(array_agg(repeat(to_hex(id), 40))) from numbers").await;
    assert_eq!(code, "memory_limit", "{message}");
    assert_eq!(home.rows("select count(*) from numbers").await, [["4000000"]]);
}

#[tokio::test]
async fn a_damaged_file_is_named() {
    let home = Home::chain().await;
    let files = home.engine.lake().files(Table::Transactions).await.unwrap();
    let path = &files[0].0;
    let mut bytes = std::fs::read(path).unwrap();
    let middle = bytes.len() / 4;
    bytes[4..middle].fill(0xa5);
    std::fs::write(path, bytes).unwrap();
    let (code, message) = home.error("select * from transactions").await;
    assert_eq!(code, "damaged_file", "{message}");
    let name = path.file_name().unwrap().to_str().unwrap();
    assert!(message.contains(name), "{message} does not name {name}");
    assert_eq!(home.rows("select count(*) from blocks").await, [["3"]]);

    std::fs::write(path, b"no Parquet at all").unwrap();
    let again = home.error("select sum(value) from transactions").await;
    assert_eq!(again.0, "damaged_file", "{}", again.1);
    assert!(again.1.contains(name), "{} does not name {name}", again.1);
}

#[tokio::test]
async fn a_damaged_attached_file_is_named() {
    let home = Home::empty();
    let file = home.attach_numbers(300_000);
    let mut bytes = std::fs::read(&file).unwrap();
    bytes[4..5_000].fill(0xa5);
    std::fs::write(&file, bytes).unwrap();
    let (code, message) = home.error("select sum(spread), sum(id), sum(bucket) from numbers").await;
    assert_eq!(code, "damaged_file", "{message}");
    assert!(message.contains("numbers.parquet"), "{message}");
}

/// A home whose queries have less memory than the size of its table `numbers`.
fn with_little_memory() -> Home {
    let home = Home::with(|config| {
        config.memory_limit = 96 << 20;
        config.query_memory_limit = 48 << 20;
    });
    home.attach_numbers(3_000_000);
    home
}
