//! How many steps may be under way at once: until they are written, they are in memory.

use crate::rpc::{MAX_ANSWER_BYTES, MAX_BYTES_IN_FLIGHT};

/// What the answers to a step may have at least.
const LEAST: usize = 16 << 20;
/// What they may have at most: a few such steps are under way all the same.
const MAX_RANGE_BYTES: usize = MAX_ANSWER_BYTES / 2;
/// A step may be larger than those before by so much.
const LARGER: usize = 3;
/// What one is taken for before the first came, in bytes.
const FIRST: usize = 8 << 20;

/// Gives steps their share of the memory, by how large those before them were.
pub(super) struct MemoryBudget {
    /// Bytes of the largest step of late.
    largest: usize,
    /// Bytes that were given and did not come back.
    given: usize,
}

impl MemoryBudget {
    pub(super) fn new() -> MemoryBudget {
        MemoryBudget { largest: FIRST, given: 0 }
    }

    /// How many bytes the answers to the next step may have; nothing while there is no room for it. They are given until
    /// they come back.
    pub(super) fn reserve(&mut self) -> Option<usize> {
        // A power of two: connections are reused by the size of the answers that they take.
        let share = self.largest.saturating_mul(LARGER).clamp(LEAST, MAX_RANGE_BYTES).next_power_of_two();
        if self.given + share > MAX_BYTES_IN_FLIGHT {
            return None;
        }
        self.given += share;
        Some(share)
    }

    /// A share comes back.
    pub(super) fn release(&mut self, share: usize) {
        self.given -= share;
    }

    /// After a step whose answers had so many bytes. Large ones are forgotten slowly.
    pub(super) fn learn(&mut self, bytes: usize) {
        self.largest = bytes.max(self.largest - self.largest / 16);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Shares for as many steps as there is room for.
    fn shares(largest: usize) -> Vec<usize> {
        let mut budget = MemoryBudget { largest, given: 0 };
        std::iter::from_fn(|| budget.reserve()).collect()
    }

    #[test]
    fn as_many_steps_as_the_memory_holds() {
        let of = |largest: usize| (shares(largest).len(), shares(largest)[0]);
        assert_eq!(of(0), (48, 16 << 20));
        assert_eq!(of(5 << 20), (48, 16 << 20));
        assert_eq!(of(8 << 20), (24, 32 << 20));
        assert_eq!(of(40 << 20), (6, 128 << 20));
        assert_eq!(of(MAX_ANSWER_BYTES), (3, 256 << 20));
        assert_eq!(of(usize::MAX).0, 3);
    }

    #[test]
    fn what_comes_back_is_given_again_and_large_steps_are_forgotten_slowly() {
        let mut budget = MemoryBudget::new();
        budget.learn(100 << 20);
        let given: Vec<usize> = std::iter::from_fn(|| budget.reserve()).collect();
        assert_eq!((given.len(), budget.given), (3, MAX_BYTES_IN_FLIGHT));
        given.into_iter().for_each(|share| budget.release(share));
        assert_eq!(budget.reserve(), Some(256 << 20));
        (0..20).for_each(|_| budget.learn(1 << 20));
        assert_eq!(budget.reserve(), Some(128 << 20));
        (0..60).for_each(|_| budget.learn(1 << 20));
        assert_eq!(budget.reserve(), Some(LEAST));
    }
}
