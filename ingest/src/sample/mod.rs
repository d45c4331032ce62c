//! The sample chain: a deterministic simulation of Ethereum with known patterns (ground truth). `docs/sample-chain.md`
//! describes it and its differences from Ethereum.

mod blocks;
mod clock;
mod config;
mod contracts;
mod final_truth;
mod known;
mod participants;
mod patterns;
mod plan;
mod random;
mod seal;
mod setup;
mod simulation;
mod token_metadata;
mod traffic;
mod truth;
mod world;
mod write;

#[cfg(test)]
mod tests;

use quarry_types::Result;

pub use config::{FEWEST_DAYS, FEWEST_TRANSACTIONS, SampleConfig};
pub use known::{Known, KnownDapp, known, record_contracts};
pub use truth::Truth;
pub use world::CHAIN_ID;
pub use write::write;

use crate::chain::BlockData;
use simulation::Simulation;

/// The progress of writing.
#[derive(Debug, Clone, Copy)]
pub struct SampleProgress {
    pub transactions: u64,
    pub of: u64,
    pub blocks: u64,
}

/// The result of writing.
#[derive(Debug, Clone, Copy)]
pub struct SampleSummary {
    pub blocks: u64,
    pub transactions: u64,
    pub logs: u64,
    pub bytes: u64,
}

/// Blocks that are simulated, signed and decoded together.
const PART: usize = 64;

/// Simulates a chain, passes its blocks on in order, and returns the ground truth.
pub fn simulate(config: SampleConfig, mut part: impl FnMut(Vec<BlockData>) -> Result<()>) -> Result<Truth> {
    config.check()?;
    let mut simulation = Simulation::new(config)?;
    let keys = simulation.world.keys.clone();
    let mut parent = alloy_primitives::B256::ZERO;
    loop {
        let drafts = simulation.advance(PART)?;
        if drafts.is_empty() {
            return Ok(simulation.truth(config));
        }
        let blocks = seal::seal(&keys, parent, drafts);
        parent = blocks.last().map_or(parent, |block| block.hash);
        part(blocks)?;
    }
}
