//! How much ether there is.

mod circulating;
mod issuance;

use super::Metric;

pub(super) const ALL: [&Metric; 2] = [&circulating::CIRCULATING_SUPPLY, &issuance::ISSUANCE];
