//! Bots: rule A11 in its three variants, and D6 within one application.

use serde_json::json;

use super::{GAS, Stage};
use crate::sample::clock::{DAY, HOUR};
use crate::sample::contracts::{DappKind, Visit};
use crate::sample::world::{ETH, GWEI, Id, World};

impl Stage<'_> {
    pub(super) fn bots(&mut self) {
        let (fast, fast_dapp) = self.fast();
        let (tireless, tireless_dapp) = self.tireless();
        let failing = self.failing();
        let what = json!({ "fast": self.addresses(&fast), "tireless": self.addresses(&tireless),
            "failing": self.addresses(&failing), "inside_dapps": [fast_dapp, tireless_dapp] });
        self.note("bots", what);
    }

    fn visit(&self, kind: DappKind, dapp: usize, who: Id) -> Visit {
        Visit { who, contract: self.participants.dapps_of(kind)[dapp].contracts[0], kind, fails: false }
    }

    /// 132 transactions in three hours.
    fn fast(&mut self) -> (Vec<Id>, serde_json::Value) {
        let time = self.on(8);
        let bots = self.funded(3, time, 3 * ETH);
        let token = self.participants.coins[0];
        for (number, who) in bots.clone().into_iter().enumerate() {
            let visit = self.visit(DappKind::Games, 0, who);
            let start = self.clock.day(24 + 3 * number as u64) + 9 * HOUR;
            for step in 0..132 {
                let hour = step / 33;
                let action = move |world: &mut World| {
                    let happened = match number {
                        0 => world.visit(visit),
                        1 => world.transfer_token(who, token, who, 0),
                        _ => world.wrap(who, ETH / 5_000),
                    };
                    world.must(happened, "a fast bot acts");
                };
                self.plan.at_once(start + hour * HOUR, 130_000, action);
            }
        }
        let dapp = json!({ "contract": self.world.address(self.visit(DappKind::Games, 0, bots[0]).contract), "bot": self.world.address(bots[0]) });
        (bots, dapp)
    }

    /// 2,640 transactions, more than one per hour.
    fn tireless(&mut self) -> (Vec<Id>, serde_json::Value) {
        let time = self.on(2);
        let bots = self.funded(2, time, 15 * ETH);
        let span = (self.days - 6).min(100) * DAY;
        for (number, who) in bots.clone().into_iter().enumerate() {
            let visit = self.visit(DappKind::Utilities, 1, who);
            for step in 0..2_640 {
                let time = self.clock.day(4) + step * span / 2_640;
                let action = move |world: &mut World| {
                    let happened = if number == 0 { world.visit(visit) } else { world.wrap(who, ETH / 5_000) };
                    world.must(happened, "a tireless bot acts");
                };
                self.plan.at(time, 130_000, action);
            }
        }
        let dapp = json!({ "contract": self.world.address(self.visit(DappKind::Utilities, 1, bots[0]).contract), "bot": self.world.address(bots[0]) });
        (bots, dapp)
    }

    /// 150 transactions, nearly all of which fail.
    fn failing(&mut self) -> Vec<Id> {
        let time = self.on(10);
        let bots = self.funded(2, time, 5 * ETH);
        for who in bots.clone() {
            let pool = self.participants.pools[self.random.below(4) as usize];
            for step in 0..150 {
                let time = self.clock.day(13) + step * 5 * HOUR;
                let action = move |world: &mut World| {
                    let tried = if step % 25 == 24 {
                        world.buy(who, pool, ETH / 100, Some(3 * GWEI))
                    } else {
                        world.failed_trade(who, pool, ETH / 20, "Reverted")
                    };
                    world.must(tried, "a failing bot tries");
                };
                self.plan.at(time, GAS, action);
            }
        }
        bots
    }
}
