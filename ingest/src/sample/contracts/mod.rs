//! Contracts of the sample chain: what they do to balances, and the logs and inner calls they leave.

pub mod abi;
mod airdrop;
mod code;
mod dapp;
pub mod deploy;
mod governance;
mod money;
mod nft;
mod pool;
mod range;
mod routes;

pub use airdrop::Claim;
pub use dapp::{DappKind, Visit};

use alloy_primitives::{U256, U512};

/// `a * b / c`, rounded down, without overflow in between.
pub fn mul_div(a: U256, b: U256, c: U256) -> U256 {
    let wide = U512::from(a) * U512::from(b) / U512::from(c);
    wide.to::<U256>()
}

/// A number that is known to fit; amounts of this world stay far below 128 bits.
pub fn narrow(value: U256) -> u128 {
    value.saturating_to::<u128>()
}

/// `amount * part / whole`, rounded down.
pub fn share_of(amount: u128, part: u128, whole: u128) -> u128 {
    narrow(mul_div(U256::from(amount), U256::from(part), U256::from(whole)))
}
