//! Counts of what there is much of, kept for some seconds: a word that half of all queries have is looked for again and
//! again, and PostgreSQL visits every match to count it. And rows of pages that were read: who pages on goes on from there.

use std::collections::{BTreeMap, HashMap};
use std::future::Future;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Longest life of a count: another server may have written meanwhile.
const LIFETIME: Duration = Duration::from_secs(10);
/// Longest life of a place: as long as somebody looks at a page. What other servers write meanwhile moves it by some rows.
const LOOK: Duration = Duration::from_secs(120);
/// Counts, and orders with places, that are kept before all are dropped.
const MOST: usize = 1_000;
/// Places of one order.
const MOST_PLACES: usize = 200;

/// What was counted.
#[derive(Debug, Default)]
pub struct Counted {
    /// Writes of this server to what is searched; a count from before one is no longer good.
    writes: AtomicU64,
    kept: Mutex<HashMap<String, Kept>>,
    places: Mutex<HashMap<String, Places>>,
}

/// Rows of an order by how many stand before them.
#[derive(Debug)]
struct Places {
    writes: u64,
    at: Instant,
    rows: BTreeMap<i64, Vec<i64>>,
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

    /// The nearest row that is known at or before a place in an order, and its own place.
    pub fn place(&self, order: &str, place: i64) -> Option<(i64, Vec<i64>)> {
        let writes = self.writes.load(Ordering::Relaxed);
        let places = self.places();
        let known = places.get(order).filter(|known| known.writes == writes && known.at.elapsed() < LOOK)?;
        known.rows.range(..=place).next_back().map(|(at, row)| (*at, row.clone()))
    }

    /// Keeps the first and the last of the rows that begin at a place in an order.
    pub fn keep_places(&self, order: String, place: i64, rows: &[Vec<i64>]) {
        let (Some(first), Some(last)) = (rows.first(), rows.last()) else { return };
        let (writes, end) = (self.writes.load(Ordering::Relaxed), i64::try_from(rows.len()).unwrap_or(i64::MAX));
        let mut places = self.places();
        if places.len() >= MOST {
            places.clear();
        }
        let fresh = || Places { writes, at: Instant::now(), rows: BTreeMap::new() };
        let known = places.entry(order).or_insert_with(fresh);
        if known.writes != writes || known.at.elapsed() >= LOOK || known.rows.len() >= MOST_PLACES {
            *known = fresh();
        }
        known.rows.insert(place, first.clone());
        known.rows.insert(place + end - 1, last.clone());
    }

    fn places(&self) -> std::sync::MutexGuard<'_, HashMap<String, Places>> {
        // As with the counts.
        self.places.lock().unwrap_or_else(PoisonError::into_inner)
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
    #[test]
    fn who_pages_on_goes_on_from_the_nearest_row_until_something_is_written() {
        let counted = Counted::default();
        let row = |number: i64| vec![number, 1];
        assert_eq!(counted.place("a", 5), None);
        counted.keep_places("a".to_string(), 100, &[row(7), row(8), row(9)]);
        counted.keep_places("a".to_string(), 200, &[]);
        assert_eq!((counted.place("a", 99), counted.place("b", 100)), (None, None));
        assert_eq!(counted.place("a", 101), Some((100, row(7))));
        assert_eq!(counted.place("a", 250), Some((102, row(9))));
        counted.changed();
        assert_eq!(counted.place("a", 250), None);
    }
}
