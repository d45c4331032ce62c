//! The brake on guessing passwords and second factors. Kept in memory: a restart forgives.
//!
//! Wrong passwords are counted three times: for a user name at one address, so that whoever guesses waits; for an address over
//! all names, so that it can't try one password on everybody; and for a user name over all addresses, so that many addresses
//! together get few guesses too. The last one would also keep the owner out while the attack lasts, so it does not hold for
//! browsers that the account has logged in from, nor for whoever brings a code that was sent to the owner. None of this asks
//! whether the account exists: unknown names are slowed alike.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use tokio::sync::{Mutex as AsyncMutex, OwnedMutexGuard};

use super::make_room::make_room;
use crate::http::Network;

/// How many wrong tries are free, and how long the next one waits then: each wrong one doubles that.
#[derive(Debug, Clone, Copy)]
struct Rule {
    free: u32,
    first: Duration,
    longest: Duration,
}

const MINUTE: Duration = Duration::from_secs(60);
/// For a name at one address, a known browser of an account, and the second factor of an account.
const ONE: Rule = Rule { free: 5, first: MINUTE, longest: Duration::from_secs(15 * 60) };
/// For an address over all names.
const ADDRESS: Rule = Rule { free: 100, ..ONE };
/// For a name over all addresses: 12 guesses an hour once the free ones are used up.
const EVERYWHERE: Rule = Rule { free: 50, first: MINUTE, longest: Duration::from_secs(5 * 60) };
/// After this long without a wrong try everything is forgiven.
const FORGIVEN: Duration = Duration::from_secs(30 * 60);
/// Keys that are kept; beyond that, those with the fewest wrong tries make room.
const MOST_KEYS: usize = 50_000;

/// Counts wrong passwords and codes.
#[derive(Debug, Default)]
pub struct Throttle {
    keys: Mutex<HashMap<Key, Arc<AsyncMutex<Tries>>>>,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash)]
enum Key {
    Name(String, Network),
    /// A browser that the account has logged in from, or a session of it.
    Known(String, String),
    Address(Network),
    Everywhere(String),
    /// The second factor of an account, for all its known browsers and sessions together, or for everybody else. Not for each:
    /// whoever has a session and the password gets as many new ones as they like.
    Code(i64, bool),
}

/// Why somebody is not slowed by what others guess.
#[derive(Debug, Clone, Copy)]
pub enum Pass<'a> {
    /// Nothing says that this is the owner.
    None,
    /// The account has logged in from here before; by a text that is different for each browser and session.
    Known(&'a str),
    /// The owner's mailbox or phone got a code, which was given.
    Code,
}

/// Why a try may not begin, and after how long the next one may.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Wait {
    /// Whoever tries has been wrong too often.
    Own(Duration),
    /// Many have been wrong with this name: a known browser or a code passes.
    Account(Duration),
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
    own: OwnedMutexGuard<Tries>,
    counted: Vec<Counted>,
}

/// What was counted before the password was looked at.
#[derive(Debug)]
struct Counted {
    tries: Arc<AsyncMutex<Tries>>,
    at: Instant,
    /// When it was counted before that.
    before: Option<Instant>,
}

impl Throttle {
    /// Lets a try begin.
    pub async fn begin(&self, user_name: &str, address: impl Into<Network>, pass: Pass<'_>) -> Result<Attempt, Wait> {
        self.begin_at(user_name, address.into(), pass, Instant::now()).await
    }

    async fn begin_at(&self, user_name: &str, place: Network, pass: Pass<'_>, now: Instant) -> Result<Attempt, Wait> {
        // User names have 16 characters at most; a longer text can't be one and needs no key of its own.
        let user_name: String = user_name.chars().take(17).collect();
        let address = self.key(Key::Address(place), now);
        address.lock().await.allow(ADDRESS, now).map_err(Wait::Own)?;
        let own = match pass {
            Pass::Known(device) => Key::Known(user_name.clone(), device.to_string()),
            Pass::None | Pass::Code => Key::Name(user_name.clone(), place),
        };
        let mut own = self.key(own, now).lock_owned().await;
        own.allow(ONE, now).map_err(Wait::Own)?;
        // Counted before the password is looked at, which takes a while: many at once don't get more guesses than one after
        // the other.
        let mut counted = vec![Counted::count(address, ADDRESS, now).await.map_err(Wait::Own)?];
        if matches!(pass, Pass::None) {
            let everywhere = self.key(Key::Everywhere(user_name), now);
            match Counted::count(everywhere, EVERYWHERE, now).await {
                Ok(everywhere) => counted.push(everywhere),
                Err(wait) => {
                    for counted in counted {
                        counted.take_back().await;
                    }
                    return Err(Wait::Account(wait));
                }
            }
        }
        Ok(Attempt { own, counted })
    }

    /// Lets a try of an account's second factor begin; `known` where the account has logged in from here before.
    pub async fn begin_code(&self, account: i64, known: bool) -> Result<Attempt, Duration> {
        self.begin_code_at(account, known, Instant::now()).await
    }

    async fn begin_code_at(&self, account: i64, known: bool, now: Instant) -> Result<Attempt, Duration> {
        let mut own = self.key(Key::Code(account, known), now).lock_owned().await;
        own.allow(ONE, now)?;
        Ok(Attempt { own, counted: Vec::new() })
    }

    fn key(&self, key: Key, now: Instant) -> Arc<AsyncMutex<Tries>> {
        // A panic between two statements here leaves a whole map behind, so a poisoned lock is still good.
        let mut keys = self.keys.lock().unwrap_or_else(PoisonError::into_inner);
        let forgiven = |tries: &Arc<AsyncMutex<Tries>>| {
            Arc::strong_count(tries) == 1 && tries.try_lock().is_ok_and(|tries| tries.forgiven(now))
        };
        make_room(&mut keys, MOST_KEYS, forgiven, |tries| {
            let unused = Arc::strong_count(tries) == 1;
            tries.try_lock().ok().filter(|_| unused).map(|tries| (tries.wrong, tries.last))
        });
        keys.entry(key).or_default().clone()
    }
}

impl Tries {
    fn forgiven(&self, now: Instant) -> bool {
        self.last.is_none_or(|last| now.saturating_duration_since(last) >= FORGIVEN)
    }

    /// Refuses while the wait after the last wrong try lasts.
    fn allow(&mut self, rule: Rule, now: Instant) -> Result<(), Duration> {
        if self.forgiven(now) {
            *self = Tries::default();
        }
        let (Some(last), Some(beyond)) = (self.last, self.wrong.checked_sub(rule.free)) else { return Ok(()) };
        let wait = rule.first.saturating_mul(1 << beyond.min(8)).min(rule.longest);
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

impl Counted {
    async fn count(tries: Arc<AsyncMutex<Tries>>, rule: Rule, now: Instant) -> Result<Counted, Duration> {
        let mut held = tries.lock().await;
        held.allow(rule, now)?;
        let before = held.last;
        held.count(now);
        drop(held);
        Ok(Counted { tries, at: now, before })
    }

    async fn take_back(self) {
        let mut tries = self.tries.lock().await;
        tries.wrong = tries.wrong.saturating_sub(1);
        if tries.last == Some(self.at) {
            tries.last = self.before;
        }
    }
}

impl Attempt {
    pub fn wrong(self) {
        self.wrong_at(Instant::now());
    }

    fn wrong_at(mut self, now: Instant) {
        self.own.count(now);
    }

    /// It was right: the own count starts at zero again, and nothing else is counted for it.
    pub async fn right(mut self) {
        *self.own = Tries::default();
        for counted in self.counted {
            counted.take_back().await;
        }
    }
}

#[cfg(test)]
mod tests;
