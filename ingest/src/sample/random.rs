//! Seeded pseudo-random streams of integers, identical on every machine.

use alloy_primitives::{B256, keccak256};
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{RngCore, SeedableRng};

/// A stream; streams of different names are independent.
pub struct Random(ChaCha8Rng);

impl Random {
    pub fn stream(seed: u64, name: &str) -> Random {
        let mut text = seed.to_be_bytes().to_vec();
        text.extend_from_slice(name.as_bytes());
        Random(ChaCha8Rng::from_seed(keccak256(text).0))
    }

    pub fn word(&mut self) -> u64 {
        self.0.next_u64()
    }

    /// An integer from 0 below `end`; 0 if `end` is 0.
    pub fn below(&mut self, end: u64) -> u64 {
        ((u128::from(self.word()) * u128::from(end)) >> 64) as u64
    }

    /// An integer from `low` to `high`, both inclusive.
    pub fn between(&mut self, low: u64, high: u64) -> u64 {
        low + self.below(high - low + 1)
    }

    pub fn chance(&mut self, hits: u64, of: u64) -> bool {
        self.below(of) < hits
    }

    /// A Zipf-distributed index below `count` (exponent 1): every doubling of the index is equally likely. Indices
    /// below `1 << flat` share the weight of one doubling.
    pub fn zipf(&mut self, count: u64, flat: u32) -> u64 {
        let octaves = (64 - count.leading_zeros()).max(flat);
        loop {
            let octave = flat + self.below(u64::from(octaves - flat) + 1) as u32;
            let (start, end) = if octave == flat { (0, 1 << flat) } else { (1 << (octave - 1), 1 << octave) };
            let place = start + self.below(end - start);
            if place < count {
                return place;
            }
        }
    }

    /// A log-uniform amount from `low` to `high`: many small ones, few large ones.
    pub fn amount(&mut self, low: u128, high: u128) -> u128 {
        let mut top = low;
        let mut doublings = 0;
        while top * 2 <= high {
            top *= 2;
            doublings += 1;
        }
        let floor = low << self.below(doublings + 1);
        // Steps of one per mille keep the product within 128 bits.
        (floor + floor / 1000 * u128::from(self.below(1000)) + u128::from(self.below(1000))).clamp(low, high)
    }

    pub fn pick<'a, T>(&mut self, items: &'a [T]) -> &'a T {
        &items[self.below(items.len() as u64) as usize]
    }

    pub fn hash(&mut self) -> B256 {
        let mut bytes = [0; 32];
        self.0.fill_bytes(&mut bytes);
        B256::from(bytes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn streams_repeat_and_differ() {
        let draw = |seed, name| -> Vec<u64> {
            let mut random = Random::stream(seed, name);
            (0..8).map(|_| random.word()).collect()
        };
        assert_eq!(draw(1, "a"), draw(1, "a"));
        assert_ne!(draw(1, "a"), draw(2, "a"));
        assert_ne!(draw(1, "a"), draw(1, "b"));
    }

    #[test]
    fn zipf_prefers_low_indices_and_reaches_all() {
        let mut random = Random::stream(7, "zipf");
        let mut hits = [0; 100];
        for _ in 0..100_000 {
            hits[random.zipf(100, 0) as usize] += 1;
        }
        assert!(hits[0] > 5 * hits[20] && hits[99] > 0, "{hits:?}");
    }

    #[test]
    fn amounts_stay_inside_their_bounds() {
        let mut random = Random::stream(7, "amount");
        for _ in 0..1000 {
            assert!((10..=999).contains(&random.amount(10, 999)));
        }
    }
}
