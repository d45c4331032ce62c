//! Sandwiches and arbitrage on the pools: rules A10 and A12.

use alloy::sol_types::SolCall;
use alloy_primitives::U256;
use serde_json::json;

use super::Stage;
use crate::sample::clock::DAY;
use crate::sample::contracts::abi::{Arbitrage, Erc20, Sandwich};
use crate::sample::world::{Ask, ETH, GWEI, Id, World};

const SANDWICHES: u64 = 20;
const CYCLES: u64 = 20;

impl Stage<'_> {
    /// A bot's contract with WETH, deployed at once so that its address is known.
    fn machine(&mut self, selectors: &[[u8; 4]]) -> (Id, Id) {
        let time = self.on(2);
        let owner = self.funded(1, time, 60 * ETH)[0];
        let selectors = selectors.to_vec();
        // It is created by the owner's first transaction.
        let address = self.world.address(owner).create(0);
        let contract = self.world.accounts.add(address, true);
        let weth = self.world.sites.weth_token;
        self.act(time + DAY, "a bot's contract", move |world| world.deploy_known(owner, contract, &selectors));
        self.act(time + DAY, "a bot's WETH", move |world| world.wrap(owner, 40 * ETH));
        self.act(time + DAY, "a bot's WETH", move |world| world.transfer_token(owner, weth, contract, 40 * ETH));
        (owner, contract)
    }

    pub(super) fn sandwiches(&mut self) {
        let mut listed = Vec::new();
        for _ in 0..2 {
            let (owner, contract) = self.machine(&[Sandwich::tradeCall::SELECTOR]);
            let day = self.on(4);
            let victims = self.funded(SANDWICHES as usize, day, 4 * ETH);
            for (number, victim) in victims.iter().copied().enumerate() {
                let time = self.on(6 + number as u64 * 2);
                let pool = *self.random.pick(&self.participants.pools[..6]);
                let wei = self.random.amount(ETH / 2, 2 * ETH);
                self.plan.at(time, 900_000, move |world| {
                    let got = world.machine_trade(owner, contract, pool, None);
                    let bought = world.buy(victim, pool, wei, None);
                    let back = got.and_then(|got| world.machine_trade(owner, contract, pool, Some(got)));
                    world.must(bought && back.is_some(), "a sandwich");
                });
            }
            listed.push(json!({ "bot": self.world.address(owner), "contract": self.world.address(contract),
                "victims": self.addresses(&victims), "count": SANDWICHES }));
        }
        self.note("sandwiches", json!(listed));
    }

    pub(super) fn arbitrage(&mut self) {
        let mut listed = Vec::new();
        for _ in 0..2 {
            let (owner, contract) = self.machine(&[Arbitrage::runCall::SELECTOR]);
            let day = self.on(4);
            let movers = self.funded(CYCLES as usize, day, 9 * ETH);
            for (number, mover) in movers.into_iter().enumerate() {
                let time = self.on(7 + number as u64 * 2);
                let rival = *self.random.pick(&self.participants.rival_pools);
                let pools = self.participants.pools.clone();
                self.plan.at(time, 900_000, move |world| {
                    // A user moves the price at the smaller exchange, and the bot arbitrages it.
                    let moved = world.buy(mover, rival, 4 * ETH, None);
                    let levelled = world.level(owner, contract, &pools, rival);
                    world.must(moved && levelled, "arbitrage");
                });
            }
            listed.push(
                json!({ "bot": self.world.address(owner), "contract": self.world.address(contract), "count": CYCLES }),
            );
        }
        self.note("arbitrage", json!(listed));
    }
}

impl World {
    /// The bot buys for 3 ETH (`sold` is `None`) or sells what it bought. Returns the received amount.
    fn machine_trade(&mut self, owner: Id, contract: Id, pool: usize, sold: Option<u128>) -> Option<u128> {
        let weth = self.sites.weth_token;
        let bought_side = self.pools[pool].side(weth);
        let side = if sold.is_some() { 1 - bought_side } else { bought_side };
        let amount = sold.unwrap_or(3 * ETH);
        let pair = self.pools[pool].contract;
        let call = Sandwich::tradeCall { pool: self.address(pair), amountIn: U256::from(amount), buy: sold.is_none() };
        if !self.begin(Ask::call(owner, contract, call.abi_encode(), 250_000).tipping(4 * GWEI)) {
            return None;
        }
        let token = self.pools[pool].tokens[side];
        self.push_token(contract, token, pair, amount);
        let got = self.pool_swap(contract, pool, side, amount, contract);
        self.finish(Vec::new());
        Some(got)
    }

    /// Swaps WETH for the token at the first exchange and back at the rival in one transaction.
    fn level(&mut self, owner: Id, contract: Id, pools: &[usize], rival: usize) -> bool {
        let weth = self.sites.weth_token;
        let token = self.pools[rival].tokens[1 - self.pools[rival].side(weth)];
        let Some(first) = pools.iter().copied().find(|pool| self.pools[*pool].tokens.contains(&token)) else {
            return false;
        };
        let (first_pair, rival_pair) = (self.pools[first].contract, self.pools[rival].contract);
        let amount = ETH;
        let call = Arbitrage::runCall {
            pools: vec![self.address(first_pair), self.address(rival_pair)],
            amountIn: U256::from(amount),
        };
        if !self.begin(Ask::call(owner, contract, call.abi_encode(), 350_000).tipping(2 * GWEI)) {
            return false;
        }
        let weth_contract = self.sites.weth;
        let holder = Erc20::balanceOfCall { owner: self.address(contract) };
        let held = U256::from(self.ledger.balance(weth, contract));
        self.look(contract, weth_contract, holder.abi_encode(), held.to_be_bytes_vec());
        self.push_token(contract, weth, first_pair, amount);
        let side = self.pools[first].side(weth);
        let got = self.pool_swap(contract, first, side, amount, rival_pair);
        let side = self.pools[rival].side(token);
        self.pool_swap(contract, rival, side, got, contract);
        self.finish(Vec::new());
        true
    }
}
