//! Patterns for label rules and models to find. Each one creates its accounts, plans their actions and records the
//! ground truth; an impossible action stops the simulation.

mod airdrops;
mod bots;
mod dapps;
mod deposits;
mod flows;
mod governance;
mod liquidity;
mod nfts;
mod trades;

use serde_json::{Value, json};

use super::clock::{Clock, DAY, END};
use super::participants::Participants;
use super::plan::Plan;
use super::random::Random;
use super::truth::{Truth, addresses};
use super::world::{Id, World};

/// Maximum gas of an ordinary transaction.
const GAS: u64 = 600_000;

/// The state while planning.
pub struct Stage<'a> {
    pub world: &'a mut World,
    pub participants: &'a mut Participants,
    pub plan: &'a mut Plan,
    pub truth: &'a mut Truth,
    pub clock: &'a Clock,
    pub random: Random,
    pub days: u64,
}

/// Plans all patterns.
pub fn plan_patterns(mut stage: Stage) {
    stage.exchange_clusters();
    stage.airdrops();
    stage.bots();
    stage.sandwiches();
    stage.arbitrage();
    stage.vampire();
    stage.wash_trades();
    stage.smart_traders();
    stage.collectors();
    stage.circular_flows();
    stage.batch_funded();
    stage.self_authorized();
    stage.payouts();
    stage.network_addresses();
    stage.dormant();
    stage.dapp_users();
    stage.governance();
}

impl Stage<'_> {
    fn note(&mut self, pattern: &str, what: Value) {
        self.truth.note(pattern, what);
    }

    fn addresses(&self, ids: &[Id]) -> Value {
        json!(addresses(self.world, ids))
    }

    /// A time on a day of the chain, counted from 0.
    fn on(&mut self, day: u64) -> u64 {
        self.clock.day(day) + self.random.below(DAY)
    }

    /// A time on one of `span` days from `day`.
    fn within(&mut self, day: u64, span: u64) -> u64 {
        self.clock.day(day) + self.random.below(span * DAY)
    }

    /// A time in the morning (UTC), so that a block of the same day includes it even on a quiet chain.
    fn forenoon(&mut self, day: u64) -> u64 {
        self.clock.day(day) + DAY / 24 + self.random.below(DAY / 24 * 10)
    }

    /// A time on a day counted back from the end; 1 is the last day.
    fn before_end(&mut self, day: u64) -> u64 {
        END - day * DAY + DAY / 24 + self.random.below(DAY / 24 * 10)
    }

    /// An action with one transaction that must succeed.
    fn act(&mut self, time: u64, what: &'static str, action: impl FnOnce(&mut World) -> bool + 'static) {
        self.plan.at(time, GAS, move |world| {
            let happened = action(world);
            world.must(happened, what);
        });
    }

    /// New accounts that are funded by an exchange at that time.
    fn funded(&mut self, count: usize, time: u64, wei: u128) -> Vec<Id> {
        let people = self.world.people(count);
        for who in &people {
            let hot =
                self.participants.exchanges[self.random.below(self.participants.exchanges.len() as u64) as usize].hot;
            let who = *who;
            self.act(time, "an exchange funds a planted account", move |world| world.pay(hot, who, wei));
        }
        people
    }
}
