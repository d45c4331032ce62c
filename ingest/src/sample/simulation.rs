//! Runs the simulation block by block: planned actions first, then traffic until the block is full enough.

use quarry_types::{Error, Result};

use super::blocks::Blocks;
use super::clock::{Clock, DAY};
use super::config::SampleConfig;
use super::participants::Participants;
use super::patterns::{Stage, plan_patterns};
use super::plan::Plan;
use super::random::Random;
use super::seal::DraftBlock;
use super::setup::set_up;
use super::traffic::Traffic;
use super::truth::Truth;
use super::world::{GWEI, World};

/// Gas of an average block: half the limit.
const MEAN_BLOCK_GAS: u64 = 4_200_000;
/// Transactions of an average block.
const MEAN_BLOCK: u64 = 75;
const MIN_TRANSACTIONS: usize = 30;
const MAX_TRANSACTIONS: usize = 150;
/// The base fee at which demand balances.
const MEAN_BASE_FEE: u64 = 3 * GWEI as u64;
/// Maximum failed traffic actions in a row before the simulation counts as stuck.
const TRIES: u32 = 100;

/// A running simulation.
pub struct Simulation {
    pub world: World,
    pub blocks: Blocks,
    pub participants: Participants,
    pub clock: Clock,
    pub plan: Plan,
    pub traffic: Traffic,
    pub planted: Truth,
    pub done: u64,
    transactions: u64,
    /// Scale factor of block sizes if there are too few slots for all transactions.
    scale: u64,
    random: Random,
}

impl Simulation {
    pub fn new(config: SampleConfig) -> Result<Simulation> {
        let days = u64::from(config.days());
        // At most two of five slots hold a block on average, so that the busiest hours find free ones.
        let slots = days * DAY / 12 * 2 / 5;
        let scale = config.transactions.div_ceil(slots * MEAN_BLOCK).max(1);
        let clock = Clock::new(days);
        let mut world = World::new(config.seed);
        let mut blocks = Blocks::new(config.seed, clock.start, 2 * MEAN_BLOCK_GAS * scale);
        let participants = set_up(&mut world, &mut blocks);
        let done = blocks.closed.iter().map(|block| block.transactions.len() as u64).sum();
        let mut simulation = Simulation {
            world,
            blocks,
            participants,
            clock,
            plan: Plan::default(),
            traffic: Traffic::new(config.seed, config.transactions, days),
            planted: Truth::default(),
            done,
            transactions: config.transactions,
            scale,
            random: Random::stream(config.seed, "simulation"),
        };
        simulation.check()?;
        plan_patterns(Stage {
            world: &mut simulation.world,
            participants: &mut simulation.participants,
            plan: &mut simulation.plan,
            truth: &mut simulation.planted,
            clock: &simulation.clock,
            random: Random::stream(config.seed, "plants"),
            days,
        });
        Ok(simulation)
    }

    /// Simulates the next blocks; none if the chain is complete.
    pub fn advance(&mut self, blocks: usize) -> Result<Vec<DraftBlock>> {
        while self.done < self.transactions && self.blocks.closed.len() < blocks {
            self.block()?;
        }
        if self.done >= self.transactions && self.plan.remaining() > 0 {
            return Err(stuck("the chain ended before everything planned had happened"));
        }
        Ok(std::mem::take(&mut self.blocks.closed))
    }

    fn block(&mut self) -> Result<()> {
        let earliest = self.blocks.earliest();
        let usual = self.clock.time(self.done, self.transactions).max(earliest);
        let time = self.plan.wanted_after(earliest).map_or(usual, |wanted| wanted.min(usual));
        self.blocks.open(&mut self.world, time);
        let (fewest, most) = (MIN_TRANSACTIONS * self.scale as usize, MAX_TRANSACTIONS * self.scale as usize);
        let wanted = self.gas_wanted();
        let limit = self.blocks.gas_limit;
        // Planned actions use up to four fifths of the gas; others wait for the next block.
        while self.world.drafted.len() < most * 4 / 5 {
            let room = (limit / 5 * 4).saturating_sub(self.world.gas_used);
            let Some(action) = self.plan.due(self.world.block.time, room) else { break };
            action(&mut self.world);
            self.check()?;
        }
        let mut idle = 0;
        loop {
            let count = self.world.drafted.len();
            let full = self.world.gas_used + 1_500_000 > limit || count >= most;
            let enough = self.world.gas_used >= wanted && count >= fewest;
            if full || enough || self.done + count as u64 >= self.transactions {
                break;
            }
            // The chain has exactly the requested number of transactions.
            if self.done + count as u64 + 1 == self.transactions {
                self.traffic.act_once(&mut self.world, &mut self.participants);
            } else {
                self.traffic.act(&mut self.world, &mut self.participants);
            }
            self.check()?;
            idle = if self.world.drafted.len() > count { 0 } else { idle + 1 };
            if idle > TRIES {
                return Err(stuck("no ordinary transaction is possible"));
            }
        }
        self.done += self.world.drafted.len() as u64;
        self.blocks.close(&mut self.world, &[]);
        Ok(())
    }

    /// Demand with noise; smaller if the base fee is high.
    fn gas_wanted(&mut self) -> u64 {
        let noise = self.random.between(400, 1_600);
        let base = self.world.block.base_fee;
        let pull = 2_000 * MEAN_BASE_FEE / (MEAN_BASE_FEE + base);
        let mean = self.blocks.gas_limit / 2;
        (mean * noise / 1_000 * pull / 1_000).min(self.blocks.gas_limit / 20 * 19)
    }

    fn check(&mut self) -> Result<()> {
        match self.world.fault.take() {
            Some(fault) => Err(stuck(&fault)),
            None => Ok(()),
        }
    }
}

/// The error of an inconsistent simulation.
fn stuck(what: &str) -> Error {
    Error::internal(format!("sample chain: {what}"))
}
