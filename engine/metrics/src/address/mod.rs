//! Who takes part, and who holds how much.

mod active;
mod balance;
mod new;
mod receiving;
mod sending;

use super::Metric;

pub(super) const ALL: [&Metric; 11] = [
    &new::NEW,
    &active::ACTIVE,
    &sending::SENDING,
    &receiving::RECEIVING,
    &balance::NON_ZERO,
    &balance::AT_LEAST_0_1,
    &balance::AT_LEAST_1,
    &balance::AT_LEAST_10,
    &balance::AT_LEAST_100,
    &balance::AT_LEAST_1K,
    &balance::AT_LEAST_10K,
];
