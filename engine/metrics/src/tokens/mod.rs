//! Tokens and contracts.

mod active;
mod contracts;
mod erc20;
mod nft;
mod transfers;

use super::Metric;

pub(super) const ALL: [&Metric; 5] = [
    &transfers::TRANSFERS,
    &erc20::ERC20_TRANSFERS,
    &nft::NFT_TRANSFERS,
    &active::ACTIVE_TOKENS,
    &contracts::NEW_CONTRACTS,
];
