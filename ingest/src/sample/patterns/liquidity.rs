//! A vampire attack: liquidity moves from a pool to the rival's pool of the same pair. Rule A13.

use serde_json::json;

use super::{GAS, Stage};
use crate::sample::clock::DAY;
use crate::sample::world::{ETH, Id, World};

const PROVIDERS: usize = 36;
const MIGRATORS: usize = 28;
/// The day on which the rival starts rewards.
const ATTACK: u64 = 30;
/// Index of the attacked pair in the rival's farm.
const PID: u64 = 1;

impl Stage<'_> {
    pub(super) fn vampire(&mut self) {
        let [victim, attacker] = self.participants.vampire_pools;
        let farm = self.participants.farm;
        let time = self.on(4);
        let providers = self.funded(PROVIDERS, time, 6 * ETH);
        for who in providers.iter().copied() {
            let time = self.within(6, 7);
            let share = ETH * u128::from(self.random.between(12, 25)) / 10;
            self.plan.at(time, 2 * GAS, move |world| {
                // Buys slightly more than the deposit needs.
                let entered = world.buy(who, victim, share + share / 10, None) && world.provide(who, victim, share);
                world.must(entered, "a provider enters the victim's pool");
            });
        }
        let (migrators, loyal) = providers.split_at(MIGRATORS);
        for who in migrators.iter().copied() {
            let left = self.within(ATTACK, 6);
            let entered = left + DAY / 12 + self.random.below(4 * DAY);
            self.act(left, "a provider leaves the victim's pool", move |world| world.withdraw_all(who, victim));
            self.plan.at(entered, 2 * GAS, move |world| {
                let moved = world.provide(who, attacker, ETH) && world.stake_all(who, farm, attacker);
                world.must(moved, "a provider enters the attacker's pool");
            });
        }
        // A few withdraw a part of their stake.
        for who in migrators.iter().copied().step_by(4) {
            let time = self.on(ATTACK + 20);
            let share = self.world.pools[attacker].share;
            self.act(time, "a staker leaves the farm", move |world| world.unstake(who, farm, PID, share, 1_000_000));
        }
        let what = json!({
            "victim_pool": self.world.address(self.world.pools[victim].contract),
            "attacker_pool": self.world.address(self.world.pools[attacker].contract),
            "farm": self.world.address(farm), "pid": PID,
            "from": self.clock.day(ATTACK), "to": self.clock.day(ATTACK + 12),
            "migrators": self.addresses(migrators), "loyal": self.addresses(loyal),
        });
        self.note("vampire_attack", what);
        self.participants.planted_providers.extend(&providers);
    }
}

impl World {
    /// Adds about `wei` of ETH, limited by the tokens held.
    fn provide(&mut self, who: Id, pool: usize, wei: u128) -> bool {
        let weth = self.sites.weth_token;
        let side = self.pools[pool].side(weth);
        let token = self.pools[pool].tokens[1 - side];
        let held = self.ledger.balance(token, who);
        let [ether, tokens] = [self.pools[pool].reserves[side], self.pools[pool].reserves[1 - side]];
        let most = crate::sample::contracts::share_of(held, ether, tokens);
        self.add_liquidity(who, pool, wei.min(most - most / 100), 0)
    }

    fn withdraw_all(&mut self, who: Id, pool: usize) -> bool {
        let shares = self.ledger.balance(self.pools[pool].share, who);
        self.remove_liquidity(who, pool, shares)
    }

    fn stake_all(&mut self, who: Id, farm: Id, pool: usize) -> bool {
        let share = self.pools[pool].share;
        let shares = self.ledger.balance(share, who);
        self.stake(who, farm, PID, share, shares)
    }
}
