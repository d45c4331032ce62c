//! Tickets: random keys that work once and for a short time, for places where a header can't be sent.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use super::token::random_key;

/// Most tickets that wait to be used; a new one beyond that pushes out the oldest.
const MOST: usize = 2_000;

/// Tickets of one purpose, each with what it allows.
#[derive(Debug)]
pub struct Tickets<T> {
    lifetime: Duration,
    open: Mutex<HashMap<String, (T, Instant)>>,
}

impl<T> Tickets<T> {
    pub fn new(lifetime: Duration) -> Tickets<T> {
        Tickets { lifetime, open: Mutex::default() }
    }

    pub fn issue(&self, allows: T) -> String {
        let now = Instant::now();
        let key = random_key();
        let mut open = self.open();
        open.retain(|_, (_, made)| now.duration_since(*made) < self.lifetime);
        if open.len() >= MOST {
            let oldest = open.iter().min_by_key(|(_, (_, made))| *made).map(|(key, _)| key.clone());
            oldest.and_then(|key| open.remove(&key));
        }
        open.insert(key.clone(), (allows, now));
        key
    }

    /// What the ticket allows; from then on it is used.
    pub fn take(&self, ticket: &str) -> Option<T> {
        let (allows, made) = self.open().remove(ticket)?;
        (made.elapsed() < self.lifetime).then_some(allows)
    }

    fn open(&self) -> MutexGuard<'_, HashMap<String, (T, Instant)>> {
        // A panic between two statements here leaves a whole map behind, so a poisoned lock is still good.
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_ticket_works_once() {
        let tickets = Tickets::new(Duration::from_secs(30));
        let ticket = tickets.issue(7);
        assert_eq!(tickets.take("other"), None);
        assert_eq!(tickets.take(&ticket), Some(7));
        assert_eq!(tickets.take(&ticket), None);
    }

    #[test]
    fn a_ticket_runs_out() {
        let tickets = Tickets::new(Duration::ZERO);
        let ticket = tickets.issue(7);
        assert_eq!(tickets.take(&ticket), None);
    }

    #[test]
    fn tickets_are_bounded() {
        let tickets = Tickets::new(Duration::from_secs(30));
        let first = tickets.issue(0);
        for number in 0..MOST {
            tickets.issue(number);
        }
        assert_eq!(tickets.take(&first), None);
        assert_eq!(tickets.open().len(), MOST);
    }
}
