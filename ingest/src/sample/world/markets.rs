//! Pools of two tokens, and sales of unique ones: what the world stores of them. `contracts` trades with them.

use alloy_primitives::U256;

use super::{Id, TokenId};

/// A pool with a constant product; `tokens` and `reserves` are in the order of the token contracts' addresses.
pub struct Pool {
    pub contract: Id,
    /// Which of the two pair factories made it.
    pub venue: usize,
    pub tokens: [TokenId; 2],
    pub reserves: [u128; 2],
    /// The token that counts shares of the pool.
    pub share: TokenId,
}

/// A pool whose price is a square root with 96 fractional bits; `tokens` in the order of their contracts' addresses.
pub struct RangePool {
    pub contract: Id,
    pub tokens: [TokenId; 2],
    /// Hundredths of a basis point.
    pub fee: u32,
    pub liquidity: u128,
    pub sqrt_price: U256,
}

/// A sale of one token for ETH: the seller signed an offer, the buyer sends the transaction.
pub struct Sale {
    pub collection: usize,
    /// Place of the token in its collection, from 0.
    pub item: usize,
    pub buyer: Id,
    /// Wei.
    pub price: u128,
}
