//! The engine's parts, each on the smallest sample chain: decoding of blocks, and queries of one kind each as jobs.

#![allow(clippy::unwrap_used, reason = "a bench that can't run has nothing to say")]

use std::time::Duration;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use datafusion::prelude::SessionContext;
use quarry_ingest::decode;
use quarry_lake::tables::Table;

/// One query of each kind of work.
const QUERIES: [(&str, &str); 7] = [
    ("scan", "select sum(receipt_gas_used), sum(value) from transactions"),
    ("group by address", "select to_address, count(*) from transactions group by 1 order by 2 desc limit 10"),
    ("count distinct", "select count(distinct from_address) from transactions"),
    ("look up a hash", "select * from transactions where hash = (select max(hash) from transactions)"),
    ("sort", "select hash, value from transactions order by value desc, hash limit 100"),
    ("join", "select count(*) from logs l join transactions t on l.transaction_hash = t.hash where t.value > 0"),
    (
        "window",
        "select max(g) from (select sum(gas_used) over (order by number rows 99 preceding) as g from blocks) as w",
    ),
];

fn decoding(c: &mut Criterion) {
    let blocks = quarry_benches::blocks(2_000);
    let transactions = blocks.iter().map(|block| block.transactions.len() as u64).sum();
    let mut group = c.benchmark_group("decode");
    group.throughput(Throughput::Elements(transactions));
    group.bench_function("blocks to rows", |b| b.iter(|| decode::batches(&blocks).unwrap()));
    group.finish();
}

fn queries(c: &mut Criterion) {
    let home = tempfile::tempdir().unwrap();
    let engine = quarry_benches::engine(home.path());
    let mut group = c.benchmark_group("query");
    let mut runs = 0;
    for (name, sql) in QUERIES {
        group.bench_function(name, |b| {
            b.iter(|| {
                runs += 1;
                quarry_benches::run(&engine, &format!("bench-{runs}"), sql);
            });
        });
    }
    group.finish();
}

/// Plans that prune all of 2,000 files but one, that look into the index of each, and that read all.
fn planning(c: &mut Criterion) {
    let folder = tempfile::tempdir().unwrap();
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let context = SessionContext::new();
    runtime.block_on(async {
        let lake = quarry_benches::lake_of_files(folder.path(), 2_000).await;
        let snapshot = lake.snapshot().await.unwrap();
        context.register_table("transactions", lake.provider(&snapshot, Table::Transactions)).unwrap();
    });
    let absent =
        "arrow_cast(x'5c504ed432cb51138bcf09aa5e8a410dd4a1e204ef84bfed1be16dfba1b22060', 'FixedSizeBinary(32)')";
    let mut group = c.benchmark_group("plan over 2,000 files");
    for (name, sql) in [
        ("a block", "select sum(gas) from transactions where block_number = 1717".to_string()),
        ("a hash", format!("select gas from transactions where hash = {absent}")),
        ("all", "select sum(gas) from transactions".to_string()),
    ] {
        group.bench_function(name, |b| {
            b.iter(|| {
                let plan = async { context.sql(&sql).await?.create_physical_plan().await };
                runtime.block_on(plan).unwrap()
            });
        });
    }
    group.finish();
}

criterion_group! {
    name = benches;
    config = Criterion::default().sample_size(10).warm_up_time(Duration::from_millis(500)).measurement_time(Duration::from_secs(2));
    targets = decoding, queries, planning
}
criterion_main!(benches);
