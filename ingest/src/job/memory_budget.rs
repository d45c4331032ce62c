//! Limits the memory of fetched blocks that are not written yet.

use crate::rpc::{MAX_ANSWER_BYTES, MAX_BYTES_IN_FLIGHT};

/// Minimum bytes of responses for a step.
const LEAST: usize = 16 << 20;
/// Maximum bytes of responses for a step, so that several steps are always possible.
const MAX_RANGE_BYTES: usize = MAX_ANSWER_BYTES / 2;
/// A step may be larger than earlier ones by this factor.
const LARGER: usize = 3;
/// Assumed bytes of the first step.
const FIRST: usize = 8 << 20;

/// Divides the memory among steps by the size of earlier ones.
pub(super) struct MemoryBudget {
    /// Bytes of the largest recent step.
    largest: usize,
    /// Bytes of the steps under way.
    given: usize,
}

impl MemoryBudget {
    pub(super) fn new() -> MemoryBudget {
        MemoryBudget { largest: FIRST, given: 0 }
    }

    /// Bytes that the responses of the next step may have, reserved until they are released; `None` if there is no
    /// memory.
    pub(super) fn reserve(&mut self) -> Option<usize> {
        // A power of two: connections are reused by the response size that they accept.
        let share = self.largest.saturating_mul(LARGER).clamp(LEAST, MAX_RANGE_BYTES).next_power_of_two();
        if self.given + share > MAX_BYTES_IN_FLIGHT {
            return None;
        }
        self.given += share;
        Some(share)
    }

    /// Releases a reservation.
    pub(super) fn release(&mut self, share: usize) {
        self.given -= share;
    }

    /// Records the response size of a step. The maximum decays slowly.
    pub(super) fn learn(&mut self, bytes: usize) {
        self.largest = bytes.max(self.largest - self.largest / 16);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Reserves as many steps as possible.
    fn shares(largest: usize) -> Vec<usize> {
        let mut budget = MemoryBudget { largest, given: 0 };
        std::iter::from_fn(|| budget.reserve()).collect()
    }

    #[test]
    fn steps_fit_the_memory() {
        let of = |largest: usize| (shares(largest).len(), shares(largest)[0]);
        assert_eq!(of(0), (48, 16 << 20));
        assert_eq!(of(5 << 20), (48, 16 << 20));
        assert_eq!(of(8 << 20), (24, 32 << 20));
        assert_eq!(of(40 << 20), (6, 128 << 20));
        assert_eq!(of(MAX_ANSWER_BYTES), (3, 256 << 20));
        assert_eq!(of(usize::MAX).0, 3);
    }

    #[test]
    fn released_memory_is_reused_and_maximum_decays() {
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
