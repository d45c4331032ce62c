//! Router calls: trades and liquidity, in ETH or tokens.

use alloy::sol_types::{SolCall, SolValue};
use alloy_primitives::{Address, U256};

use super::abi::{Erc20, Pair, Router};
use super::narrow;
use crate::sample::world::{Ask, Id, TokenId, World};

impl World {
    fn deadline(&self) -> U256 {
        U256::from(self.block.time + 1_200)
    }

    fn ask_reserves(&mut self, router: Id, pool: usize) {
        let contract = self.pools[pool].contract;
        let [a, b] = self.pools[pool].reserves.map(U256::from);
        self.look(
            router,
            contract,
            Pair::getReservesCall {}.abi_encode(),
            (a, b, U256::from(self.block.time)).abi_encode(),
        );
    }

    fn path(&self, tokens: &[TokenId]) -> Vec<Address> {
        tokens.iter().map(|token| self.token_address(*token)).collect()
    }

    /// Buys a token with ETH. `tip` in wei per gas; `None` for a default.
    pub fn buy(&mut self, who: Id, pool: usize, wei: u128, tip: Option<u128>) -> bool {
        let weth = self.sites.weth_token;
        let side = self.pools[pool].side(weth);
        let token = self.pools[pool].tokens[1 - side];
        let router = self.sites.routers[self.pools[pool].venue];
        let expected = self.pools[pool].quote(side, wei);
        let input = Router::swapExactETHForTokensCall {
            amountOutMin: U256::from(expected - expected / 20),
            path: self.path(&[weth, token]),
            to: self.address(who),
            deadline: self.deadline(),
        };
        let mut ask = Ask::call(who, router, input.abi_encode(), 260_000).paying(wei);
        ask.tip = tip;
        if expected == 0 || !self.begin(ask) {
            return false;
        }
        self.ask_reserves(router, pool);
        self.wrap_inside(router, wei);
        let pair = self.pools[pool].contract;
        self.push_token(router, weth, pair, wei);
        let got = self.pool_swap(router, pool, side, wei, who);
        self.finish(vec![U256::from(wei), U256::from(got)].abi_encode());
        true
    }

    /// Sells a token for ETH.
    pub fn sell(&mut self, who: Id, pool: usize, amount: u128) -> bool {
        let weth = self.sites.weth_token;
        let side = 1 - self.pools[pool].side(weth);
        let token = self.pools[pool].tokens[side];
        let router = self.sites.routers[self.pools[pool].venue];
        let expected = self.pools[pool].quote(side, amount);
        let input = Router::swapExactTokensForETHCall {
            amountIn: U256::from(amount),
            amountOutMin: U256::from(expected - expected / 20),
            path: self.path(&[token, weth]),
            to: self.address(who),
            deadline: self.deadline(),
        };
        let enough = self.ledger.balance(token, who) >= amount && expected > 0;
        if !enough || !self.begin(Ask::call(who, router, input.abi_encode(), 300_000)) {
            return false;
        }
        self.ask_reserves(router, pool);
        let pair = self.pools[pool].contract;
        self.pull(router, token, who, pair, amount);
        let got = self.pool_swap(router, pool, side, amount, router);
        self.unwrap_inside(router, got);
        self.enter(router, who, got, Vec::new());
        self.leave(Vec::new());
        self.finish(vec![U256::from(amount), U256::from(got)].abi_encode());
        true
    }

    /// Trades a token for another through their WETH pools.
    pub fn trade(&mut self, who: Id, from_pool: usize, to_pool: usize, amount: u128) -> bool {
        let weth = self.sites.weth_token;
        let side = 1 - self.pools[from_pool].side(weth);
        let into = self.pools[to_pool].side(weth);
        let (token, target) = (self.pools[from_pool].tokens[side], self.pools[to_pool].tokens[1 - into]);
        let router = self.sites.routers[self.pools[from_pool].venue];
        let between = self.pools[from_pool].quote(side, amount);
        let expected = self.pools[to_pool].quote(into, between);
        let input = Router::swapExactTokensForTokensCall {
            amountIn: U256::from(amount),
            amountOutMin: U256::from(expected - expected / 20),
            path: self.path(&[token, weth, target]),
            to: self.address(who),
            deadline: self.deadline(),
        };
        let enough = self.ledger.balance(token, who) >= amount && expected > 0 && from_pool != to_pool;
        if !enough || !self.begin(Ask::call(who, router, input.abi_encode(), 380_000)) {
            return false;
        }
        self.ask_reserves(router, from_pool);
        self.ask_reserves(router, to_pool);
        let (first, second) = (self.pools[from_pool].contract, self.pools[to_pool].contract);
        self.pull(router, token, who, first, amount);
        let between = self.pool_swap(router, from_pool, side, amount, second);
        let got = self.pool_swap(router, to_pool, into, between, who);
        self.finish([amount, between, got].map(U256::from).to_vec().abi_encode());
        true
    }

    /// Adds ETH and the token at the price of the pool, or `first` of the token to an empty pool.
    pub fn add_liquidity(&mut self, who: Id, pool: usize, wei: u128, first: u128) -> bool {
        let weth = self.sites.weth_token;
        let side = self.pools[pool].side(weth);
        let token = self.pools[pool].tokens[1 - side];
        let router = self.sites.routers[self.pools[pool].venue];
        let reserves = self.pools[pool].reserves;
        let amount = if reserves[side] == 0 {
            first
        } else {
            narrow(U256::from(wei) * U256::from(reserves[1 - side]) / U256::from(reserves[side])) + 1
        };
        let input = Router::addLiquidityETHCall {
            token: self.token_address(token),
            amountTokenDesired: U256::from(amount),
            amountTokenMin: U256::from(amount - amount / 100),
            amountETHMin: U256::from(wei - wei / 100),
            to: self.address(who),
            deadline: self.deadline(),
        };
        let ask = Ask::call(who, router, input.abi_encode(), 400_000).paying(wei);
        if self.ledger.balance(token, who) < amount || !self.begin(ask) {
            return false;
        }
        self.ask_reserves(router, pool);
        let pair = self.pools[pool].contract;
        self.pull(router, token, who, pair, amount);
        self.wrap_inside(router, wei);
        self.push_token(router, weth, pair, wei);
        let mut amounts = [amount; 2];
        amounts[side] = wei;
        self.pool_mint(router, pool, amounts, who);
        self.finish((U256::from(amount), U256::from(wei)).abi_encode());
        true
    }

    /// Burns liquidity tokens for ETH and the token.
    pub fn remove_liquidity(&mut self, who: Id, pool: usize, shares: u128) -> bool {
        let weth = self.sites.weth_token;
        let side = self.pools[pool].side(weth);
        let (share, token) = (self.pools[pool].share, self.pools[pool].tokens[1 - side]);
        let router = self.sites.routers[self.pools[pool].venue];
        let input = Router::removeLiquidityETHCall {
            token: self.token_address(token),
            liquidity: U256::from(shares),
            amountTokenMin: U256::ZERO,
            amountETHMin: U256::ZERO,
            to: self.address(who),
            deadline: self.deadline(),
        };
        let enough = shares > 0 && self.ledger.balance(share, who) >= shares;
        if !enough || !self.begin(Ask::call(who, router, input.abi_encode(), 450_000)) {
            return false;
        }
        let pair = self.pools[pool].contract;
        self.pull(router, share, who, pair, shares);
        let amounts = self.pool_burn(router, pool, shares, router);
        self.push_token(router, token, who, amounts[1 - side]);
        self.unwrap_inside(router, amounts[side]);
        self.enter(router, who, amounts[side], Vec::new());
        self.leave(Vec::new());
        self.finish((U256::from(amounts[1 - side]), U256::from(amounts[side])).abi_encode());
        true
    }

    /// A trade that reverts or runs out of gas.
    pub fn failed_trade(&mut self, who: Id, pool: usize, wei: u128, error: &'static str) -> bool {
        let weth = self.sites.weth_token;
        let token = self.pools[pool].tokens[1 - self.pools[pool].side(weth)];
        let router = self.sites.routers[self.pools[pool].venue];
        let input = Router::swapExactETHForTokensCall {
            amountOutMin: U256::MAX,
            path: self.path(&[weth, token]),
            to: self.address(who),
            deadline: self.deadline(),
        };
        let ask = Ask::call(who, router, input.abi_encode(), 120_000).paying(wei).failing(error);
        if !self.begin(ask) {
            return false;
        }
        self.burn(9_000);
        self.finish(Vec::new());
        true
    }

    /// A token transfer that reverts as it exceeds the balance.
    pub fn failed_transfer(&mut self, who: Id, token: TokenId, to: Id) -> bool {
        let contract = self.ledger.tokens[token as usize].contract;
        let amount = U256::from(self.ledger.balance(token, who)) + U256::from(1);
        let input = Erc20::transferCall { to: self.address(to), amount }.abi_encode();
        if !self.begin(Ask::call(who, contract, input, 60_000).failing("Reverted")) {
            return false;
        }
        self.burn(3_000);
        self.finish(Vec::new());
        true
    }
}
