//! The brake on guessing passwords: after five wrong ones, a user name waits at the address that guessed.
//!
//! Counted per user name and address, so that a stranger can't lock somebody out elsewhere; and per address over all
//! names, so that one address can't try one password on everybody. Kept in memory: a restart forgives.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use tokio::sync::{Mutex as AsyncMutex, OwnedMutexGuard};

/// Wrong passwords in a row that one name may have at one address.
const PER_NAME: u32 = 5;
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
    Name(String, IpAddr),
    Address(IpAddr),
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
}

impl Throttle {
    /// Lets a try begin, or says after how long the next one may.
    pub async fn begin(&self, user_name: &str, address: IpAddr) -> Result<Attempt, Duration> {
        self.begin_at(user_name, address, Instant::now()).await
    }

    async fn begin_at(&self, user_name: &str, address: IpAddr, now: Instant) -> Result<Attempt, Duration> {
        // User names have 16 characters at most; a longer text can't be one and needs no key of its own.
        let user_name: String = user_name.chars().take(17).collect();
        let all = self.key(Key::Address(address), now);
        all.lock().await.allow(PER_ADDRESS, now)?;
        let mut name = self.key(Key::Name(user_name, address), now).lock_owned().await;
        name.allow(PER_NAME, now)?;
        Ok(Attempt { name, address: all })
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
        if self.forgiven(now) {
            *self = Tries::default();
        }
        let (Some(last), Some(beyond)) = (self.last, self.wrong.checked_sub(most)) else { return Ok(()) };
        let wait = FIRST_WAIT.saturating_mul(1 << beyond.min(8)).min(LONGEST_WAIT);
        match wait.checked_sub(now.saturating_duration_since(last)) {
            Some(left) if left > Duration::ZERO => Err(left),
            _ => Ok(()),
        }
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
        self.address.lock().await.count(now);
    }

    /// The right password: the name's count begins anew.
    pub fn right(mut self) {
        *self.name = Tries::default();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const HERE: IpAddr = IpAddr::V4(std::net::Ipv4Addr::new(192, 0, 2, 1));
    const THERE: IpAddr = IpAddr::V4(std::net::Ipv4Addr::new(192, 0, 2, 2));

    async fn guess(throttle: &Throttle, name: &str, times: u32, now: Instant) {
        for _ in 0..times {
            throttle.begin_at(name, HERE, now).await.unwrap().wrong_at(now).await;
        }
    }

    #[tokio::test]
    async fn the_sixth_try_waits_and_only_there() {
        let throttle = Throttle::default();
        let now = Instant::now();
        guess(&throttle, "alice", 5, now).await;
        assert_eq!(throttle.begin_at("alice", HERE, now).await.unwrap_err(), FIRST_WAIT);
        assert!(throttle.begin_at("alice", THERE, now).await.is_ok());
        assert!(throttle.begin_at("bob", HERE, now).await.is_ok());
    }

    #[tokio::test]
    async fn the_wait_ends_doubles_and_is_bounded() {
        let throttle = Throttle::default();
        let mut now = Instant::now();
        guess(&throttle, "alice", 5, now).await;
        for expected in [60, 120, 240, 480, 900, 900] {
            let wait = throttle.begin_at("alice", HERE, now).await.unwrap_err();
            assert_eq!(wait.as_secs(), expected);
            now += wait;
            guess(&throttle, "alice", 1, now).await;
        }
        now += FORGIVEN;
        guess(&throttle, "alice", 5, now).await;
        assert!(throttle.begin_at("alice", HERE, now).await.is_err());
    }

    #[tokio::test]
    async fn the_right_password_begins_anew() {
        let throttle = Throttle::default();
        let now = Instant::now();
        guess(&throttle, "alice", 4, now).await;
        throttle.begin_at("alice", HERE, now).await.unwrap().right();
        guess(&throttle, "alice", 4, now).await;
        assert!(throttle.begin_at("alice", HERE, now).await.is_ok());
    }

    #[tokio::test]
    async fn one_address_cannot_try_everybody() {
        let throttle = Throttle::default();
        let now = Instant::now();
        for number in 0..PER_ADDRESS {
            guess(&throttle, &format!("user{number}"), 1, now).await;
        }
        assert!(throttle.begin_at("somebody", HERE, now).await.is_err());
        assert!(throttle.begin_at("somebody", THERE, now).await.is_ok());
    }
}
