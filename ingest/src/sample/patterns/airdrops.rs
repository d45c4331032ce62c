//! Three airdrops and the wallet farms that take part in all of them: rules A3, A4, A5, A6 and A8.

use serde_json::json;

use super::Stage;
use crate::sample::clock::DAY;
use crate::sample::contracts::{Claim, DappKind, Visit};
use crate::sample::world::{ETH, Id};

/// Wallets of a farm; fewer than a twentieth of the recipients, so that their behavior is not common.
const FARM: usize = 30;
/// Actions that all wallets of a farm do on the same days, besides forwarding the tokens.
const SHARED: [usize; 8] = [2, 2, 2, 5, 5, 5, 8, 8];
/// First day and length of the period in which the farms act and the second airdrop is claimed.
const WINDOW: (u64, u64) = (18, 12);
/// Day on which the first farm forwards its tokens; each further farm a day later.
const HAND_ON: u64 = 31;

const PUSHED: u128 = 250 * ETH;
const CLAIMED: u128 = 400 * ETH;
const VOTES: u128 = 120 * ETH;

/// Indices of the tokens among the coins.
const GOVQ: usize = 3;
const QUILL: usize = 16;
const SPRIG: usize = 17;

impl Stage<'_> {
    pub(super) fn airdrops(&mut self) {
        let farms: Vec<Farm> = SHARED.iter().map(|shared| self.farm(*shared)).collect();
        let wallets: Vec<Id> = farms.iter().flat_map(|farm| farm.wallets.clone()).collect();
        self.push(&wallets);
        let start = self.on(12);
        let claimants = self.funded(900, start, ETH / 8);
        let second: Vec<Id> = wallets.iter().chain(&claimants).copied().collect();
        self.claims(1, SPRIG, CLAIMED, &second, WINDOW);
        let third: Vec<Id> = wallets.iter().chain(&claimants[..800]).copied().collect();
        self.claims(2, GOVQ, VOTES, &third, (40, 3));
        for (index, farm) in farms.iter().enumerate() {
            self.act_alike(index, farm);
            self.hand_on(index, farm);
        }
        self.note_farms(&farms);
    }

    /// A source that funds its wallets directly, days before their actions.
    fn farm(&mut self, shared: usize) -> Farm {
        let time = self.on(9);
        let source = self.funded(1, time, 6 * ETH)[0];
        let collector = self.funded(1, time, ETH / 20)[0];
        let wallets = self.world.people(FARM);
        for who in wallets.clone() {
            let time = self.clock.day(11) + self.random.below(DAY);
            self.act(time, "a farm's source funds a wallet", move |world| world.pay(source, who, ETH / 16));
        }
        Farm { source, collector, wallets, shared }
    }

    /// The first airdrop: one source sends to all recipients, in batches.
    fn push(&mut self, wallets: &[Id]) {
        let (token, treasury) = (self.participants.coins[QUILL], self.participants.treasury);
        let funded = self.on(5);
        let source = self.funded(1, funded, 4 * ETH)[0];
        let others = self.world.people(960);
        let recipients: Vec<Id> = wallets.iter().chain(&others).copied().collect();
        let total = PUSHED * recipients.len() as u128;
        self.act(self.clock.day(6), "the airdropper's tokens", move |world| {
            world.transfer_token(treasury, token, source, total)
        });
        for (index, part) in recipients.chunks(60).enumerate() {
            let part = part.to_vec();
            self.plan.at(self.clock.day(14) + 60 * index as u64, 2_900_000, move |world| {
                let sent = world.disperse_token(source, token, &part, PUSHED);
                world.must(sent, "airdrop in batches");
            });
        }
        let what = json!([{ "token": self.world.token_address(token), "kind": "pushed",
            "distributor": self.world.address(source), "through": self.world.address(self.world.sites.disperse),
            "amount": PUSHED.to_string(), "recipients": self.addresses(&recipients) }]);
        self.note("airdrops", what);
    }

    /// An airdrop that each recipient claims.
    fn claims(&mut self, number: usize, coin: usize, amount: u128, claimants: &[Id], days: (u64, u64)) {
        let (token, treasury) = (self.participants.coins[coin], self.participants.treasury);
        let distributor = self.participants.distributors[number - 1];
        let total = amount * claimants.len() as u128;
        self.act(self.clock.day(days.0 - 1), "the distributor's tokens", move |world| {
            world.transfer_token(treasury, token, distributor, total)
        });
        for (index, who) in claimants.iter().copied().enumerate() {
            let day = days.0 + self.random.below(days.1);
            let time = self.forenoon(day);
            let claim = Claim { distributor, token, index: index as u64, amount };
            self.act(time, "a claim", move |world| world.claim(who, claim));
        }
        let entry = json!({ "token": self.world.token_address(token), "kind": "claimed",
            "distributor": self.world.address(distributor), "amount": amount.to_string(),
            "recipients": self.addresses(claimants) });
        let mut all = self.truth.get("airdrops").as_array().cloned().unwrap_or_default();
        all.push(entry);
        self.note("airdrops", json!(all));
    }

    /// All wallets of a farm call the same contracts on the same days; no other farm does.
    fn act_alike(&mut self, index: usize, farm: &Farm) {
        let quiet = [DappKind::Games, DappKind::Social, DappKind::Others, DappKind::Utilities, DappKind::Market];
        let sites: Vec<(DappKind, Id)> = self
            .participants
            .dapps
            .iter()
            .filter(|dapp| quiet.contains(&dapp.kind))
            .flat_map(|dapp| dapp.contracts.iter().map(|contract| (dapp.kind, *contract)))
            .collect();
        for step in 0..farm.shared {
            // Eight farms on 30 contracts: no two farms share a contract on a day.
            let (kind, contract) = sites[(index + step * 8) % sites.len()];
            let day = WINDOW.0 + step as u64 % WINDOW.1;
            for who in farm.wallets.clone() {
                let time = self.forenoon(day);
                let visit = Visit { who, contract, kind, fails: false };
                self.act(time, "a farm wallet acts like the others", move |world| world.visit(visit));
            }
        }
    }

    /// Every wallet sends its tokens to the farm's collector: all of them or, in every second farm, 60 %.
    fn hand_on(&mut self, index: usize, farm: &Farm) {
        let (token, collector) = (self.participants.coins[SPRIG], farm.collector);
        let amount = if index.is_multiple_of(2) { CLAIMED } else { CLAIMED / 5 * 3 };
        for who in farm.wallets.clone() {
            let time = self.forenoon(HAND_ON + index as u64);
            self.act(time, "a farm wallet hands its tokens on", move |world| {
                world.transfer_token(who, token, collector, amount)
            });
        }
    }

    fn note_farms(&mut self, farms: &[Farm]) {
        let token = self.world.token_address(self.participants.coins[SPRIG]);
        let listed: Vec<_> = farms
            .iter()
            .enumerate()
            .map(|(index, farm)| {
                json!({
                    "source": self.world.address(farm.source),
                    "collector": self.world.address(farm.collector),
                    "wallets": self.addresses(&farm.wallets),
                    // Forwarding the tokens on the same day is also a common behavior.
                    "similarity": farm.shared + 1,
                    "found_at": if farm.shared < 4 { 2 } else if farm.shared < 7 { 5 } else { 8 },
                    "handed_on_percent": if index.is_multiple_of(2) { 100 } else { 60 },
                })
            })
            .collect();
        let window = (self.clock.day(WINDOW.0), self.clock.day(HAND_ON + farms.len() as u64));
        self.note(
            "sybil_farms",
            json!({ "token": token, "window": [window.0, window.1], "farms": listed, "balance_below_wei": (ETH / 10).to_string() }),
        );
    }
}

struct Farm {
    source: Id,
    collector: Id,
    wallets: Vec<Id>,
    shared: usize,
}
