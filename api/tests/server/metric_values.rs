//! The engine's metrics on the sample chain, against queries over the tables, and whichever way the blocks came in.

use std::collections::HashMap;
use std::path::Path;
use std::sync::Arc;

use quarry_engine::Engine;
use quarry_ingest::chain::BlockData;
use quarry_ingest::decode;
use quarry_ingest::sample::{self, CHAIN_ID, FEWEST_TRANSACTIONS, SampleConfig};
use quarry_lake::{BlockRange, Head, KnownContracts, Lake, Origin, Publish};
use quarry_metrics as metrics;
use quarry_metrics::{Kind, Metric, Resolution, Series};
use quarry_runtime::EngineConfig;
use quarry_runtime::job::JobRequest;
use serde_json::Value;

const ALWAYS: (i64, i64) = (i64::MIN, i64::MAX);

fn engine(home: &Path) -> Arc<Engine> {
    Engine::open(EngineConfig { threads: 2, ..EngineConfig::at(home) }).unwrap()
}

async fn rows(engine: &Engine, id: String, text: String) -> Vec<Vec<Value>> {
    let request = JobRequest { id: id.clone(), text, owner: "test".to_string(), ..JobRequest::default() };
    let job = engine.submit(request.clone()).unwrap().wait().await;
    assert!(job.error.is_none(), "{:?}\n{}", job.error, request.text);
    engine.result(&id).unwrap().page(0, u64::MAX).unwrap()
}

fn plain(cell: &Value) -> String {
    let text = cell.as_str().map_or_else(|| cell.to_string(), str::to_string);
    if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.').to_string() } else { text }
}

/// Counts and amounts have to be the same digit by digit; a quotient to the last digit that is kept.
fn agree(metric: &Metric, value: i128, expected: &str) -> bool {
    let text = metric.text(value);
    let quotient = metric.kind == Kind::Mean || metric.name == "market-cap";
    let (Ok(ours), Ok(theirs)) = (text.parse::<f64>(), expected.parse::<f64>()) else { return false };
    let tolerance = (theirs.abs() * 1e-9).max(0.1_f64.powi(metric.scale as i32));
    text == expected || (quotient && (ours - theirs).abs() <= tolerance)
}

#[tokio::test(flavor = "multi_thread")]
async fn every_metric_is_what_a_query_over_the_tables_says() {
    let home = tempfile::tempdir().unwrap();
    let engine = engine(home.path());
    sample::write(engine.lake(), SampleConfig { transactions: FEWEST_TRANSACTIONS, seed: 1, days: None }, |_| ())
        .await
        .unwrap();
    let series = engine.metrics().update().await.unwrap();
    let contracts = engine.lake().info().await.unwrap().contracts;
    for (number, metric) in metrics::all().iter().enumerate() {
        let mut seen = 0;
        // Every balance by hour takes long to ask for, and one of them goes the way of all.
        let slow = metric.sources.contains(&"traces") && metric.name != "balance-1";
        for resolution in Resolution::ALL.into_iter().filter(|resolution| !slow || *resolution != Resolution::Hour) {
            let text = metric.query(resolution, &contracts);
            let text = format!("select cast(to_unixtime(t) as bigint) * 1000, v from ({text}) as series");
            let found = rows(&engine, format!("m{number}-{}", resolution.name()), text).await;
            let found: HashMap<i64, String> =
                found.iter().map(|row| (plain(&row[0]).parse().unwrap(), plain(&row[1]))).collect();
            let points = series.points(metric, resolution, ALWAYS.0, ALWAYS.1);
            assert!(points.len() >= found.len(), "{} {resolution:?}", metric.path());
            let mut before = None;
            for point in &points {
                let expected = match (found.get(&point.start), metric.kind) {
                    (Some(value), _) if value != "null" => Some(value.clone()),
                    (_, Kind::Sum | Kind::Distinct) => Some("0".to_string()),
                    (_, Kind::Mean) => None,
                    (_, Kind::State) => before.clone(),
                };
                let same = match (point.value, &expected) {
                    (Some(value), Some(expected)) => agree(metric, value, expected),
                    (None, None) => true,
                    // Before the first of its kind a count of addresses is 0, and a query has no row.
                    (Some(value), None) => value == 0,
                    (None, Some(_)) => false,
                };
                let ours = point.value.map(|value| metric.text(value));
                assert!(same, "{} {resolution:?} {}: {ours:?} is not {expected:?}", metric.path(), point.start);
                seen += usize::from(point.value.is_some_and(|value| value != 0));
                before = expected;
            }
            assert_eq!(points.iter().filter(|point| point.partial).count(), 1, "only the newest period is open");
        }
        let merged = ["mining-difficulty", "hash-rate-mean", "balance-10k"].contains(&metric.name);
        assert!(seen > 0 || merged, "{} says nothing", metric.path());
    }
}

fn head(block: &BlockData) -> Head {
    Head { number: block.header.number as i64, hash: block.hash, time: block.header.timestamp as i64 * 1_000_000 }
}

/// Publishes blocks that follow each other, in place of all that the lake held from the first of them on.
async fn publish(lake: &Lake, blocks: &[BlockData], finalized: Option<i64>, contracts: &KnownContracts) {
    let writer = lake.writer().await.unwrap();
    writer.claim(CHAIN_ID, Origin::Sample).await.unwrap();
    writer.record_contracts(Some(contracts)).await.unwrap();
    let (first, last) = (head(&blocks[0]), head(&blocks[blocks.len() - 1]));
    let mut staging = writer.stage(BlockRange::new(first.number, last.number).unwrap());
    for (table, batch) in decode::batches(blocks).unwrap() {
        staging.write(table, batch).await.unwrap();
    }
    let publish = Publish { head: Some(last), finalized, ..Publish::reorg(first.number, first.number) };
    writer.publish(vec![staging.finish().await.unwrap()], publish).await.unwrap();
}

/// Every value of every metric.
fn everything(series: &Series) -> Vec<Vec<(i64, Option<i128>, bool)>> {
    let all = metrics::all().iter().flat_map(|metric| Resolution::ALL.map(|resolution| (*metric, resolution)));
    let values = all.map(|(metric, resolution)| series.points(metric, resolution, ALWAYS.0, ALWAYS.1));
    values.map(|points| points.iter().map(|point| (point.start, point.value, point.partial)).collect()).collect()
}

async fn at_once(blocks: &[BlockData], contracts: &KnownContracts) -> Vec<Vec<(i64, Option<i128>, bool)>> {
    let home = tempfile::tempdir().unwrap();
    let engine = engine(home.path());
    publish(engine.lake(), blocks, None, contracts).await;
    everything(&engine.metrics().update().await.unwrap())
}

#[tokio::test(flavor = "multi_thread")]
async fn it_makes_no_difference_how_the_blocks_came_in() {
    let mut blocks = Vec::new();
    let config = SampleConfig { transactions: FEWEST_TRANSACTIONS, seed: 1, days: None };
    let truth = sample::simulate(config, |part| {
        blocks.extend(part);
        Ok(())
    })
    .unwrap();
    let contracts = truth.known_contracts().unwrap();
    let home = tempfile::tempdir().unwrap();
    {
        let engine = engine(home.path());
        assert_eq!(engine.metrics().update().await.unwrap().head, None);
        publish(engine.lake(), &blocks[..300], Some(250), &contracts).await;
        let series = engine.metrics().update().await.unwrap();
        assert_eq!(everything(&series), at_once(&blocks[..300], &contracts).await);
        assert_eq!(series.head.unwrap().0, 299);
    }
    // After a restart only what is new is read, and a shorter chain in its place is taken as it is.
    let engine = engine(home.path());
    publish(engine.lake(), &blocks[300..320], Some(260), &contracts).await;
    assert_eq!(everything(&engine.metrics().update().await.unwrap()), at_once(&blocks[..320], &contracts).await);
    publish(engine.lake(), &blocks[300..310], None, &contracts).await;
    assert_eq!(everything(&engine.metrics().update().await.unwrap()), at_once(&blocks[..310], &contracts).await);
    // Blocks that had settled are replaced all the same.
    publish(engine.lake(), &blocks[..200], None, &contracts).await;
    assert_eq!(everything(&engine.metrics().update().await.unwrap()), at_once(&blocks[..200], &contracts).await);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_chain_of_too_many_addresses_is_told_and_ends_nothing() {
    let home = tempfile::tempdir().unwrap();
    let config = EngineConfig { metrics_memory_limit: 10_000, ..EngineConfig::at(home.path()) };
    let engine = Engine::open(config).unwrap();
    let config = SampleConfig { transactions: FEWEST_TRANSACTIONS, seed: 1, days: None };
    sample::write(engine.lake(), config, |_| ()).await.unwrap();
    let error = engine.metrics().update().await.err().unwrap();
    assert_eq!(error.code, quarry_types::ErrorCode::MemoryLimit);
    assert!(error.message.contains("metrics_memory_limit"), "{}", error.message);
    assert!(engine.metrics().current().is_none());
}
