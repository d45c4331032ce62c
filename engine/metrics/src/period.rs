//! The figures from which metrics are computed: sums of a period, and the state at its end.

use std::collections::BTreeMap;

use alloy_primitives::U256;
use serde::{Deserialize, Serialize};

/// Lower bounds of balances in wei: more than 0, then 0.1 to 10,000 ETH.
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
    /// Gas used by transactions.
    pub gas: Histogram,
    /// Wei per gas paid by transactions.
    pub prices: Histogram,
    /// Successful transactions with ether, and their wei.
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
    /// Wei in circulation at its start.
    pub circulating_before: i128,
}

/// Frequencies of values.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Histogram {
    pub count: u64,
    pub sum: i128,
    counts: BTreeMap<i128, u64>,
}

impl Histogram {
    /// Adds a value; `None` if the sum overflows.
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

/// State of the chain.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct ChainState {
    /// Addresses whose balance reaches each of [`TIERS`].
    pub holders: [u64; TIERS.len()],
    /// Wei that was issued and neither burned nor deposited for validators.
    pub circulating: i128,
    /// Dollars (18 digits after the point) and wei in the pools that determine the price.
    pub reserves: Option<(U256, U256)>,
}

impl ChainState {
    /// Updates the holders for a changed balance.
    pub fn balance_changed(&mut self, before: i128, after: i128) {
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
    fn median_of_even_counts() {
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
    fn holders_are_counted_by_tier() {
        let mut standing = ChainState::default();
        standing.balance_changed(0, TIERS[2]);
        assert_eq!(standing.holders, [1, 1, 1, 0, 0, 0, 0]);
        standing.balance_changed(TIERS[2], 1);
        assert_eq!(standing.holders, [1, 0, 0, 0, 0, 0, 0]);
        standing.balance_changed(1, 0);
        assert_eq!(standing, ChainState::default());
    }
}
