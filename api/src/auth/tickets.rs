//! Tickets: random keys that work once and for a short time, for places where a header can't be sent.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use super::token::random_key;

/// Most tickets that wait to be used; a new one beyond that pushes out the oldest.
const MOST: usize = 2_000;
/// The same of one account, so that nobody pushes out everybody's: as many as a browser opens tabs and downloads at once.
const MOST_OF_ONE: usize = 100;

/// Tickets of one purpose, each with what it allows.
#[derive(Debug)]
pub struct Tickets<T> {
    lifetime: Duration,
    open: Mutex<HashMap<String, Open<T>>>,
}

#[derive(Debug)]
struct Open<T> {
    owner: i64,
    made: Instant,
    allows: T,
}

impl<T> Tickets<T> {
    pub fn new(lifetime: Duration) -> Tickets<T> {
        Tickets { lifetime, open: Mutex::default() }
    }

    /// A new ticket of an account.
    pub fn issue(&self, owner: i64, allows: T) -> String {
        let now = Instant::now();
        let key = random_key();
        let mut open = self.open();
        open.retain(|_, ticket| now.duration_since(ticket.made) < self.lifetime);
        let own = open.values().filter(|ticket| ticket.owner == owner).count();
        if own >= MOST_OF_ONE || open.len() >= MOST {
            let pushed_out = |ticket: &Open<T>| own < MOST_OF_ONE || ticket.owner == owner;
            let oldest = open.iter().filter(|(_, ticket)| pushed_out(ticket)).min_by_key(|(_, ticket)| ticket.made);
            let oldest = oldest.map(|(key, _)| key.clone());
            oldest.and_then(|key| open.remove(&key));
        }
        open.insert(key.clone(), Open { owner, made: now, allows });
        key
    }

    /// What the ticket allows; from then on it is used.
    pub fn take(&self, ticket: &str) -> Option<T> {
        let Open { made, allows, .. } = self.open().remove(ticket)?;
        (made.elapsed() < self.lifetime).then_some(allows)
    }

    fn open(&self) -> MutexGuard<'_, HashMap<String, Open<T>>> {
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
        let ticket = tickets.issue(1, 7);
        assert_eq!(tickets.take("other"), None);
        assert_eq!(tickets.take(&ticket), Some(7));
        assert_eq!(tickets.take(&ticket), None);
    }

    #[test]
    fn a_ticket_runs_out() {
        let tickets = Tickets::new(Duration::ZERO);
        let ticket = tickets.issue(1, 7);
        assert_eq!(tickets.take(&ticket), None);
    }

    #[test]
    fn tickets_are_bounded() {
        let tickets = Tickets::new(Duration::from_secs(30));
        let first = tickets.issue(0, 0);
        for owner in 1..=MOST {
            tickets.issue(i64::try_from(owner).unwrap(), owner);
        }
        assert_eq!(tickets.take(&first), None);
        assert_eq!(tickets.open().len(), MOST);
    }

    #[test]
    fn who_asks_for_many_pushes_out_none_of_others() {
        let tickets = Tickets::new(Duration::from_secs(30));
        let (of_another, first) = (tickets.issue(1, 1), tickets.issue(2, 2));
        for number in 0..3 * MOST {
            tickets.issue(2, number);
        }
        assert_eq!(tickets.open().len(), MOST_OF_ONE + 1);
        assert_eq!((tickets.take(&of_another), tickets.take(&first)), (Some(1), None));
    }
}
