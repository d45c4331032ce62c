//! The brake on guessing passwords: after five wrong ones, a user name waits at the address that guessed.
//!
//! Counted per user name and address, so that a stranger can't lock somebody out elsewhere; and per address over all
//! names, so that one address can't try one password on everybody. A name that is guessed at from many addresses gives each of
//! them fewer tries, but never none: what locked everybody out would lock its owner out too. Kept in memory: a restart
//! forgives.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use tokio::sync::{Mutex as AsyncMutex, OwnedMutexGuard};

use crate::http::Network;

/// Wrong passwords in a row that one name may have at one address.
const PER_NAME: u32 = 5;
/// The same for a name under attack, which is one with so many wrong passwords over all addresses.
const PER_NAME_ATTACKED: u32 = 1;
const ATTACKED: u32 = 100;
/// Wrong passwords that one address may have over all names.
const PER_ADDRESS: u32 = 100;
const FIRST_WAIT: Duration = Duration::from_secs(60);
const LONGEST_WAIT: Duration = Duration::from_secs(15 * 60);
/// After this long without a wrong password everything is forgiven.
const FORGIVEN: Duration = Duration::from_secs(30 * 60);
/// Keys kept before the forgiven ones are dropped.
const SWEEP_AT: usize = 10_000;

/// Counts wrong passwords.
#[derive(Debug, Default)]
pub struct Throttle {
    keys: Mutex<HashMap<Key, Arc<AsyncMutex<Tries>>>>,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash)]
enum Key {
    Name(String, Network),
    Address(Network),
    /// A name over all addresses.
    Everywhere(String),
}

#[derive(Debug, Default)]
struct Tries {
    wrong: u32,
    last: Option<Instant>,
}

/// A try that may go on; attempts on the same name from the same address wait for each other, so that many at once
/// don't get more guesses than one after the other.
#[derive(Debug)]
pub struct Attempt {
    name: OwnedMutexGuard<Tries>,
    address: Arc<AsyncMutex<Tries>>,
    everywhere: Arc<AsyncMutex<Tries>>,
    /// When the address was counted for it, and when it was before that.
    counted: (Instant, Option<Instant>),
}

impl Throttle {
    /// Lets a try begin, or says after how long the next one may.
    pub async fn begin(&self, user_name: &str, address: impl Into<Network>) -> Result<Attempt, Duration> {
        self.begin_at(user_name, address.into(), Instant::now()).await
    }

    async fn begin_at(&self, user_name: &str, place: Network, now: Instant) -> Result<Attempt, Duration> {
        // User names have 16 characters at most; a longer text can't be one and needs no key of its own.
        let user_name: String = user_name.chars().take(17).collect();
        let address = self.key(Key::Address(place), now);
        address.lock().await.allow(PER_ADDRESS, now)?;
        let everywhere = self.key(Key::Everywhere(user_name.clone()), now);
        let mut name = self.key(Key::Name(user_name, place), now).lock_owned().await;
        let attacked = everywhere.lock().await.lately(now) >= ATTACKED;
        name.allow(if attacked { PER_NAME_ATTACKED } else { PER_NAME }, now)?;
        let mut tries = address.lock().await;
        tries.allow(PER_ADDRESS, now)?;
        // Counted before the password is looked at, which takes a while: many at once with different names don't get more
        // guesses than one after the other.
        let before = tries.last;
        tries.count(now);
        drop(tries);
        Ok(Attempt { name, address, everywhere, counted: (now, before) })
    }

    fn key(&self, key: Key, now: Instant) -> Arc<AsyncMutex<Tries>> {
        // A panic between two statements here leaves a whole map behind, so a poisoned lock is still good.
        let mut keys = self.keys.lock().unwrap_or_else(PoisonError::into_inner);
        if keys.len() >= SWEEP_AT {
            keys.retain(|_, tries| tries.try_lock().map_or(true, |tries| !tries.forgiven(now)));
        }
        keys.entry(key).or_default().clone()
    }
}

impl Tries {
    fn forgiven(&self, now: Instant) -> bool {
        self.last.is_none_or(|last| now.saturating_duration_since(last) >= FORGIVEN)
    }

    /// Refuses while the wait after the last wrong password lasts; each further one doubles the wait.
    fn allow(&mut self, most: u32, now: Instant) -> Result<(), Duration> {
        let wrong = self.lately(now);
        let (Some(last), Some(beyond)) = (self.last, wrong.checked_sub(most)) else { return Ok(()) };
        let wait = FIRST_WAIT.saturating_mul(1 << beyond.min(8)).min(LONGEST_WAIT);
        match wait.checked_sub(now.saturating_duration_since(last)) {
            Some(left) if left > Duration::ZERO => Err(left),
            _ => Ok(()),
        }
    }

    /// Wrong passwords that are not forgiven.
    fn lately(&mut self, now: Instant) -> u32 {
        if self.forgiven(now) {
            *self = Tries::default();
        }
        self.wrong
    }

    fn count(&mut self, now: Instant) {
        self.wrong = self.wrong.saturating_add(1);
        self.last = Some(now);
    }
}

impl Attempt {
    pub async fn wrong(self) {
        self.wrong_at(Instant::now()).await;
    }

    async fn wrong_at(mut self, now: Instant) {
        self.name.count(now);
        self.everywhere.lock().await.count(now);
    }

    /// The right password: the name's count begins anew at this address, which is not counted for it either.
    pub async fn right(mut self) {
        *self.name = Tries::default();
        let (counted, before) = self.counted;
        let mut address = self.address.lock().await;
        address.wrong = address.wrong.saturating_sub(1);
        if address.last == Some(counted) {
            address.last = before;
        }
    }
}

#[cfg(test)]
mod tests {
    use std::net::IpAddr;

    use super::*;

    fn place(last: u8) -> Network {
        IpAddr::from([192, 0, 2, last]).into()
    }

    async fn guess(throttle: &Throttle, name: &str, times: u32, now: Instant) {
        for _ in 0..times {
            throttle.begin_at(name, place(1), now).await.unwrap().wrong_at(now).await;
        }
    }

    #[tokio::test]
    async fn the_sixth_try_waits_and_only_there() {
        let throttle = Throttle::default();
        let now = Instant::now();
        guess(&throttle, "alice", 5, now).await;
        assert_eq!(throttle.begin_at("alice", place(1), now).await.unwrap_err(), FIRST_WAIT);
        assert!(throttle.begin_at("alice", place(2), now).await.is_ok());
        assert!(throttle.begin_at("bob", place(1), now).await.is_ok());
    }

    #[tokio::test]
    async fn the_wait_ends_doubles_and_is_bounded() {
        let throttle = Throttle::default();
        let mut now = Instant::now();
        guess(&throttle, "alice", 5, now).await;
        for expected in [60, 120, 240, 480, 900, 900] {
            let wait = throttle.begin_at("alice", place(1), now).await.unwrap_err();
            assert_eq!(wait.as_secs(), expected);
            now += wait;
            guess(&throttle, "alice", 1, now).await;
        }
        now += FORGIVEN;
        guess(&throttle, "alice", 5, now).await;
        assert!(throttle.begin_at("alice", place(1), now).await.is_err());
    }

    #[tokio::test]
    async fn the_right_password_begins_anew() {
        let throttle = Throttle::default();
        let now = Instant::now();
        guess(&throttle, "alice", 4, now).await;
        throttle.begin_at("alice", place(1), now).await.unwrap().right().await;
        guess(&throttle, "alice", 4, now).await;
        assert!(throttle.begin_at("alice", place(1), now).await.is_ok());
    }

    #[tokio::test]
    async fn one_address_cannot_try_everybody() {
        let throttle = Throttle::default();
        let now = Instant::now();
        for number in 0..PER_ADDRESS {
            guess(&throttle, &format!("user{number}"), 1, now).await;
        }
        assert!(throttle.begin_at("somebody", place(1), now).await.is_err());
        assert!(throttle.begin_at("somebody", place(2), now).await.is_ok());
    }

    #[tokio::test]
    async fn many_at_once_are_no_more_than_one_after_the_other() {
        let throttle = Throttle::default();
        let now = Instant::now();
        let mut open = Vec::new();
        for number in 0..PER_ADDRESS {
            open.push(throttle.begin_at(&format!("user{number}"), place(1), now).await.unwrap());
        }
        assert!(throttle.begin_at("somebody", place(1), now).await.is_err(), "no password was looked at yet");
        // Right ones are not counted, so a room full of people logs in.
        for attempt in open {
            attempt.right().await;
        }
        assert!(throttle.begin_at("somebody", place(1), now).await.is_ok());
    }

    #[tokio::test]
    async fn a_name_that_many_guess_at_gives_each_fewer_tries_and_its_owner_one() {
        let throttle = Throttle::default();
        let now = Instant::now();
        for last in 1..=20 {
            for _ in 0..PER_NAME {
                throttle.begin_at("alice", place(last), now).await.unwrap().wrong_at(now).await;
            }
        }
        throttle.begin_at("alice", place(99), now).await.unwrap().wrong_at(now).await;
        assert_eq!(throttle.begin_at("alice", place(99), now).await.unwrap_err(), FIRST_WAIT);
        assert!(throttle.begin_at("alice", place(100), now).await.is_ok(), "her own place");
        assert!(throttle.begin_at("bob", place(1), now).await.is_ok());
    }
}
