//! Accounts and tokens: settled values that clones share, with an overlay of changes.

use std::collections::HashMap;
use std::hash::Hash;
use std::sync::Arc;

/// A time before every other.
pub(super) const NEVER: i64 = i64::MIN;

/// State of an address. Times are seconds since 1970.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Account {
    /// Whether it ever sent or received a successful transaction.
    pub known: bool,
    /// Last time of such a transaction, of sending ether, of receiving some.
    pub active: i64,
    pub sent: i64,
    pub received: i64,
    /// Wei.
    pub balance: i128,
}

impl Default for Account {
    fn default() -> Account {
        Account { known: false, active: NEVER, sent: NEVER, received: NEVER, balance: 0 }
    }
}

/// A map with cheap clones, which share settled values and have their own changes.
#[derive(Debug, Clone)]
pub(crate) struct Overlay<K, V> {
    settled: Arc<HashMap<K, V>>,
    changed: HashMap<K, V>,
}

impl<K, V> Default for Overlay<K, V> {
    fn default() -> Overlay<K, V> {
        Overlay { settled: Arc::default(), changed: HashMap::new() }
    }
}

impl<K: Eq + Hash + Copy, V: Copy> Overlay<K, V> {
    /// The value of a key, inserted if missing.
    pub fn entry(&mut self, key: K, new: impl FnOnce() -> V) -> &mut V {
        let settled = &self.settled;
        self.changed.entry(key).or_insert_with(|| settled.get(&key).copied().unwrap_or_else(new))
    }

    /// Moves the changes to the shared values.
    pub fn settle(&mut self) {
        let changed = std::mem::take(&mut self.changed);
        if !changed.is_empty() {
            Arc::make_mut(&mut self.settled).extend(changed);
        }
    }

    /// Bytes in memory.
    pub fn size(&self) -> usize {
        // One byte more for each place of the tables.
        (self.settled.capacity() + self.changed.capacity()) * (size_of::<(K, V)>() + 1)
    }

    /// All entries. Only complete after [`Overlay::settle`].
    pub fn iter(&self) -> impl Iterator<Item = (&K, &V)> {
        self.settled.iter()
    }
}

impl<K: Eq + Hash, V> FromIterator<(K, V)> for Overlay<K, V> {
    fn from_iter<I: IntoIterator<Item = (K, V)>>(items: I) -> Overlay<K, V> {
        Overlay { settled: Arc::new(items.into_iter().collect()), changed: HashMap::new() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clones_are_independent() {
        let mut first = Overlay::default();
        *first.entry(1, || 0) = 10;
        first.settle();
        let mut second = first.clone();
        *second.entry(1, || 0) += 5;
        *second.entry(2, || 7) += 1;
        second.settle();
        assert_eq!(*first.entry(1, || 0), 10);
        assert_eq!(*first.entry(2, || 0), 0);
        let mut all: Vec<_> = second.iter().collect();
        all.sort();
        assert_eq!(all, [(&1, &15), (&2, &8)]);
    }
}
