//! What using the chain costs.

mod gas_price_mean;
mod gas_price_median;
mod gas_used_mean;
mod gas_used_median;
mod gas_used_total;

use super::Metric;

pub(super) const ALL: [&Metric; 5] = [
    &gas_used_total::GAS_USED_TOTAL,
    &gas_used_mean::GAS_USED_MEAN,
    &gas_used_median::GAS_USED_MEDIAN,
    &gas_price_mean::GAS_PRICE_MEAN,
    &gas_price_median::GAS_PRICE_MEDIAN,
];
