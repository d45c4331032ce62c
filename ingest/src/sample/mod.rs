//! The sample chain: a simulation of Ethereum that is the same, byte by byte, for the same seed, with planted truth.
//! `docs/sample-chain.md` says how it is made and where it differs from Ethereum.

mod blocks;
mod cast;
mod clock;
mod config;
mod contracts;
mod dice;
mod final_truth;
mod known;
mod launched;
mod plan;
mod plant;
mod seal;
mod setup;
mod simulation;
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

/// How far the writing is.
#[derive(Debug, Clone, Copy)]
pub struct SampleProgress {
    pub transactions: u64,
    pub of: u64,
    pub blocks: u64,
}

/// What was written.
#[derive(Debug, Clone, Copy)]
pub struct SampleSummary {
    pub blocks: u64,
    pub transactions: u64,
    pub logs: u64,
    pub bytes: u64,
}

/// Blocks that are simulated, signed and decoded together.
const PART: usize = 64;

/// Simulates a chain, hands its blocks over in parts, in order, and returns what was planted.
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
