//! Bounds how often something is done: so many times per window for each key. Kept in memory: a restart forgives.

use std::collections::{HashMap, VecDeque};
use std::hash::Hash;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use super::make_room::make_room;

/// Keys that are kept; beyond that, those that were used least make room.
const MOST_KEYS: usize = 20_000;

/// At most `most` times per `window` for each key.
#[derive(Debug)]
pub struct Limit<K> {
    most: usize,
    window: Duration,
    taken: Mutex<HashMap<K, VecDeque<Instant>>>,
}

impl<K: Hash + Eq> Limit<K> {
    pub fn new(most: usize, window: Duration) -> Limit<K> {
        Limit { most, window, taken: Mutex::default() }
    }

    /// Counts one more of this key, or says after how long the next one may be.
    pub fn take(&self, key: K) -> Result<(), Duration> {
        let now = Instant::now();
        let fresh = |at: &Instant| now.saturating_duration_since(*at) < self.window;
        // A panic between two statements here leaves a whole map behind, so a poisoned lock is still good.
        let mut taken = self.taken.lock().unwrap_or_else(PoisonError::into_inner);
        // The newest is the last.
        let over = |times: &VecDeque<Instant>| !times.back().is_some_and(fresh);
        make_room(&mut taken, MOST_KEYS, over, |times| Some((times.len(), times.back().copied())));
        let times = taken.entry(key).or_default();
        while times.front().is_some_and(|oldest| !fresh(oldest)) {
            times.pop_front();
        }
        if let Some(oldest) = times.front().filter(|_| times.len() >= self.most) {
            return Err(self.window.saturating_sub(now.saturating_duration_since(*oldest)));
        }
        times.push_back(now);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_key_has_its_own_count() {
        let limit = Limit::new(3, Duration::from_secs(3600));
        for _ in 0..3 {
            limit.take("here").unwrap();
        }
        assert!(limit.take("here").unwrap_err() > Duration::from_secs(3500));
        assert!(limit.take("there").is_ok());
    }

    #[test]
    fn many_keys_take_a_bounded_number_of_places_and_free_nobody_who_used_theirs_up() {
        let limit = Limit::new(2, Duration::from_secs(3600));
        limit.take(0).unwrap();
        limit.take(0).unwrap();
        for key in 1..3 * MOST_KEYS {
            limit.take(key).unwrap();
        }
        assert!(limit.taken.lock().unwrap().len() <= MOST_KEYS);
        assert!(limit.take(0).is_err());
    }

    #[test]
    fn what_is_long_ago_counts_no_more() {
        let limit = Limit::new(1, Duration::ZERO);
        limit.take("here").unwrap();
        limit.take("here").unwrap();
    }
}
