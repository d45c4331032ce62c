//! The sample chain: a simulation of Ethereum that is the same, byte by byte, for the same seed, with planted truth.
//! `docs/sample-chain.md` says how it is made and where it differs from Ethereum.

mod blocks;
mod cast;
mod clock;
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

use quarry_types::{Error, ErrorCode, Result};

pub use known::{Known, KnownDapp, known, record_contracts};
pub use truth::Truth;
pub use world::CHAIN_ID;
pub use write::write;

use crate::chain::BlockData;
use simulation::Simulation;

/// Fewest transactions and days that hold everything that is planted.
pub const FEWEST_TRANSACTIONS: u64 = 50_000;
pub const FEWEST_DAYS: u32 = 62;
/// What fits: two blocks in five slots, each at most a hundred times the usual size.
const MOST_TRANSACTIONS: u64 = 1_000_000_000;
const MOST_DAYS: u32 = 3_650;
const USUAL_DAYS: u32 = 90;

/// What to simulate.
#[derive(Debug, Clone, Copy)]
pub struct SampleConfig {
    pub transactions: u64,
    pub seed: u64,
    /// 90 when not given.
    pub days: Option<u32>,
}

impl SampleConfig {
    fn days(&self) -> u32 {
        self.days.unwrap_or(USUAL_DAYS)
    }

    fn check(&self) -> Result<()> {
        if !(FEWEST_TRANSACTIONS..=MOST_TRANSACTIONS).contains(&self.transactions) {
            return Err(Error::new(
                ErrorCode::InvalidInput,
                format!(
                    "The sample chain needs {FEWEST_TRANSACTIONS} to {MOST_TRANSACTIONS} transactions to hold \
                     everything that is planted in it, not {}.",
                    self.transactions
                ),
            ));
        }
        if !(FEWEST_DAYS..=MOST_DAYS).contains(&self.days()) {
            return Err(Error::new(
                ErrorCode::InvalidInput,
                format!("The sample chain needs {FEWEST_DAYS} to {MOST_DAYS} days, not {}.", self.days()),
            ));
        }
        Ok(())
    }
}

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
