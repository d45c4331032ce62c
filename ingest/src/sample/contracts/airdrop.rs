//! Airdrop claims and staking farms.

use alloy::sol_types::{SolCall, SolEvent};
use alloy_primitives::U256;

use super::abi::{MasterChef, MerkleDistributor};
use crate::sample::world::{Ask, Id, TokenId, World};

/// A right to claim tokens from a distributor.
#[derive(Debug, Clone, Copy)]
pub struct Claim {
    pub distributor: Id,
    pub token: TokenId,
    pub index: u64,
    pub amount: u128,
}

impl World {
    pub fn claim(&mut self, who: Id, claim: Claim) -> bool {
        let Claim { distributor, token, index, amount } = claim;
        let account = self.address(who);
        let proof = (0..10).map(|_| self.any_hash()).collect();
        let call = MerkleDistributor::claimCall {
            index: U256::from(index),
            account,
            amount: U256::from(amount),
            merkleProof: proof,
        };
        let enough = self.ledger.balance(token, distributor) >= amount;
        if !enough || !self.begin(Ask::call(who, distributor, call.abi_encode(), 150_000)) {
            return false;
        }
        self.burn(25_000);
        self.push_token(distributor, token, who, amount);
        let event = MerkleDistributor::Claimed { index: U256::from(index), account, amount: U256::from(amount) };
        self.log(distributor, event.encode_log_data());
        self.finish(Vec::new());
        true
    }

    /// Stakes tokens, mostly liquidity tokens.
    pub fn stake(&mut self, who: Id, farm: Id, pid: u64, token: TokenId, amount: u128) -> bool {
        let (pid, value) = (U256::from(pid), U256::from(amount));
        let input = MasterChef::depositCall { pid, amount: value }.abi_encode();
        let enough = amount > 0 && self.ledger.balance(token, who) >= amount;
        if !enough || !self.begin(Ask::call(who, farm, input, 190_000)) {
            return false;
        }
        self.pull(farm, token, who, farm, amount);
        self.burn(40_000);
        let user = self.address(who);
        self.log(farm, MasterChef::Deposit { user, pid, amount: value }.encode_log_data());
        self.finish(Vec::new());
        true
    }

    /// Unstakes tokens; the caller knows its stake.
    pub fn unstake(&mut self, who: Id, farm: Id, pid: u64, token: TokenId, amount: u128) -> bool {
        let (pid, value) = (U256::from(pid), U256::from(amount));
        let input = MasterChef::withdrawCall { pid, amount: value }.abi_encode();
        if self.ledger.balance(token, farm) < amount || !self.begin(Ask::call(who, farm, input, 190_000)) {
            return false;
        }
        self.push_token(farm, token, who, amount);
        self.burn(30_000);
        let user = self.address(who);
        self.log(farm, MasterChef::Withdraw { user, pid, amount: value }.encode_log_data());
        self.finish(Vec::new());
        true
    }
}
