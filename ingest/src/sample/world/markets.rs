//! State of pools and NFT sales. `contracts` trades with them.

use alloy_primitives::U256;

use super::{Id, TokenId};

/// A constant-product pool; `tokens` and `reserves` are sorted by token address.
pub struct Pool {
    pub contract: Id,
    /// Index of its factory.
    pub venue: usize,
    pub tokens: [TokenId; 2],
    pub reserves: [u128; 2],
    /// The liquidity token.
    pub share: TokenId,
}

/// A pool with a square-root price of 96 fractional bits; `tokens` are sorted by address.
pub struct ConcentratedPool {
    pub contract: Id,
    pub tokens: [TokenId; 2],
    /// Hundredths of a basis point.
    pub fee: u32,
    pub liquidity: u128,
    pub sqrt_price: U256,
}

/// A sale of a token for ETH: the seller signed an offer, the buyer sends the transaction.
pub struct Sale {
    pub collection: usize,
    /// Index of the token in its collection, from 0.
    pub item: usize,
    pub buyer: Id,
    /// Wei.
    pub price: u128,
}
