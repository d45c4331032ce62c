//! Contracts of the sample chain: their effects on balances, their logs and inner calls.

pub mod abi;
mod airdrop;
mod code;
mod dapp;
pub mod deploy;
mod governance;
mod nft;
mod router;
mod transfers;
mod uniswap_v2;
mod uniswap_v3;

pub use airdrop::Claim;
pub use dapp::{DappKind, Visit};

use alloy_primitives::{U256, U512};

/// `a * b / c`, rounded down, without intermediate overflow.
pub fn mul_div(a: U256, b: U256, c: U256) -> U256 {
    let wide = U512::from(a) * U512::from(b) / U512::from(c);
    wide.to::<U256>()
}

/// Converts a number that fits; amounts of the simulation stay far below 128 bits.
pub fn narrow(value: U256) -> u128 {
    value.saturating_to::<u128>()
}

/// `amount * part / whole`, rounded down.
pub fn share_of(amount: u128, part: u128, whole: u128) -> u128 {
    narrow(mul_div(U256::from(amount), U256::from(part), U256::from(whole)))
}
