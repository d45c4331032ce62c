//! Wash traders, profitable traders and collectors of NFTs: rules A14, A15 and M5.

use serde_json::json;

use super::{GAS, Stage};
use crate::sample::clock::DAY;
use crate::sample::world::{ETH, Id, Sale, World};

/// Collections that ordinary users do not trade.
const PRIVATE: [usize; 2] = [14, 15];

impl Stage<'_> {
    /// Mints a token that ordinary users do not trade; `then` receives its index.
    fn mint(&mut self, time: u64, who: Id, collection: usize, then: impl FnOnce(&mut World, usize) -> bool + 'static) {
        self.plan.at(time, 4 * GAS, move |world| {
            let item = world.mint_nfts(who, collection, 1, ETH / 100);
            let happened = item.is_some_and(|item| {
                world.ledger.collections[collection].reserved.insert(item);
                then(world, item)
            });
            world.must(happened, "a planted NFT");
        });
    }

    /// A sale of token `item` of a private collection.
    fn sale(&mut self, time: u64, collection: usize, item: usize, buyer: Id, price: u128) {
        self.act(time, "a planted sale", move |world| world.buy_nft(Sale { collection, item, buyer, price }));
    }

    pub(super) fn wash_trades(&mut self) {
        let time = self.on(15);
        let pairs = self.funded(12, time, 4 * ETH);
        let alone = self.funded(4, time, 3 * ETH);
        let funders = self.funded(3, time, 12 * ETH);
        let mut rings = Vec::new();
        // Tokens of private collections are minted in the order of planning, each day by one pattern only.
        let mut next = [0, 0];
        for pair in pairs.chunks(2) {
            let item = next[0];
            next[0] += 1;
            self.mint(self.clock.day(17) + item as u64, pair[0], PRIVATE[0], |_, _| true);
            for step in 0..6 {
                let (time, price) = (self.clock.day(18 + step as u64) + item as u64, ETH / 2 + ETH / 10 * step);
                self.sale(time, PRIVATE[0], item, pair[(step as usize + 1) % 2], price);
            }
        }
        for who in alone.iter().copied() {
            let item = next[0];
            next[0] += 1;
            self.mint(self.clock.day(17) + item as u64, who, PRIVATE[0], |_, _| true);
            for step in 0..2 {
                self.sale(self.clock.day(26 + step) + item as u64, PRIVATE[0], item, who, ETH);
            }
        }
        for funder in funders.iter().copied() {
            let wallets = self.world.people(4);
            for who in wallets.clone() {
                let time = self.clock.day(16) + DAY / 2;
                self.act(time, "a ring's wallet is funded", move |world| world.pay(funder, who, 2 * ETH));
            }
            let item = next[1];
            next[1] += 1;
            self.mint(self.clock.day(18) + item as u64, wallets[0], PRIVATE[1], |_, _| true);
            for (day, buyer) in (21..).zip(wallets.iter().copied().skip(1)) {
                let time = self.clock.day(day) + item as u64;
                self.sale(time, PRIVATE[1], item, buyer, ETH);
            }
            rings.push(json!({ "funder": self.world.address(funder), "wallets": self.addresses(&wallets) }));
        }
        let collections: Vec<_> =
            PRIVATE.iter().map(|place| self.world.address(self.world.ledger.collections[*place].contract)).collect();
        let back_and_forth: Vec<_> = pairs.chunks(2).map(|pair| self.addresses(pair)).collect();
        let what = json!({ "collections": collections, "back_and_forth": back_and_forth,
            "buyer_is_seller": self.addresses(&alone), "common_funder": rings });
        self.note("wash_trades", what);
    }

    /// Six traders that buy low and sell high, twelve times each in four collections.
    pub(super) fn smart_traders(&mut self) {
        let time = self.on(20);
        let traders = self.funded(6, time, 9 * ETH);
        let sellers = self.funded(12, time, ETH);
        let buyers = self.funded(12, time, 14 * ETH);
        for (number, trader) in traders.iter().copied().enumerate() {
            for deal in 0..12 {
                let collection = (number + deal % 4) % 14;
                let (seller, buyer) = (sellers[deal], buyers[(deal + number) % 12]);
                let price = ETH / 10 * u128::from(self.random.between(2, 5));
                let start = self.on(22 + deal as u64 * 2);
                let sold = start + DAY + self.random.below(6 * DAY);
                let gain = price * u128::from(self.random.between(17, 24)) / 10;
                self.mint(start, seller, collection, move |world, item| {
                    let bought = world.buy_nft(Sale { collection, item, buyer: trader, price });
                    world.promised.push(Sale { collection, item, buyer, price: gain });
                    bought
                });
                self.act(sold, "a skilled trader sells", move |world| world.keep_promise(trader, collection));
            }
        }
        let what = json!({ "traders": self.addresses(&traders), "sold_each": 12, "collections_each": 4 });
        self.note("smart_nft_traders", what);
    }

    /// Eight holders of tokens of twelve collections.
    pub(super) fn collectors(&mut self) {
        let time = self.on(6);
        let people = self.funded(8, time, 2 * ETH);
        for who in people.iter().copied() {
            for collection in 0..12 {
                let time = self.on(8 + collection as u64 * 2);
                self.mint(time, who, collection, |_, _| true);
            }
        }
        let what = json!({ "collectors": self.addresses(&people), "collections_each": 12 });
        self.note("nft_collectors", what);
    }
}

impl World {
    /// Executes the first planned sale of a token of `seller` in a collection.
    fn keep_promise(&mut self, seller: Id, collection: usize) -> bool {
        let place = self.promised.iter().position(|sale| {
            sale.collection == collection && self.ledger.collections[collection].owners[sale.item].0 == seller
        });
        place.is_some_and(|place| {
            let sale = self.promised.remove(place);
            self.buy_nft(sale)
        })
    }
}
