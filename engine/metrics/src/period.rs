//! The figures of one period and how things stand at its end: all that metrics are made of.

use std::collections::BTreeMap;

use alloy_primitives::U256;
use serde::{Deserialize, Serialize};

/// Balances from which on an address counts, in wei: more than nothing, then 0.1 to 10,000 ETH.
pub(crate) const TIERS: [i128; 7] = [
    1,
    100_000_000_000_000_000,
    1_000_000_000_000_000_000,
    10_000_000_000_000_000_000,
    100_000_000_000_000_000_000,
    1_000_000_000_000_000_000_000,
    10_000_000_000_000_000_000_000,
];

/// Sums and counts of one period.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Period {
    /// Blocks whose size is known, and their bytes.
    pub sized_blocks: u64,
    pub size: i128,
    /// Blocks whose difficulty is known, and its sum.
    pub rated_blocks: u64,
    pub difficulty: i128,
    /// Blocks whose parent is known, the seconds since it, and the difficulty of those that have one.
    pub intervals: u64,
    pub interval_seconds: i64,
    pub work: i128,
    pub transactions: u64,
    /// Gas that transactions used.
    pub gas: Histogram,
    /// Wei per gas that they paid.
    pub prices: Histogram,
    /// Successful transactions that moved ether, and the wei they moved.
    pub transfers: u64,
    pub volume: i128,
    pub new_addresses: u64,
    pub active_addresses: u64,
    pub senders: u64,
    pub receivers: u64,
    /// Transactions that swapped on Uniswap.
    pub swaps: u64,
    pub fungible_moves: u64,
    pub unique_moves: u64,
    pub active_tokens: u64,
    pub contracts: u64,
    /// Wei in circulation when it began.
    pub circulating_before: i128,
}

/// How often each value came.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Histogram {
    pub count: u64,
    pub sum: i128,
    counts: BTreeMap<i128, u64>,
}

impl Histogram {
    /// Counts one more value; `None` when the sum leaves its range.
    #[must_use]
    pub fn add(&mut self, value: i128) -> Option<()> {
        self.sum = self.sum.checked_add(value)?;
        self.count += 1;
        *self.counts.entry(value).or_default() += 1;
        Some(())
    }

    /// Ten times the median: the mean of the two middle values of an even count has one digit after the point.
    pub fn median_tenths(&self) -> Option<i128> {
        let last = self.count.checked_sub(1)?;
        let (mut passed, mut lower) = (0, None);
        for (value, count) in &self.counts {
            passed += count;
            if lower.is_none() && passed > last / 2 {
                lower = Some(*value);
            }
            if passed > self.count / 2 {
                return lower?.checked_add(*value)?.checked_mul(5);
            }
        }
        None
    }
}

/// How things stand.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Standing {
    /// Addresses whose balance reaches each of [`TIERS`].
    pub holders: [u64; TIERS.len()],
    /// Wei that came into being and was neither burned nor deposited for validators.
    pub circulating: i128,
    /// Dollars (18 digits after the point) and wei in the pools that tell the price.
    pub reserves: Option<(U256, U256)>,
}

impl Standing {
    /// A balance that moved.
    pub fn moved(&mut self, before: i128, after: i128) {
        for (holders, tier) in self.holders.iter_mut().zip(TIERS) {
            match (before >= tier, after >= tier) {
                (false, true) => *holders += 1,
                (true, false) => *holders -= 1,
                _ => {}
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_median_is_the_middle() {
        let median = |values: &[i128]| {
            let mut histogram = Histogram::default();
            values.iter().for_each(|value| histogram.add(*value).unwrap());
            histogram.median_tenths()
        };
        assert_eq!(median(&[]), None);
        assert_eq!(median(&[7]), Some(70));
        assert_eq!(median(&[4, 1]), Some(25));
        assert_eq!(median(&[9, 1, 1]), Some(10));
        assert_eq!(median(&[1, 2, 2, 9]), Some(20));
    }

    #[test]
    fn holders_are_counted_by_what_they_reach() {
        let mut standing = Standing::default();
        standing.moved(0, TIERS[2]);
        assert_eq!(standing.holders, [1, 1, 1, 0, 0, 0, 0]);
        standing.moved(TIERS[2], 1);
        assert_eq!(standing.holders, [1, 0, 0, 0, 0, 0, 0]);
        standing.moved(1, 0);
        assert_eq!(standing, Standing::default());
    }
}
