//! What is going to happen when: deeds planned before the chain begins, done in the block that reaches their time.

use std::collections::{BTreeMap, BTreeSet};

use super::world::World;

type Deed = Box<dyn FnOnce(&mut World)>;

/// Planned deeds by time, and within the same time in the order of planning. A deed's transactions stand next to each
/// other in one block.
#[derive(Default)]
pub struct Plan {
    deeds: BTreeMap<(u64, u64), (u64, Deed)>,
    /// Times at which a block must happen, however quiet the chain is.
    wanted: BTreeSet<u64>,
    count: u64,
}

impl Plan {
    /// Plans a deed that takes at most `gas`.
    pub fn at(&mut self, time: u64, gas: u64, deed: impl FnOnce(&mut World) + 'static) {
        self.deeds.insert((time, self.count), (gas, Box::new(deed)));
        self.count += 1;
    }

    /// The same, and a block is made at that time.
    pub fn at_once(&mut self, time: u64, gas: u64, deed: impl FnOnce(&mut World) + 'static) {
        self.wanted.insert(time);
        self.at(time, gas, deed);
    }

    /// The time of the next block that has to be made, not before `after`.
    pub fn wanted_after(&mut self, after: u64) -> Option<u64> {
        while let Some(first) = self.wanted.first().copied() {
            if first >= after {
                return Some(first);
            }
            self.wanted.pop_first();
        }
        None
    }

    /// The next deed due at `time` if it fits into `gas`.
    pub fn due(&mut self, time: u64, gas: u64) -> Option<Deed> {
        let entry = self.deeds.first_entry()?;
        if entry.key().0 > time || entry.get().0 > gas {
            return None;
        }
        Some(entry.remove().1)
    }

    pub fn remaining(&self) -> usize {
        self.deeds.len()
    }
}
