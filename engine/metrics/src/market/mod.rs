//! What the market says.

mod market_cap;

use super::Metric;

pub(super) const ALL: [&Metric; 1] = [&market_cap::MARKET_CAP];
