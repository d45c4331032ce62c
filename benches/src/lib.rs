//! Benches of the whole product: `cargo bench` for the engine's parts, `peers/` for Quarry beside other engines,
//! `ingest/` for how much of a node's speed an ingest reaches, `latency/` for what a person at the screen waits for,
//! `src/bin/` for programs such as `workers`, which compares answers on workers with those of one process.

#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a bench that can't run has nothing to say")]

use std::path::Path;
use std::sync::Arc;

use quarry_engine::engine::Engine;
use quarry_ingest::chain::BlockData;
use quarry_ingest::decode;
use quarry_ingest::sample::{self, SampleConfig};
use quarry_lake::tables::Table;
use quarry_lake::{BlockRange, Lake, Publish};
use quarry_runtime::EngineConfig;
use quarry_runtime::job::{JobHandle, JobRequest, JobSnapshot, JobState};

/// The chain of the benches: the smallest the simulation makes.
pub const SAMPLE: SampleConfig = SampleConfig { transactions: sample::FEWEST_TRANSACTIONS, seed: 1, days: None };

/// Blocks with about `transactions` transactions.
pub fn blocks(transactions: usize) -> Vec<BlockData> {
    let mut taken = Vec::new();
    let mut count = 0;
    sample::simulate(SAMPLE, |blocks| {
        for block in blocks {
            if count < transactions {
                count += block.transactions.len();
                taken.push(block);
            }
        }
        Ok(())
    })
    .expect("the sample chain can be made");
    taken
}

/// A lake whose transactions lie in so many files, each of one block: what a long time without compaction leaves.
pub async fn lake_of_files(dir: &Path, files: i64) -> Lake {
    let blocks: Vec<BlockData> =
        blocks(20_000).into_iter().filter(|block| !block.transactions.is_empty()).take(100).collect();
    let lake = Lake::open(dir).await.expect("an empty folder becomes a lake");
    let writer = lake.writer().await.expect("nobody else writes");
    let mut staged = Vec::new();
    for (number, block) in (0..files).zip(blocks.iter().cycle()) {
        let mut block = block.clone();
        block.header.number = number.unsigned_abs();
        block.header.timestamp = 1_700_000_000 + 12 * number.unsigned_abs();
        let mut staging = writer.stage(BlockRange::new(number, number).expect("a range"));
        for (table, batch) in decode::batches(&[block]).expect("rows") {
            if table == Table::Transactions {
                staging.write(table, batch).await.expect("writes");
            }
        }
        staged.push(staging.finish().await.expect("finishes"));
    }
    let publish = Publish { reason: "bench".to_string(), ..Publish::default() };
    writer.publish(staged, publish).await.expect("publishes");
    lake
}

/// An engine on a home that holds the sample chain.
pub fn engine(home: &Path) -> Arc<Engine> {
    let config = EngineConfig::at(home);
    write_sample(&config, SAMPLE);
    Engine::open(config).expect("the home can be opened")
}

/// Writes a sample chain into an empty home.
pub fn write_sample(config: &EngineConfig, chain: SampleConfig) {
    let runtime = tokio::runtime::Runtime::new().unwrap();
    runtime.block_on(async {
        let lake = Lake::open(&config.lake_dir()).await.expect("an empty folder becomes a lake");
        sample::write(&lake, chain, |_| {}).await.expect("the sample chain fits the lake");
    });
}

/// Runs one query to its end as a job, the result stored.
pub fn run(engine: &Engine, id: &str, sql: &str) {
    let request = JobRequest { id: id.into(), text: sql.into(), owner: "bench".into(), ..JobRequest::default() };
    let job = engine.submit(request).expect("the queue has room");
    let end = wait(&job);
    assert_eq!(end.state, JobState::Succeeded, "{sql}: {end:?}");
    engine.remove_result(id).expect("its result is there");
}

/// Waits for a job.
pub fn wait(job: &JobHandle) -> JobSnapshot {
    let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
    runtime.block_on(job.wait())
}
