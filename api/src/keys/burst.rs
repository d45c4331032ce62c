//! Bounds how often a key may ask within a second. It protects the server and is no quota.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

const WINDOW: Duration = Duration::from_secs(1);
/// Keys that are counted before old windows are dropped.
const SWEEP_AT: usize = 10_000;

/// Requests of each key in its current second.
#[derive(Debug)]
pub(super) struct Burst {
    most: u32,
    windows: Mutex<HashMap<i64, (Instant, u32)>>,
}

impl Burst {
    pub fn new(most: u32) -> Burst {
        Burst { most, windows: Mutex::default() }
    }

    /// Counts one more, unless the second has had all it may.
    pub fn take(&self, key: i64) -> Result<(), ()> {
        let now = Instant::now();
        // A panic between two statements here leaves a whole map behind, so a poisoned lock is still good.
        let mut windows = self.windows.lock().unwrap_or_else(PoisonError::into_inner);
        if windows.len() >= SWEEP_AT {
            windows.retain(|_, (start, _)| now.saturating_duration_since(*start) < WINDOW);
        }
        let (start, count) = windows.entry(key).or_insert((now, 0));
        if now.saturating_duration_since(*start) >= WINDOW {
            (*start, *count) = (now, 0);
        }
        if *count >= self.most {
            return Err(());
        }
        *count += 1;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_key_has_its_own_second() {
        let burst = Burst::new(2);
        // The first two of a key always fit; the third is refused unless the machine took a second in between.
        let begun = Instant::now();
        assert_eq!((burst.take(1), burst.take(1)), (Ok(()), Ok(())));
        let third = burst.take(1);
        assert!(third.is_err() || begun.elapsed() >= WINDOW);
        assert_eq!(burst.take(2), Ok(()));
    }
}
