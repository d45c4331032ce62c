//! Constant-product pools with a fee of 0.3 %, as in Uniswap V2.

use alloy::sol_types::{SolCall, SolEvent, SolValue};
use alloy_primitives::{U256, aliases::U112};

use super::abi::{Pair, PairFactory};
use super::deploy::PAIR;
use super::narrow;
use crate::sample::world::{Ask, Id, Pool, Token, TokenId, World};

/// Locked liquidity of the first provider, which keeps the pool from being emptied.
const LOCKED: u128 = 1_000;

impl Pool {
    /// Index of a token in the pool.
    pub fn side(&self, token: TokenId) -> usize {
        usize::from(self.tokens[1] == token)
    }

    /// The amount that `paid` of the token on `side` buys.
    pub fn quote(&self, side: usize, paid: u128) -> u128 {
        let with_fee = U256::from(paid) * U256::from(997);
        let (have, want) = (U256::from(self.reserves[side]), U256::from(self.reserves[1 - side]));
        narrow(with_fee * want / (have * U256::from(1000) + with_fee))
    }
}

impl World {
    /// Creates a pool of two tokens with a factory.
    pub fn create_pool(&mut self, creator: Id, venue: usize, a: TokenId, b: TokenId) -> Option<usize> {
        let factory = self.sites.factories[venue];
        let (address_a, address_b) = (self.token_address(a), self.token_address(b));
        let tokens = if address_a < address_b { [a, b] } else { [b, a] };
        let call = PairFactory::createPairCall { tokenA: address_a, tokenB: address_b };
        if !self.begin(Ask::call(creator, factory, call.abi_encode(), 1_200_000)) {
            return None;
        }
        let share = self.ledger.tokens.len() as TokenId;
        let contract = self.deploy_inside(factory, PAIR, |_, _| ());
        self.ledger.tokens.push(Token { contract, symbol: format!("LP{share}"), decimals: 18, supply: 0 });
        let pool = self.pools.len();
        self.pools.push(Pool { contract, venue, tokens, reserves: [0, 0], share });
        let event = PairFactory::PairCreated {
            token0: self.token_address(tokens[0]),
            token1: self.token_address(tokens[1]),
            pair: self.address(contract),
            count: U256::from(pool + 1),
        };
        self.burn(60_000);
        self.log(factory, event.encode_log_data());
        let answer = self.address(contract).abi_encode();
        self.finish(answer);
        Some(pool)
    }

    /// The liquidity tokens of a deposit, and how much of the second amount the pool takes.
    fn shares_for(&self, pool: usize, amounts: [u128; 2]) -> u128 {
        let pool = &self.pools[pool];
        let supply = self.ledger.tokens[pool.share as usize].supply;
        if supply == 0 {
            return narrow((U256::from(amounts[0]) * U256::from(amounts[1])).root(2)).saturating_sub(LOCKED);
        }
        let of = |side: usize| narrow(U256::from(amounts[side]) * U256::from(supply) / U256::from(pool.reserves[side]));
        of(0).min(of(1))
    }

    /// `mint` of the pool: the tokens have arrived, `to` receives liquidity tokens.
    pub(super) fn pool_mint(&mut self, by: Id, pool: usize, amounts: [u128; 2], to: Id) {
        let shares = self.shares_for(pool, amounts);
        let (contract, share) = (self.pools[pool].contract, self.pools[pool].share);
        self.enter(by, contract, 0, Pair::mintCall { to: self.address(to) }.abi_encode());
        if self.ledger.tokens[share as usize].supply == 0 {
            // Locked liquidity belongs to the zero address.
            self.mint_token(share, 0, LOCKED);
        }
        self.mint_token(share, to, shares);
        for (reserve, amount) in self.pools[pool].reserves.iter_mut().zip(amounts) {
            *reserve += amount;
        }
        self.sync(pool);
        let event =
            Pair::Mint { sender: self.address(by), amount0: U256::from(amounts[0]), amount1: U256::from(amounts[1]) };
        self.log(contract, event.encode_log_data());
        self.leave(U256::from(shares).abi_encode());
    }

    /// `burn` of the pool: the liquidity tokens have arrived, `to` receives the tokens. Returns the amounts.
    pub(super) fn pool_burn(&mut self, by: Id, pool: usize, shares: u128, to: Id) -> [u128; 2] {
        let Pool { contract, share, tokens, reserves, .. } = self.pools[pool];
        let supply = U256::from(self.ledger.tokens[share as usize].supply);
        let amounts = reserves.map(|reserve| narrow(U256::from(reserve) * U256::from(shares) / supply));
        self.enter(by, contract, 0, Pair::burnCall { to: self.address(to) }.abi_encode());
        self.burn_token(share, contract, shares);
        for side in 0..2 {
            self.push_token(contract, tokens[side], to, amounts[side]);
            self.pools[pool].reserves[side] -= amounts[side];
        }
        self.sync(pool);
        let event = Pair::Burn {
            sender: self.address(by),
            amount0: U256::from(amounts[0]),
            amount1: U256::from(amounts[1]),
            to: self.address(to),
        };
        self.log(contract, event.encode_log_data());
        self.leave((U256::from(amounts[0]), U256::from(amounts[1])).abi_encode());
        amounts
    }

    /// `swap` of the pool: `paid` of the token on `side` has arrived, `to` receives the other. Returns the amount.
    pub fn pool_swap(&mut self, by: Id, pool: usize, side: usize, paid: u128, to: Id) -> u128 {
        let got = self.pools[pool].quote(side, paid);
        let Pool { contract, tokens, .. } = self.pools[pool];
        let mut out = [U256::ZERO; 2];
        out[1 - side] = U256::from(got);
        let mut paid_in = [U256::ZERO; 2];
        paid_in[side] = U256::from(paid);
        let to_address = self.address(to);
        let call = Pair::swapCall { amount0Out: out[0], amount1Out: out[1], to: to_address, data: Default::default() };
        self.enter(by, contract, 0, call.abi_encode());
        self.push_token(contract, tokens[1 - side], to, got);
        self.pools[pool].reserves[side] += paid;
        self.pools[pool].reserves[1 - side] -= got;
        self.burn(20_000);
        self.sync(pool);
        let event = Pair::Swap {
            sender: self.address(by),
            amount0In: paid_in[0],
            amount1In: paid_in[1],
            amount0Out: out[0],
            amount1Out: out[1],
            to: to_address,
        };
        self.log(contract, event.encode_log_data());
        self.leave(Vec::new());
        got
    }

    fn sync(&mut self, pool: usize) {
        let Pool { contract, reserves, .. } = self.pools[pool];
        let [reserve0, reserve1] = reserves.map(U112::saturating_from);
        self.log(contract, Pair::Sync { reserve0, reserve1 }.encode_log_data());
    }
}
