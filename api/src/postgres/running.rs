//! What each connection runs now, so that a client can stop it from another connection.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use quarry_engine::JobHandle;

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
    job: Option<JobHandle>,
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
                places.insert(process, Place { owner, secret, job: None });
                return Some((process, secret));
            }
        }
    }

    pub fn leave(&self, process: u32) {
        self.lock().remove(&process);
    }

    /// What a connection runs from now on.
    pub fn set(&self, process: u32, job: Option<JobHandle>) {
        if let Some(place) = self.lock().get_mut(&process) {
            place.job = job;
        }
    }

    /// Stops what a connection runs, if the secret is right.
    pub fn cancel(&self, process: u32, secret: u32) {
        if let Some(job) =
            self.lock().get(&process).filter(|place| place.secret == secret).and_then(|place| place.job.as_ref())
        {
            job.kill();
        }
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<u32, Place>> {
        // A panic between two statements here leaves a whole map behind, so a poisoned lock is still good.
        self.places.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
