//! Opens and closes blocks: proposers, fees by EIP-1559 and EIP-4844, withdrawals and rewards.

use alloy::eips::eip1559::BaseFeeParams;
use alloy::eips::eip1559::calc_next_block_base_fee;
use alloy::eips::eip4895::Withdrawal;
use alloy::eips::eip7840::BlobParams;

use super::clock::SLOT;
use super::random::Random;
use super::seal::DraftBlock;
use super::token_metadata::TokenMetadata;
use super::world::{BlockView, ETH, GWEI, Id, World};

/// The reward of every block.
const REWARD: u128 = 45 * ETH / 1_000;
/// Maximum withdrawals of a block.
const WITHDRAWALS: usize = 16;

/// A proposer of blocks.
pub struct Proposer {
    pub id: Id,
    pub name: &'static str,
    /// Its weight among all proposers.
    pub weight: u64,
    pub blocks: u64,
    /// Received priority fees in wei.
    pub tips: u128,
}

/// The block-level state of the chain.
pub struct Blocks {
    pub gas_limit: u64,
    pub proposers: Vec<Proposer>,
    /// Owners of validators, which receive the withdrawals.
    pub stakers: Vec<Id>,
    pub closed: Vec<DraftBlock>,
    pub count: u64,
    random: Random,
    parent: Parent,
    proposer: usize,
    tips_before: u128,
    withdrawals: u64,
    token_metadata: TokenMetadata,
}

/// The values that a block takes from its parent.
struct Parent {
    time: u64,
    base_fee: u64,
    gas_used: u64,
    blob_gas_used: u64,
    excess_blob_gas: u64,
}

impl Blocks {
    pub fn new(seed: u64, start: u64, gas_limit: u64) -> Blocks {
        Blocks {
            gas_limit,
            proposers: Vec::new(),
            stakers: Vec::new(),
            closed: Vec::new(),
            count: 0,
            random: Random::stream(seed, "blocks"),
            // The fee falls during the empty first blocks.
            parent: Parent {
                time: start - SLOT,
                base_fee: 6 * GWEI as u64,
                gas_used: gas_limit / 2,
                blob_gas_used: 0,
                excess_blob_gas: 0,
            },
            proposer: 0,
            tips_before: 0,
            withdrawals: 0,
            token_metadata: TokenMetadata::default(),
        }
    }

    /// Earliest time of the next block.
    pub fn earliest(&self) -> u64 {
        self.parent.time + SLOT
    }

    fn excess_blob_gas(&self) -> u64 {
        let Parent { base_fee, blob_gas_used, excess_blob_gas, .. } = self.parent;
        BlobParams::prague().next_block_excess_blob_gas_osaka(excess_blob_gas, blob_gas_used, base_fee)
    }

    /// Starts a block at a time, not before `earliest`.
    pub fn open(&mut self, world: &mut World, time: u64) {
        let sum = self.proposers.iter().map(|proposer| proposer.weight).sum();
        let mut draw = self.random.below(sum);
        self.proposer = 0;
        while draw >= self.proposers[self.proposer].weight {
            draw -= self.proposers[self.proposer].weight;
            self.proposer += 1;
        }
        let parent = &self.parent;
        let base_fee =
            calc_next_block_base_fee(parent.gas_used, self.gas_limit, parent.base_fee, BaseFeeParams::ethereum());
        world.block = BlockView {
            number: self.count,
            time: time.max(self.earliest()),
            base_fee,
            blob_fee: BlobParams::prague().calc_blob_fee(self.excess_blob_gas()),
            proposer: self.proposers[self.proposer].id,
        };
        world.gas_used = 0;
        world.blob_gas_used = 0;
        self.tips_before = world.balance(world.block.proposer);
    }

    /// Ends the block: `exits` validators exit with 2,048 ETH each, the others withdraw their rewards.
    pub fn close(&mut self, world: &mut World, exits: &[Id]) {
        let transactions = std::mem::take(&mut world.drafted);
        let proposer = &mut self.proposers[self.proposer];
        proposer.blocks += 1;
        let base = u128::from(world.block.base_fee);
        proposer.tips += transactions
            .iter()
            .map(|sent| u128::from(sent.receipt.gas_used) * (sent.receipt.effective_gas_price - base))
            .sum::<u128>();
        let reward = if self.count == 0 { 0 } else { REWARD };
        world.credit(world.block.proposer, reward);
        let withdrawals = if self.count == 0 { Vec::new() } else { self.pay_stakers(world, exits) };
        let draft = DraftBlock {
            number: self.count,
            time: world.block.time,
            proposer: world.address(world.block.proposer),
            extra_data: self.proposers[self.proposer].name,
            gas_limit: self.gas_limit,
            gas_used: world.gas_used,
            base_fee: world.block.base_fee,
            blob_gas_used: world.blob_gas_used,
            excess_blob_gas: self.excess_blob_gas(),
            transactions,
            withdrawals,
            reward,
            tokens: self.token_metadata.take(world),
        };
        self.parent = Parent {
            time: draft.time,
            base_fee: draft.base_fee,
            gas_used: draft.gas_used,
            blob_gas_used: draft.blob_gas_used,
            excess_blob_gas: draft.excess_blob_gas,
        };
        self.count += 1;
        self.closed.push(draft);
    }

    fn pay_stakers(&mut self, world: &mut World, exits: &[Id]) -> Vec<Withdrawal> {
        let mut paid = Vec::with_capacity(WITHDRAWALS);
        for slot in 0..WITHDRAWALS {
            let (owner, gwei) = match exits.get(slot) {
                Some(owner) => (*owner, 2_048 * 1_000_000_000),
                // One in four is an exit of a 32 ETH validator, the others are rewards.
                None => {
                    let owner = *self.random.pick(&self.stakers);
                    let part = self.random.between(12_000_000, 60_000_000);
                    (owner, if self.random.chance(1, 4) { 32_000_000_000 + part } else { part })
                }
            };
            world.credit(owner, u128::from(gwei) * GWEI);
            paid.push(Withdrawal {
                index: self.withdrawals,
                validator_index: 1_000 + self.withdrawals * 7 % 900_000,
                address: world.address(owner),
                amount: gwei,
            });
            self.withdrawals += 1;
        }
        paid
    }
}
