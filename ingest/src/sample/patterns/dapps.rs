//! Monthly, new and lost users of applications, and users of several of a type: rules D1 to D4 and M1.

use serde_json::json;

use super::Stage;
use crate::sample::contracts::{DappKind, Visit};
use crate::sample::world::{ETH, Id};

/// Days of October and September, counted back from the end of the chain.
const LAST_MONTH: (u64, u64) = (1, 31);
const MONTH_BEFORE: (u64, u64) = (32, 61);

impl Stage<'_> {
    pub(super) fn dapp_users(&mut self) {
        let time = self.before_end(61);
        let retained = self.funded(16, time, ETH);
        let lost = self.funded(8, time, ETH);
        let several = self.funded(6, time, ETH);
        let daily = self.funded(4, time, 2 * ETH);
        let late = self.before_end(30);
        let arrived = self.funded(8, late, ETH);
        for (number, who) in retained.iter().chain(&lost).copied().enumerate() {
            self.use_dapps(who, number, MONTH_BEFORE, 4);
        }
        for (number, who) in retained.iter().chain(&arrived).copied().enumerate() {
            self.use_dapps(who, number, LAST_MONTH, 4);
        }
        for who in several.iter().copied() {
            for dapp in 0..3 {
                let day = LAST_MONTH.0 + 3 + 5 * dapp as u64;
                self.use_dapp(who, DappKind::Games, dapp, day);
            }
        }
        for who in daily.iter().copied() {
            for day in (LAST_MONTH.0 + 1..LAST_MONTH.1 - 3).chain(MONTH_BEFORE.0 + 1..MONTH_BEFORE.1 - 3) {
                self.use_dapp(who, DappKind::Social, 0, day);
            }
        }
        let games: Vec<_> = self.participants.dapps_of(DappKind::Games).iter().map(|dapp| dapp.name).collect();
        let visited_daily = self.participants.dapps_of(DappKind::Social)[0].name;
        let what = json!({
            "month": "2026-10", "month_before": "2026-09",
            "retained": self.addresses(&retained), "lost": self.addresses(&lost), "arrived": self.addresses(&arrived),
            "uses": "user n uses the first dapp of type n modulo 8, in the order of names.dapps",
            "several_of_one_type": { "users": self.addresses(&several), "type": DappKind::Games,
                "dapps": games },
            "daily": { "users": self.addresses(&daily), "dapp": visited_daily, "days_a_month_at_least": 25 },
        });
        self.note("dapp_users", what);
    }

    fn use_dapps(&mut self, who: Id, number: usize, month: (u64, u64), times: u64) {
        for step in 0..times {
            let day = month.0 + 2 + step * 6 + self.random.below(3);
            self.use_dapp(who, DappKind::ALL[number % 8], 0, day);
        }
    }

    fn use_dapp(&mut self, who: Id, kind: DappKind, place: usize, day: u64) {
        let contract = self.participants.dapps_of(kind)[place].contracts[0];
        let time = self.before_end(day);
        let visit = Visit { who, contract, kind, fails: false };
        self.act(time, "a planned visit", move |world| world.visit(visit));
    }
}
