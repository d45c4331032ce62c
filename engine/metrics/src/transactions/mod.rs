//! Transactions and the ether they move.

mod count;
mod transfer_count;
mod transfer_volume;

use super::Metric;

pub(super) const ALL: [&Metric; 3] =
    [&count::TRANSACTION_COUNT, &transfer_count::TRANSFER_COUNT, &transfer_volume::TRANSFER_VOLUME_TOTAL];
