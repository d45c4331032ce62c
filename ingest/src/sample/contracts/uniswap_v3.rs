//! Concentrated-liquidity pools as in Uniswap V3, with square-root prices of 96 fractional bits. All positions span the
//! full range, so liquidity is the same at every price.

use alloy::sol_types::{SolCall, SolEvent, SolValue};
use alloy_primitives::aliases::{I24, U24, U160};
use alloy_primitives::{I256, U256};
use std::sync::LazyLock;

use super::abi::{ConcentratedPool as Abi, ExactInput, RangeFactory, RangeRouter};
use super::deploy::RANGE_POOL;
use super::{mul_div, narrow};
use crate::sample::world::{Ask, ConcentratedPool, Id, TokenId, World};

/// 2^96, the unit of square-root prices.
const Q96: U256 = U256::from_limbs([0, 1 << 32, 0, 0]);
/// The widest range at a tick spacing of 60.
const WIDEST: i32 = 887_220;

/// sqrt(1.0001)^(2^i) with 128 fractional bits, for i from 0 to 19.
static POWERS: LazyLock<[U256; 20]> = LazyLock::new(|| {
    // The root of 1.0001 * 2^254 has 127 fractional bits.
    let square: U256 = (U256::from(1) << 254) / U256::from(10_000) * U256::from(10_001);
    let mut power: U256 = square.root(2) << 1;
    std::array::from_fn(|_| {
        let here = power;
        power = mul_div(power, power, U256::from(1) << 128);
        here
    })
});

/// The tick of a price: the largest power of 1.0001 at or below it.
pub fn tick_of(sqrt_price: U256) -> i32 {
    let unit = U256::from(1) << 128;
    // Below 1, search the inverse price; its tick is rounded the other way.
    let (price, mirrored) =
        if sqrt_price >= Q96 { (sqrt_price << 32, false) } else { ((U256::from(1) << 224) / sqrt_price, true) };
    let (mut tick, mut reached) = (0, unit);
    for bit in (0..20).rev() {
        let next = mul_div(reached, POWERS[bit], unit);
        if next <= price {
            reached = next;
            tick += 1 << bit;
        }
    }
    match (mirrored, reached == price) {
        (false, _) => tick,
        (true, true) => -tick,
        (true, false) => -tick - 1,
    }
}

impl ConcentratedPool {
    pub fn side(&self, token: TokenId) -> usize {
        usize::from(self.tokens[1] == token)
    }

    /// The amount that `paid` of the token on `side` buys, and the new price.
    pub fn quote(&self, side: usize, paid: u128) -> (u128, U256) {
        let net = U256::from(paid) * U256::from(1_000_000 - self.fee) / U256::from(1_000_000);
        let liquidity = U256::from(self.liquidity);
        let price = self.sqrt_price;
        if side == 0 {
            let scaled = liquidity << 96;
            // Rounded up, so that the pool never pays too much.
            let after = mul_div(scaled, price, scaled + net * price) + U256::from(1);
            let after = after.min(price);
            (narrow(mul_div(liquidity, price - after, Q96)), after)
        } else {
            let after = price + mul_div(net, Q96, liquidity);
            let got = mul_div(liquidity << 96, after - price, after) / price;
            (narrow(got), after)
        }
    }

    /// The amounts of a full-range position of `liquidity` at the current price.
    fn amounts_of(&self, liquidity: u128) -> [u128; 2] {
        let liquidity = U256::from(liquidity);
        [narrow((liquidity << 96) / self.sqrt_price) + 1, narrow(mul_div(liquidity, self.sqrt_price, Q96)) + 1]
    }
}

impl World {
    /// Creates a pool at the price `amounts[1] / amounts[0]` and deposits both amounts. `amounts` are in the order of
    /// `tokens`.
    pub fn create_range_pool(&mut self, maker: Id, tokens: [TokenId; 2], amounts: [u128; 2], fee: u32) -> bool {
        let [a, b] = tokens.map(|token| self.token_address(token));
        let (tokens, amounts) =
            if a < b { (tokens, amounts) } else { ([tokens[1], tokens[0]], [amounts[1], amounts[0]]) };
        let factory = self.sites.range_factory;
        let create = RangeFactory::createPoolCall { tokenA: a, tokenB: b, fee: U24::from(fee) };
        if !self.begin(Ask::call(maker, factory, create.abi_encode(), 1_200_000)) {
            return false;
        }
        let ratio: U256 = (U256::from(amounts[1]) << 128) / U256::from(amounts[0]);
        let sqrt_price: U256 = ratio.root(2) << 32;
        let liquidity = narrow((U256::from(amounts[0]) * U256::from(amounts[1])).root(2)) / 100 * 99;
        let contract = self.deploy_inside(factory, RANGE_POOL, |world, contract| {
            let event = Abi::Initialize {
                sqrtPriceX96: U160::saturating_from(sqrt_price),
                tick: I24::try_from(tick_of(sqrt_price)).unwrap_or_default(),
            };
            world.log(contract, event.encode_log_data());
        });
        let event = RangeFactory::PoolCreated {
            token0: self.token_address(tokens[0]),
            token1: self.token_address(tokens[1]),
            fee: U24::from(fee),
            tickSpacing: I24::try_from(60).unwrap_or_default(),
            pool: self.address(contract),
        };
        self.burn(60_000);
        self.log(factory, event.encode_log_data());
        let answer = self.address(contract).abi_encode();
        self.finish(answer);
        let pool = self.range_pools.len();
        self.range_pools.push(ConcentratedPool { contract, tokens, fee, liquidity: 0, sqrt_price });
        self.range_mint(maker, pool, liquidity)
    }

    /// Adds full-range liquidity.
    pub fn range_mint(&mut self, maker: Id, pool: usize, liquidity: u128) -> bool {
        let ConcentratedPool { contract, tokens, .. } = self.range_pools[pool];
        let amounts = self.range_pools[pool].amounts_of(liquidity);
        let owner = self.address(maker);
        let edge = |tick: i32| I24::try_from(tick).unwrap_or_default();
        let call = Abi::mintCall {
            recipient: owner,
            tickLower: edge(-WIDEST),
            tickUpper: edge(WIDEST),
            amount: liquidity,
            data: Default::default(),
        };
        let enough = (0..2).all(|side| self.ledger.balance(tokens[side], maker) >= amounts[side]);
        if !enough || !self.begin(Ask::call(maker, contract, call.abi_encode(), 350_000)) {
            return false;
        }
        for side in 0..2 {
            self.pull(contract, tokens[side], maker, contract, amounts[side]);
        }
        self.range_pools[pool].liquidity += liquidity;
        self.burn(90_000);
        let event = Abi::Mint {
            sender: owner,
            owner,
            tickLower: edge(-WIDEST),
            tickUpper: edge(WIDEST),
            amount: liquidity,
            amount0: U256::from(amounts[0]),
            amount1: U256::from(amounts[1]),
        };
        self.log(contract, event.encode_log_data());
        self.finish((U256::from(amounts[0]), U256::from(amounts[1])).abi_encode());
        true
    }

    /// Trades `paid` of the token on `side` through the router.
    pub fn range_swap(&mut self, who: Id, pool: usize, side: usize, paid: u128) -> bool {
        let ConcentratedPool { contract, tokens, fee, .. } = self.range_pools[pool];
        let (got, after) = self.range_pools[pool].quote(side, paid);
        let router = self.sites.range_router;
        let limit = U160::from(1);
        let params = ExactInput {
            tokenIn: self.token_address(tokens[side]),
            tokenOut: self.token_address(tokens[1 - side]),
            fee: U24::from(fee),
            recipient: self.address(who),
            amountIn: U256::from(paid),
            amountOutMinimum: U256::from(got - got / 50),
            sqrtPriceLimitX96: U160::ZERO,
        };
        let input = RangeRouter::exactInputSingleCall { params }.abi_encode();
        let possible = got > 0 && self.ledger.balance(tokens[side], who) >= paid;
        if !possible || !self.begin(Ask::call(who, router, input, 300_000)) {
            return false;
        }
        let swap = Abi::swapCall {
            recipient: self.address(who),
            zeroForOne: side == 0,
            amountSpecified: I256::try_from(paid).unwrap_or_default(),
            sqrtPriceLimitX96: limit,
            data: Default::default(),
        };
        self.enter(router, contract, 0, swap.abi_encode());
        self.push_token(contract, tokens[1 - side], who, got);
        self.pull(router, tokens[side], who, contract, paid);
        self.range_pools[pool].sqrt_price = after;
        self.burn(25_000);
        let mut amounts = [I256::try_from(paid).unwrap_or_default(), -I256::try_from(got).unwrap_or_default()];
        if side == 1 {
            amounts.swap(0, 1);
        }
        let event = Abi::Swap {
            sender: self.address(router),
            recipient: self.address(who),
            amount0: amounts[0],
            amount1: amounts[1],
            sqrtPriceX96: U160::saturating_from(after),
            liquidity: self.range_pools[pool].liquidity,
            tick: I24::try_from(tick_of(after)).unwrap_or_default(),
        };
        self.log(contract, event.encode_log_data());
        self.leave((amounts[0], amounts[1]).abi_encode());
        self.finish(U256::from(got).abi_encode());
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_are_powers_of_1_0001() {
        assert_eq!(tick_of(Q96), 0);
        // sqrt(1.0001^±1000) = 1.0512682… and its inverse.
        let up = Q96 * U256::from(10_512_685) / U256::from(10_000_000);
        assert_eq!(tick_of(up), 1000);
        let down = Q96 * U256::from(10_000_000) / U256::from(10_512_685);
        assert_eq!(tick_of(down), -1001);
        assert_eq!(tick_of(Q96 * U256::from(1 << 20)), 277_272);
    }
}
