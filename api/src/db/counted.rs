//! Counts of what there is much of, kept for some seconds: a word that half of all queries have is looked for again and
//! again, and PostgreSQL visits every match to count it.

use std::collections::HashMap;
use std::future::Future;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Longest life of a count: another server may have written meanwhile.
const LIFETIME: Duration = Duration::from_secs(10);
/// Counts kept before all are dropped.
const MOST: usize = 1_000;

/// What was counted.
#[derive(Debug, Default)]
pub struct Counted {
    /// Writes of this server to what is searched; a count from before one is no longer good.
    writes: AtomicU64,
    kept: Mutex<HashMap<String, Kept>>,
}

#[derive(Debug)]
struct Kept {
    count: i64,
    writes: u64,
    at: Instant,
}

impl Counted {
    /// Something that is counted was written.
    pub fn changed(&self) {
        self.writes.fetch_add(1, Ordering::Relaxed);
    }

    /// The count of `what`: a kept one, or `count`, which is kept when it is more than `few`.
    pub async fn of<E>(&self, what: String, few: i64, count: impl Future<Output = Result<i64, E>>) -> Result<i64, E> {
        let writes = self.writes.load(Ordering::Relaxed);
        if let Some(kept) = self.kept().get(&what)
            && kept.writes == writes
            && kept.at.elapsed() < LIFETIME
        {
            return Ok(kept.count);
        }
        let count = count.await?;
        if count > few {
            let mut kept = self.kept();
            if kept.len() >= MOST {
                kept.clear();
            }
            kept.insert(what, Kept { count, writes, at: Instant::now() });
        }
        Ok(count)
    }

    fn kept(&self) -> std::sync::MutexGuard<'_, HashMap<String, Kept>> {
        // A panic between two statements leaves a whole map behind, so a poisoned lock is still good.
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn much_is_counted_once_until_something_is_written() {
        let counted = Counted::default();
        let count = async |what: &str, now: i64| counted.of(what.to_string(), 10, async { Ok::<_, ()>(now) }).await;
        assert_eq!((count("a", 11).await, count("a", 12).await, count("b", 13).await), (Ok(11), Ok(11), Ok(13)));
        assert_eq!((count("few", 10).await, count("few", 9).await), (Ok(10), Ok(9)));
        counted.changed();
        assert_eq!((count("a", 14).await, count("a", 15).await), (Ok(14), Ok(14)));
        let failed = counted.of("c".to_string(), 10, async { Err::<i64, &str>("gone") }).await;
        assert_eq!(failed, Err("gone"));
    }
}
