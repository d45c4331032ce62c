//! Open connections and their current work, which a client can cancel from another connection.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use tokio_util::sync::CancellationToken;

use crate::auth::token::fill_random;

/// The connections by their number.
pub struct Running {
    places: Mutex<HashMap<u32, Place>>,
    /// Connections that one account may have.
    of_one: usize,
}

struct Place {
    owner: i64,
    secret: u32,
    /// Cancels its current work: a running query, or rows being sent.
    stop: Option<CancellationToken>,
}

/// The current work of a connection, until dropped.
pub struct Doing<'a> {
    running: &'a Running,
    process: u32,
    /// Canceled when the client sends a cancel request.
    pub stop: CancellationToken,
}

impl Running {
    pub fn new(of_one: usize) -> Running {
        Running { places: Mutex::default(), of_one }
    }

    /// A new connection of an account: its number, and the secret that stops its queries. `None` when the account has as
    /// many as it may.
    pub fn enter(&self, owner: i64) -> Option<(u32, u32)> {
        let mut places = self.lock();
        if places.values().filter(|place| place.owner == owner).count() >= self.of_one {
            return None;
        }
        loop {
            let mut random = [0; 8];
            fill_random(&mut random);
            let [a, b, c, d, rest @ ..] = random;
            // Clients read it as a signed number.
            let (process, secret) = (u32::from_be_bytes([a, b, c, d]) >> 1, u32::from_be_bytes(rest));
            if process != 0 && !places.contains_key(&process) {
                places.insert(process, Place { owner, secret, stop: None });
                return Some((process, secret));
            }
        }
    }

    pub fn leave(&self, process: u32) {
        self.lock().remove(&process);
    }

    /// Begins work that the client can cancel.
    pub fn begin(&self, process: u32) -> Doing<'_> {
        let stop = CancellationToken::new();
        if let Some(place) = self.lock().get_mut(&process) {
            place.stop = Some(stop.clone());
        }
        Doing { running: self, process, stop }
    }

    /// Cancels the current work of a connection, if the secret is right.
    pub fn cancel(&self, process: u32, secret: u32) {
        let places = self.lock();
        let place = places.get(&process).filter(|place| place.secret == secret);
        if let Some(stop) = place.and_then(|place| place.stop.as_ref()) {
            stop.cancel();
        }
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<u32, Place>> {
        // A panic between two statements here leaves a whole map behind, so a poisoned lock is still good.
        self.places.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Doing<'_> {
    /// A late cancel request must not hit the next query.
    fn drop(&mut self) {
        if let Some(place) = self.running.lock().get_mut(&self.process) {
            place.stop = None;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_runs_is_stopped_and_only_with_the_secret() {
        let running = Running::new(1);
        let (process, secret) = running.enter(1).unwrap();
        assert!(running.enter(1).is_none());
        running.cancel(process, secret);
        let doing = running.begin(process);
        running.cancel(process, secret ^ 1);
        assert!(!doing.stop.is_cancelled());
        running.cancel(process, secret);
        assert!(doing.stop.is_cancelled());
        drop(doing);
        running.cancel(process, secret);
        assert!(!running.begin(process).stop.is_cancelled());
        running.leave(process);
        assert!(running.enter(1).is_some());
    }
}
