//! Delegations, proposals and votes.

use serde_json::json;

use super::Stage;
use crate::sample::world::{ETH, Id};

/// Index of the governance token among the coins.
const GOVQ: usize = 3;

const PROPOSALS: [&str; 4] = [
    "Fund the library for a year",
    "Lower the fee of the first pool",
    "Give the treasury's fees to stakers",
    "Appoint a new security council",
];

impl Stage<'_> {
    pub(super) fn governance(&mut self) {
        let (token, governor, treasury) =
            (self.participants.coins[GOVQ], self.participants.governor, self.participants.treasury);
        let time = self.on(30);
        let voters = self.funded(60, time, ETH / 2);
        let mut power = vec![0_u128; voters.len()];
        let mut delegations = Vec::new();
        for (number, who) in voters.iter().copied().enumerate() {
            let held = ETH * u128::from(self.random.amount(500, 60_000) as u64);
            let time = self.on(32);
            self.act(time, "a voter's tokens", move |world| world.transfer_token(treasury, token, who, held));
            // The first ten are delegates: others delegate to one of them, every third to itself.
            let to = if number < 10 || number % 3 == 0 { number } else { self.random.below(10) as usize };
            let (before, delegate) = (power[to], voters[to]);
            power[to] += held;
            let time = self.clock.day(34) + 60 * number as u64;
            self.act(time, "a delegation", move |world| world.delegate(who, token, delegate, before));
            delegations.push(json!({ "from": self.world.address(who), "to": self.world.address(delegate),
                "votes": held.to_string() }));
        }
        let mut proposals = Vec::new();
        for (number, text) in PROPOSALS.into_iter().enumerate() {
            let day = 37 + 5 * number as u64;
            let (proposer, target) = (voters[number], self.participants.farm);
            let id = self.world.proposal_id(target, text);
            let time = self.clock.day(day);
            self.act(time, "a proposal", move |world| world.propose(proposer, governor, target, text));
            let mut counted = [0_u128; 3];
            for (place, who) in voters.iter().copied().enumerate().filter(|(place, _)| power[*place] > 0) {
                let support = [1, 1, 1, 0, 2][(place + number) % 5];
                let weight = power[place];
                counted[usize::from(support)] += weight;
                let time = self.within(day + 1, 3);
                self.act(time, "a vote", move |world| world.vote(who, governor, id, support, weight));
            }
            proposals.push(json!({ "id": id, "proposer": self.world.address(proposer), "description": text,
                "against": counted[0].to_string(), "for": counted[1].to_string(), "abstain": counted[2].to_string() }));
        }
        let electors: Vec<Id> =
            voters.iter().copied().enumerate().filter(|(place, _)| power[*place] > 0).map(|(_, who)| who).collect();
        let what = json!({ "governor": self.world.address(governor), "token": self.world.token_address(token),
            "delegations": delegations, "proposals": proposals, "voters": self.addresses(&electors) });
        self.note("governance", what);
    }
}
