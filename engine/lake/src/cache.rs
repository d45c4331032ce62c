//! A cache bounded by bytes: the least recently used entries are evicted first.

use std::collections::HashSet;
use std::sync::{Mutex, MutexGuard, PoisonError};

use lru::LruCache;

/// A part of a lake file: its path, and where the part starts.
type Key = (String, u64);

/// Values read from lake files. They never become stale, since a lake file never changes under its name.
#[derive(Debug)]
pub(super) struct ByteCache<V> {
    limit: usize,
    entries: Mutex<Entries<V>>,
}

#[derive(Debug)]
struct Entries<V> {
    /// With the size of each value in bytes.
    by_key: LruCache<Key, (V, usize)>,
    bytes: usize,
}

impl<V: Clone> ByteCache<V> {
    pub(super) fn new(limit: usize) -> ByteCache<V> {
        ByteCache { limit, entries: Mutex::new(Entries { by_key: LruCache::unbounded(), bytes: 0 }) }
    }

    pub(super) fn get(&self, path: &str, start: u64) -> Option<V> {
        self.lock().by_key.get(&(path.to_string(), start)).map(|(value, _)| value.clone())
    }

    /// Caches a value, unless it alone exceeds the limit: it would evict all others.
    pub(super) fn insert(&self, path: &str, start: u64, value: &V, bytes: usize) {
        if bytes > self.limit {
            return;
        }
        let mut entries = self.lock();
        entries.bytes += bytes;
        if let Some((_, replaced)) = entries.by_key.put((path.to_string(), start), (value.clone(), bytes)) {
            entries.bytes -= replaced;
        }
        while entries.bytes > self.limit {
            let Some((_, (_, evicted))) = entries.by_key.pop_lru() else { return };
            entries.bytes -= evicted;
        }
    }

    /// Drops the values of files that are not `live`.
    pub(super) fn retain(&self, live: &HashSet<&str>) {
        let mut entries = self.lock();
        let keys = entries.by_key.iter().map(|(key, _)| key);
        let stale: Vec<Key> = keys.filter(|(path, _)| !live.contains(path.as_str())).cloned().collect();
        for key in stale {
            entries.bytes -= entries.by_key.pop(&key).map_or(0, |(_, bytes)| bytes);
        }
    }

    #[cfg(test)]
    pub(super) fn cached_paths(&self) -> Vec<String> {
        let entries = self.lock();
        assert_eq!(entries.bytes, entries.by_key.iter().map(|(_, (_, bytes))| bytes).sum::<usize>());
        entries.by_key.iter().map(|((path, _), _)| path.clone()).collect()
    }

    /// A panic elsewhere leaves at worst a wrong count of bytes.
    fn lock(&self) -> MutexGuard<'_, Entries<V>> {
        self.entries.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_least_recently_used_entries_are_evicted() {
        let cache = ByteCache::new(10);
        cache.insert("a", 4, &'a', 4);
        cache.insert("b", 4, &'b', 4);
        assert_eq!((cache.get("a", 4), cache.get("a", 5)), (Some('a'), None));
        cache.insert("c", 4, &'c', 4);
        assert_eq!((cache.get("a", 4), cache.get("b", 4)), (Some('a'), None));
        // A replaced entry is counted once.
        cache.insert("a", 4, &'a', 4);
        assert_eq!((cache.get("c", 4), cache.lock().bytes), (Some('c'), 8));
    }

    #[test]
    fn a_value_above_the_limit_evicts_nothing() {
        let cache = ByteCache::new(10);
        cache.insert("a", 0, &'a', 4);
        cache.insert("b", 0, &'b', 11);
        assert_eq!((cache.get("a", 0), cache.get("b", 0), cache.lock().bytes), (Some('a'), None, 4));
    }

    #[test]
    fn values_of_dead_files_are_dropped() {
        let cache = ByteCache::new(10);
        cache.insert("a", 0, &'a', 4);
        cache.insert("b", 0, &'b', 3);
        cache.insert("b", 7, &'c', 2);
        cache.retain(&HashSet::from(["a"]));
        assert_eq!((cache.cached_paths(), cache.lock().bytes), (vec!["a".to_string()], 4));
    }
}
