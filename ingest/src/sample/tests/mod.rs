//! Tests of the sample chain from its blocks alone, independent of the simulation.

mod lake;
mod money;
mod people;
mod pools;
mod proofs;
mod repeat;
mod rules;
mod view;

use super::*;

/// A chain of the minimum size with its ground truth.
fn chain(seed: u64) -> (Vec<BlockData>, serde_json::Value) {
    simulated(SampleConfig { transactions: FEWEST_TRANSACTIONS, seed, days: None })
}

fn simulated(config: SampleConfig) -> (Vec<BlockData>, serde_json::Value) {
    let mut blocks = Vec::new();
    let truth = simulate(config, |part| {
        blocks.extend(part);
        Ok(())
    })
    .unwrap();
    (blocks, serde_json::to_value(truth).unwrap())
}
