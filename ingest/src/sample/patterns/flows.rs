//! Flows of funds: circles, batch funding, allowances, pool payouts, and dormant users. Rules A6, A7, A16, B6 and M6.

use alloy_primitives::U256;
use serde_json::json;

use super::Stage;
use crate::sample::clock::DAY;
use crate::sample::participants::{DEAD, FIXED};
use crate::sample::world::{Ask, ETH, Id, World};

impl Stage<'_> {
    /// Funds that return after two or three hops, six times, with at most a tenth lost.
    pub(super) fn circular_flows(&mut self) {
        let mut listed = Vec::new();
        for (number, hops) in [2, 2, 2, 2, 3, 3, 3].into_iter().enumerate() {
            let time = self.on(10);
            let ring = self.funded(hops, time, 2 * ETH);
            for round in 0..6 {
                let mut amount = ETH + ETH / 10 * u128::from(self.random.below(4));
                let start = self.on(12 + round * 4 + number as u64 % 3);
                for hop in 0..hops {
                    let (from, to) = (ring[hop], ring[(hop + 1) % hops]);
                    let wei = amount;
                    self.act(start + hop as u64 * DAY / 8, "a circle of money", move |world| world.pay(from, to, wei));
                    amount = amount / 100 * 96;
                }
            }
            listed.push(json!({ "ring": self.addresses(&ring), "rounds": 6 }));
        }
        self.note("circular_flows", json!(listed));
    }

    /// Three funders of 15 wallets each: two with single payments, one in a single transaction.
    pub(super) fn batch_funded(&mut self) {
        let time = self.on(25);
        let funders = self.funded(3, time, 6 * ETH);
        let mut listed = Vec::new();
        for (number, funder) in funders.into_iter().enumerate() {
            let wallets = self.world.people(15);
            if number == 2 {
                let (time, all) = (self.on(28), wallets.clone());
                self.plan.at(time, 700_000, move |world| {
                    let sent = world.disperse_ether(funder, &all, ETH / 4);
                    world.must(sent, "a batch of first money");
                });
            } else {
                for who in wallets.clone() {
                    let time = self.within(28, 12);
                    self.act(time, "first money", move |world| world.pay(funder, who, ETH / 4));
                }
            }
            listed.push(json!({ "funder": self.world.address(funder), "wallets": self.addresses(&wallets),
                "in_one_transaction": number == 2 }));
        }
        self.note("batch_funded", json!(listed));
    }

    /// Twelve owners that approve another externally owned account, which moves their tokens.
    pub(super) fn self_authorized(&mut self) {
        let time = self.on(14);
        let owners = self.funded(12, time, ETH);
        let spenders = self.funded(6, time, ETH);
        let token = self.participants.coins[1];
        let maker = self.participants.makers[1];
        let mut listed = Vec::new();
        for (number, owner) in owners.into_iter().enumerate() {
            let spender = spenders[number / 2];
            let start = self.on(16 + number as u64);
            self.act(start, "tokens for an owner", move |world| {
                world.transfer_token(maker, token, owner, 5_000_000_000)
            });
            self.act(start + DAY / 2, "an allowance for a person", move |world| {
                world.approve(owner, token, spender, U256::from(4_000_000_000_u64))
            });
            self.act(start + DAY, "an allowance is used", move |world| {
                world.transfer_from(spender, token, owner, spender, 3_000_000_000)
            });
            listed.push(json!({ "owner": self.world.address(owner), "spender": self.world.address(spender),
                "token": self.world.token_address(token) }));
        }
        self.note("self_authorised", json!(listed));
    }

    /// Mining pools pay their members every ten days.
    pub(super) fn payouts(&mut self) {
        let pools = self.participants.pool_operators.clone();
        let mut listed = Vec::new();
        for pool in pools {
            let members = self.world.people(4);
            for day in (10..self.days - 2).step_by(10) {
                for who in members.clone() {
                    let time = self.on(day);
                    self.plan.at(time, 21_000, move |world: &mut World| {
                        let share = world.balance(pool) / 5;
                        // A pool with small earnings skips the payout.
                        if share > ETH / 1_000 {
                            let paid = world.pay(pool, who, share);
                            world.must(paid, "a pool pays a member");
                        }
                    });
                }
            }
            listed.push(json!({ "pool": self.world.address(pool), "members": self.addresses(&members) }));
        }
        self.note("pool_payouts", json!(listed));
    }

    /// Payments to addresses without an owner, and deposits that the deposit contract rejects.
    pub(super) fn network_addresses(&mut self) {
        let time = self.on(5);
        let people = self.funded(4, time, ETH);
        let [zero, dead, precompile, deposits] = FIXED;
        for who in people.iter().copied() {
            let time = self.within(7, 40);
            for to in [zero, dead] {
                self.act(time, "a payment to nobody", move |world| world.pay(who, to, ETH / 500));
            }
            self.act(time, "a call of a precompile", move |world| {
                world.send(Ask::call(who, precompile, b"quarry".to_vec(), 40_000))
            });
            self.act(time, "a refused deposit", move |world| {
                world.send(Ask::call(who, deposits, vec![0x22, 0x89, 0x51, 0x18], 60_000).failing("Reverted"))
            });
        }
        let what = json!({ "addresses": self.addresses(&FIXED), "senders": self.addresses(&people) });
        self.note("network_addresses", what);
    }

    /// Users with three transactions in the first days and none afterwards: dormant if the chain is long enough.
    pub(super) fn dormant(&mut self) {
        let time = self.on(1);
        let people: Vec<Id> = self.funded(15, time, ETH);
        for who in people.clone() {
            for day in [3, 4, 5] {
                let time = self.on(day);
                self.act(time, "an early payment", move |world| world.pay(who, DEAD, ETH / 1_000));
            }
        }
        let asleep = self.days.saturating_sub(7);
        let what = json!({ "addresses": self.addresses(&people), "asleep_days_at_least": asleep,
            "meets_rule_of_365_days": asleep > 365 });
        self.note("early_leavers", what);
    }
}
