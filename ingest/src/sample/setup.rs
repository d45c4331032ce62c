//! The first blocks: validator exits, contract deployments, token launches, pools.

use alloy_primitives::{Address, U256, address};

use super::blocks::{Blocks, Proposer};
use super::contracts::{DappKind, deploy};
use super::participants::{Dapp, Exchange, Participants};
use super::world::{ETH, Id, TokenId, World};

/// The beacon chain's deposit contract, as on mainnet.
pub(super) const DEPOSIT_CONTRACT: Address = address!("00000000219ab540356cbb839cbe05303d7705fa");

/// Stablecoins.
pub(super) const DOLLARS: [&str; 2] = [COINS[0].0, COINS[1].0];

/// Symbol, decimals, supply in units, units per ETH, ETH in its first pool.
type Coin = (&'static str, u32, u128, u128, u128);

/// Tokens of the chain. The first two follow the dollar; `GOVQ` has votes.
const COINS: [Coin; 18] = [
    ("USDQ", 6, 4_000_000_000, 2_500, 900),
    ("USDR", 6, 2_000_000_000, 2_500, 600),
    ("BTCQ", 8, 400_000, 1, 800),
    ("GOVQ", 18, 100_000_000, 900, 300),
    ("LARK", 18, 50_000_000, 1_200, 240),
    ("FERN", 18, 80_000_000, 1_500, 260),
    ("MOSS", 18, 60_000_000, 2_200, 220),
    ("OTTER", 18, 900_000_000, 40_000, 180),
    ("PLUM", 18, 200_000_000, 9_000, 160),
    ("SLATE", 18, 120_000_000, 5_200, 150),
    ("TIDE", 18, 70_000_000, 3_100, 140),
    ("WREN", 18, 300_000_000, 18_000, 120),
    ("ALDER", 18, 40_000_000, 2_600, 110),
    ("BRIO", 18, 600_000_000, 52_000, 100),
    ("CLAY", 18, 90_000_000, 7_300, 90),
    ("DUNE", 18, 1_000_000_000, 120_000, 80),
    ("QUILL", 18, 100_000_000, 6_000, 120),
    ("SPRIG", 18, 100_000_000, 8_000, 120),
];

const EXCHANGES: [&str; 4] = ["Northgate", "Tidewater", "Juniper", "Halcyon"];

/// Names and weights of the large proposers.
const POOLS: [(&str, u64); 12] = [
    ("Alder Staking", 200),
    ("Northgate Validators", 160),
    ("Copper Pool", 130),
    ("Meridian", 110),
    ("Tidewater Validators", 90),
    ("Lantern", 70),
    ("Basalt", 55),
    ("Hearth", 40),
    ("Kestrel", 30),
    ("Willow", 25),
    ("Quarry Stone", 22),
    ("Saltmarsh", 20),
];

const DAPPS: [(DappKind, [&str; 3]); 8] = [
    (DappKind::Games, ["Dragon Yard", "Card Harbour", "Star Orchard"]),
    (DappKind::Finance, ["Lendwell", "Stillwater Savings", "Harbour Credit"]),
    (DappKind::Betting, ["Oddly", "Coin Toss Club", "Match Day"]),
    (DappKind::Market, ["Stall", "Open Bazaar", "Second Shelf"]),
    (DappKind::Social, ["Town Square", "Pebble", "Letterbox"]),
    (DappKind::Others, ["Name Post", "Seed Vault", "Weather Jar"]),
    (DappKind::Utilities, ["Notary", "Time Stamp", "Paper Trail"]),
    (DappKind::HighRisk, ["Ever Yield", "Double Up", "Golden Ladder"]),
];

const COLLECTIONS: [&str; 16] = [
    "Granite Cats",
    "Paper Boats",
    "Night Herons",
    "Lost Keys",
    "Tin Robots",
    "Glass Foxes",
    "Clay Masks",
    "Moon Maps",
    "Salt Crystals",
    "Old Radios",
    "Sleepy Bears",
    "Pocket Suns",
    "River Stones",
    "Ink Blots",
    "Velvet Moths",
    "Echo Rings",
];

/// Creates the initial accounts and contracts.
pub fn set_up(world: &mut World, blocks: &mut Blocks) -> Participants {
    // In the order of `participants::FIXED`.
    for fixed in [
        address!("0000000000000000000000000000000000000000"),
        address!("000000000000000000000000000000000000dead"),
        address!("0000000000000000000000000000000000000004"),
        DEPOSIT_CONTRACT,
    ] {
        world.accounts.add(fixed, false);
    }
    let exchanges: Vec<Exchange> =
        EXCHANGES.iter().map(|name| Exchange { name, hot: world.person(), deposits: Vec::new() }).collect();
    let mut participants =
        Participants::new(exchanges, world.people(14), world.people(4), world.person(), world.people(3));
    for (name, weight) in POOLS {
        let id = world.person();
        participants.pool_operators.push(id);
        blocks.proposers.push(Proposer { id, name, weight, blocks: 0, tips: 0 });
    }
    for id in world.people(30) {
        blocks.proposers.push(Proposer { id, name: "", weight: 3, blocks: 0, tips: 0 });
    }
    let hot: Vec<Id> = participants.exchanges.iter().map(|exchange| exchange.hot).collect();
    blocks.stakers =
        hot.iter().cycle().take(12).chain(&participants.whales).chain(&participants.makers).copied().collect();
    bring_ether(world, blocks, &participants, &hot);
    let mut setup = Setup { world, blocks, participants: &mut participants };
    setup.begin();
    setup.contracts();
    setup.tokens(&hot);
    setup.pools();
    setup.range_pools();
    setup.collections();
    setup.dapps();
    setup.end();
    participants
}

/// Genesis and six blocks of withdrawals: all ETH enters here or in later withdrawals.
fn bring_ether(world: &mut World, blocks: &mut Blocks, participants: &Participants, hot: &[Id]) {
    let holders =
        |list: &[Id], each: usize| -> Vec<Id> { list.iter().copied().cycle().take(list.len() * each).collect() };
    let mut exits = holders(hot, 10);
    exits.extend(holders(&participants.whales, 2));
    exits.extend(holders(&participants.makers, 6));
    exits.extend([participants.treasury; 4]);
    let mut parts = exits.chunks(16);
    loop {
        let time = blocks.earliest();
        blocks.open(world, time);
        if blocks.count == 0 {
            blocks.close(world, &[]);
            continue;
        }
        let part = parts.next();
        blocks.close(world, part.unwrap_or(&[]));
        if part.is_none() {
            break;
        }
    }
}

struct Setup<'a> {
    world: &'a mut World,
    blocks: &'a mut Blocks,
    participants: &'a mut Participants,
}

impl Setup<'_> {
    fn begin(&mut self) {
        let time = self.blocks.earliest();
        self.blocks.open(self.world, time);
    }

    fn end(&mut self) {
        self.blocks.close(self.world, &[]);
    }

    /// Continues in the next block when the current one is half full.
    fn room(&mut self) {
        if self.world.gas_used > self.blocks.gas_limit / 2 || self.world.drafted.len() >= 100 {
            self.end();
            self.begin();
        }
    }

    fn must(&mut self, happened: bool, what: &str) {
        self.world.must(happened, what);
        self.room();
    }

    /// Deploys, or records the error and returns the zero account.
    fn deploy(&mut self, selectors: &[[u8; 4]]) -> Id {
        let id = self.world.deploy(self.participants.treasury, selectors);
        self.must(id.is_some(), "deployment");
        id.unwrap_or(0)
    }

    fn contracts(&mut self) {
        let weth = self.world.launch_weth(self.participants.treasury);
        self.must(weth.is_some(), "WETH");
        for venue in 0..2 {
            self.world.sites.factories[venue] = self.deploy(deploy::PAIR_FACTORY);
            self.world.sites.routers[venue] = self.deploy(deploy::ROUTER);
        }
        self.world.sites.range_factory = self.deploy(deploy::RANGE_FACTORY);
        self.world.sites.range_router = self.deploy(deploy::RANGE_ROUTER);
        self.world.sites.market = self.deploy(deploy::MARKET);
        self.world.sites.disperse = self.deploy(deploy::DISPERSE);
        self.world.sites.delegate_code = self.deploy(deploy::WALLET);
        self.participants.governor = self.deploy(deploy::GOVERNOR);
        self.participants.farm = self.deploy(deploy::FARM);
        self.participants.distributors = vec![self.deploy(deploy::DISTRIBUTOR), self.deploy(deploy::DISTRIBUTOR)];
        for _ in 0..self.participants.sequencers.len() {
            let inbox = self.deploy(deploy::WALLET);
            self.participants.inboxes.push(inbox);
        }
    }

    /// Launches all tokens; founders receive two fifths, each exchange a twentieth.
    fn tokens(&mut self, hot: &[Id]) {
        let treasury = self.participants.treasury;
        for (index, (symbol, decimals, units, _, _)) in COINS.into_iter().enumerate() {
            let token = self.world.launch_token(treasury, symbol, decimals, units);
            self.must(token.is_some(), symbol);
            let Some(token) = token else { continue };
            self.participants.coins.push(token);
            let supply = units * 10u128.pow(decimals);
            let maker = self.participants.makers[index % self.participants.makers.len()];
            let done = self.world.transfer_token(treasury, token, maker, supply / 5 * 2);
            self.must(done, "the maker's tokens");
            for exchange in hot {
                let done = self.world.transfer_token(treasury, token, *exchange, supply / 20);
                self.must(done, "an exchange's tokens");
            }
        }
    }

    /// Pools of all tokens with WETH at the first exchange; the second one has four.
    fn pools(&mut self) {
        for (index, (_, decimals, _, per_eth, ether)) in COINS.into_iter().enumerate() {
            let (token, maker) =
                (self.participants.coins[index], self.participants.makers[index % self.participants.makers.len()]);
            for venue in 0..2 {
                if venue == 1 && !matches!(index, 2 | 4 | 5 | 7) {
                    continue;
                }
                let weth = self.world.sites.weth_token;
                let pool = self.world.create_pool(maker, venue, weth, token);
                self.must(pool.is_some(), "pool");
                let Some(pool) = pool else { continue };
                // The rival's pool of FERN starts small: its liquidity moves later from the first exchange.
                let ether = if venue == 0 { ether * ETH } else { ether * ETH / 4 };
                let first = ether / ETH * per_eth * 10u128.pow(decimals);
                let done = self.world.add_liquidity(maker, pool, ether, first);
                self.must(done, "first liquidity");
                match (venue, index) {
                    (0, 5) => self.participants.vampire_pools[0] = pool,
                    (1, 5) => self.participants.vampire_pools[1] = pool,
                    (0, _) => self.participants.pools.push(pool),
                    _ => self.participants.rival_pools.push(pool),
                }
            }
        }
    }

    fn range_pools(&mut self) {
        let weth = self.world.sites.weth_token;
        for index in [0, 1, 2, 4] {
            let (_, decimals, _, per_eth, ether) = COINS[index];
            let (token, maker) =
                (self.participants.coins[index], self.participants.makers[index % self.participants.makers.len()]);
            let wrapped = self.world.wrap(maker, ether * ETH);
            self.must(wrapped, "a maker's WETH");
            let amounts = [ether * ETH, ether * per_eth * 10u128.pow(decimals)];
            let made = self.world.create_range_pool(maker, [weth, token], amounts, 3_000);
            self.must(made, "range pool");
        }
    }

    fn collections(&mut self) {
        for name in COLLECTIONS {
            let made = self.world.launch_collection(self.participants.treasury, name, 1_000_000);
            self.must(made.is_some(), name);
        }
        for kinds in [8, 20, 5] {
            let made = self.world.launch_items(self.participants.treasury, kinds);
            self.must(made.is_some(), "items");
        }
    }

    fn dapps(&mut self) {
        for (kind, names) in DAPPS {
            for name in names {
                let contracts = vec![self.deploy(deploy::DAPP), self.deploy(deploy::DAPP)];
                self.participants.dapps.push(Dapp { name, kind, contracts });
            }
        }
        let spender = self.world.sites.routers[0];
        let token: TokenId = self.world.sites.weth_token;
        let done = self.world.approve(self.participants.treasury, token, spender, U256::MAX);
        self.must(done, "approval");
    }
}
