//! Tickets: random keys that work once and for a short time, for places where a header can't be sent.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use super::token::random_key;

/// Most tickets that wait to be used; a new one beyond that pushes out the oldest.
const MOST: usize = 2_000;
/// The same of one account, so that nobody pushes out everybody's: as many as a browser opens tabs and downloads at once.
const MOST_OF_ONE: usize = 100;

/// Tickets of one purpose, each with what it allows. They belong to accounts or, before a log-in, to places.
#[derive(Debug)]
pub struct Tickets<T, O = i64> {
    lifetime: Duration,
    most: usize,
    most_of_one: usize,
    open: Mutex<HashMap<String, Open<T, O>>>,
}

#[derive(Debug)]
struct Open<T, O> {
    owner: O,
    made: Instant,
    allows: T,
}

impl<T, O: PartialEq> Tickets<T, O> {
    pub fn new(lifetime: Duration) -> Tickets<T, O> {
        Tickets::bounded(lifetime, MOST, MOST_OF_ONE)
    }

    /// The same with other bounds: so many in all, and so many of one owner.
    pub fn bounded(lifetime: Duration, most: usize, most_of_one: usize) -> Tickets<T, O> {
        Tickets { lifetime, most, most_of_one, open: Mutex::default() }
    }

    /// A new ticket of an owner.
    pub fn issue(&self, owner: O, allows: T) -> String {
        let now = Instant::now();
        let key = random_key();
        let mut open = self.open();
        open.retain(|_, ticket| now.duration_since(ticket.made) < self.lifetime);
        let own = open.values().filter(|ticket| ticket.owner == owner).count();
        if own >= self.most_of_one || open.len() >= self.most {
            let pushed_out = |ticket: &Open<T, O>| own < self.most_of_one || ticket.owner == owner;
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

    fn open(&self) -> MutexGuard<'_, HashMap<String, Open<T, O>>> {
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
    fn bounds_may_be_others_and_owners_no_accounts() {
        let tickets = Tickets::bounded(Duration::from_secs(30), 3, 2);
        let first: Vec<String> = ["a", "b", "b", "b"].map(|owner| tickets.issue(owner, ())).to_vec();
        let taken: Vec<bool> = first.iter().map(|ticket| tickets.take(ticket).is_some()).collect();
        assert_eq!(taken, [true, false, true, true]);
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
