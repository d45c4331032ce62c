//! Protocols on the chain.

mod uniswap;

use super::Metric;

pub(super) const ALL: [&Metric; 1] = [&uniswap::UNISWAP_TRANSACTIONS];
