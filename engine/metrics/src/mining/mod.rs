//! Proof of work.

mod difficulty;
mod hash_rate_mean;

use super::Metric;

pub(super) const ALL: [&Metric; 2] = [&difficulty::DIFFICULTY, &hash_rate_mean::HASH_RATE_MEAN];
