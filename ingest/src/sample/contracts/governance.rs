//! Proposals, delegations and votes, with the events of OpenZeppelin governors.

use alloy::sol_types::{SolCall, SolEvent, SolValue};
use alloy_primitives::{Address, B256, Bytes, U256, keccak256};

use super::abi::{Governor, Votes};
use crate::sample::world::{Ask, Id, TokenId, World};

impl World {
    /// Delegates voting power. `votes` is the delegate's power before.
    pub fn delegate(&mut self, who: Id, token: TokenId, to: Id, votes: u128) -> bool {
        let contract = self.ledger.tokens[token as usize].contract;
        let power = self.ledger.balance(token, who);
        let (delegator, delegatee) = (self.address(who), self.address(to));
        let input = Votes::delegateCall { delegatee }.abi_encode();
        if !self.begin(Ask::call(who, contract, input, 130_000)) {
            return false;
        }
        self.burn(55_000);
        let changed = Votes::DelegateChanged { delegator, fromDelegate: Address::ZERO, toDelegate: delegatee };
        self.log(contract, changed.encode_log_data());
        let moved = Votes::DelegateVotesChanged {
            delegate: delegatee,
            previousBalance: U256::from(votes),
            newBalance: U256::from(votes + power),
        };
        self.log(contract, moved.encode_log_data());
        self.finish(Vec::new());
        true
    }

    /// The id of the next proposal.
    pub fn proposal_id(&self, target: Id, description: &str) -> B256 {
        let (targets, values, calldatas) = self.proposed(target);
        keccak256((targets, values, calldatas, keccak256(description)).abi_encode_params())
    }

    fn proposed(&self, target: Id) -> (Vec<Address>, Vec<U256>, Vec<Bytes>) {
        (vec![self.address(target)], vec![U256::ZERO], vec![Bytes::from_static(&[0; 4])])
    }

    /// Proposes a call of `target`.
    pub fn propose(&mut self, who: Id, governor: Id, target: Id, description: &str) -> bool {
        let (targets, values, calldatas) = self.proposed(target);
        let call = Governor::proposeCall {
            targets: targets.clone(),
            values: values.clone(),
            calldatas: calldatas.clone(),
            description: description.to_string(),
        };
        let id = self.proposal_id(target, description);
        if !self.begin(Ask::call(who, governor, call.abi_encode(), 300_000)) {
            return false;
        }
        self.burn(90_000);
        let event = Governor::ProposalCreated {
            proposalId: U256::from_be_bytes(id.0),
            proposer: self.address(who),
            targets,
            values,
            signatures: vec![String::new()],
            calldatas,
            voteStart: U256::from(self.block.number + 1),
            voteEnd: U256::from(self.block.number + 50_400),
            description: description.to_string(),
        };
        self.log(governor, event.encode_log_data());
        self.finish(id.abi_encode());
        true
    }

    /// `support`: 0 against, 1 for, 2 abstain.
    pub fn vote(&mut self, who: Id, governor: Id, proposal: B256, support: u8, weight: u128) -> bool {
        let proposal = U256::from_be_bytes(proposal.0);
        let input = Governor::castVoteCall { proposalId: proposal, support }.abi_encode();
        if !self.begin(Ask::call(who, governor, input, 110_000)) {
            return false;
        }
        self.burn(48_000);
        let event = Governor::VoteCast {
            voter: self.address(who),
            proposalId: proposal,
            support,
            weight: U256::from(weight),
            reason: String::new(),
        };
        self.log(governor, event.encode_log_data());
        self.finish(U256::from(weight).abi_encode());
        true
    }
}
