//! The blocks themselves.

mod block_interval_mean;
mod block_size_mean;
mod block_size_total;

use super::Metric;

pub(super) const ALL: [&Metric; 3] =
    [&block_interval_mean::BLOCK_INTERVAL_MEAN, &block_size_mean::BLOCK_SIZE_MEAN, &block_size_total::BLOCK_SIZE_TOTAL];
