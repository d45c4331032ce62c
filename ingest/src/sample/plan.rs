//! Schedule of actions that are planned before the chain starts.

use std::collections::{BTreeMap, BTreeSet};

use super::world::World;

type PlannedAction = Box<dyn FnOnce(&mut World)>;

/// Planned actions by time, then by order of planning. The transactions of an action are adjacent in one block.
#[derive(Default)]
pub struct Plan {
    actions: BTreeMap<(u64, u64), (u64, PlannedAction)>,
    /// Times that need a block, however quiet the chain is.
    wanted: BTreeSet<u64>,
    count: u64,
}

impl Plan {
    /// Schedules an action that uses at most `gas`.
    pub fn at(&mut self, time: u64, gas: u64, action: impl FnOnce(&mut World) + 'static) {
        self.actions.insert((time, self.count), (gas, Box::new(action)));
        self.count += 1;
    }

    /// The same, with a block at that time.
    pub fn at_once(&mut self, time: u64, gas: u64, action: impl FnOnce(&mut World) + 'static) {
        self.wanted.insert(time);
        self.at(time, gas, action);
    }

    /// The time of the next mandatory block at or after `after`.
    pub fn wanted_after(&mut self, after: u64) -> Option<u64> {
        while let Some(first) = self.wanted.first().copied() {
            if first >= after {
                return Some(first);
            }
            self.wanted.pop_first();
        }
        None
    }

    /// Takes the next action due at `time` if it fits into `gas`.
    pub fn due(&mut self, time: u64, gas: u64) -> Option<PlannedAction> {
        let entry = self.actions.first_entry()?;
        if entry.key().0 > time || entry.get().0 > gas {
            return None;
        }
        Some(entry.remove().1)
    }

    pub fn remaining(&self) -> usize {
        self.actions.len()
    }
}
