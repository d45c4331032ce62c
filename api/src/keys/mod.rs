//! Keys of the developer API: shown once, kept as a hash, restricted to places and metrics, counted by day.

mod burst;
mod restrictions;
mod store;
mod usage;

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use axum::http::StatusCode;
use sha2::{Digest, Sha256};
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use crate::auth::limit::Limit;
use crate::db::Db;
use crate::http::{ApiError, Network};
use crate::time::now_ms;
use burst::Burst;
use usage::Usage;

pub use restrictions::Restrictions;
pub use store::{ApiKey, DayUsage, MOST, NewKey, count, create, edit, end, list, usage};

/// Text for a key that has run out.
pub const KEY_EXPIRED: &str = "The API key has expired, please request a new one!";
/// How long a key that was looked up is trusted. Changes made by this server count at once.
const FRESH: Duration = Duration::from_secs(5);
/// Keys that are remembered.
const REMEMBERED: usize = 10_000;
/// Unknown keys that one address may try.
const GUESSES: usize = 20;
const GUESSES_WITHIN: Duration = Duration::from_secs(60);

/// A key as a request is checked against it.
#[derive(Debug)]
pub struct KnownKey {
    pub id: i64,
    /// Whose it is.
    pub user_id: i64,
    /// Milliseconds since 1970.
    pub expires_at: Option<i64>,
    pub restrictions: Restrictions,
}

/// What a request shows beside its key.
#[derive(Debug, Clone, Copy)]
pub struct Shown<'a> {
    pub address: IpAddr,
    /// The header `Referer`, or `Origin` without one.
    pub referrer: Option<&'a str>,
}

/// Keys by their hash, with the moment they were read from the database.
type Known = HashMap<[u8; 32], (Instant, Arc<KnownKey>)>;

/// Checks keys and counts what they are used for.
#[derive(Debug)]
pub struct Keys {
    db: Db,
    known: Mutex<Known>,
    guesses: Limit<Network>,
    burst: Burst,
    usage: Usage,
}

impl Keys {
    /// Starts the writer of counts as one of `tasks`; a key may ask `burst` times within a second.
    pub fn start(db: Db, burst: u32, tasks: &TaskTracker, stop: CancellationToken) -> Keys {
        Keys {
            usage: Usage::start(db.clone(), tasks, stop),
            db,
            known: Mutex::default(),
            guesses: Limit::new(GUESSES, GUESSES_WITHIN),
            burst: Burst::new(burst),
        }
    }

    /// The key of a request that asks for these metrics (`category/name`), or why it is refused. Either counts.
    pub async fn admit(&self, key: &str, shown: Shown<'_>, metrics: &[String]) -> Result<(), ApiError> {
        let known = self.known(key, shown.address).await?;
        let outcome = self.check(&known, shown, metrics);
        self.usage.count(known.id, outcome.is_ok());
        outcome
    }

    /// The account whose key this is, for all that the account may do; a key that is restricted to pages or metrics is
    /// refused. Counts as a request.
    pub async fn account(&self, key: &str, address: IpAddr) -> Result<i64, ApiError> {
        let known = self.known(key, address).await?;
        let narrow = !known.restrictions.metrics.is_empty();
        let outcome = match self.check(&known, Shown { address, referrer: None }, &[]) {
            Ok(()) if narrow => {
                let msg = "This API key may only read metrics.";
                Err(ApiError::new(StatusCode::FORBIDDEN, "api_key_metric", msg))
            }
            other => other,
        };
        self.usage.count(known.id, outcome.is_ok());
        outcome.map(|()| known.user_id)
    }

    fn check(&self, key: &KnownKey, shown: Shown<'_>, metrics: &[String]) -> Result<(), ApiError> {
        let refused = |code: &'static str, msg: &str| Err(ApiError::new(StatusCode::FORBIDDEN, code, msg));
        if key.expires_at.is_some_and(|at| at <= now_ms()) {
            return Err(ApiError::new(StatusCode::UNAUTHORIZED, "api_key_expired", KEY_EXPIRED));
        }
        if !key.restrictions.allow_address(shown.address) {
            return refused("api_key_address", "This API key may not be used from this address.");
        }
        if !key.restrictions.allow_referrer(shown.referrer) {
            return refused("api_key_referrer", "This API key may not be used on this site.");
        }
        if let Some(metric) = metrics.iter().find(|metric| !key.restrictions.allow_metric(metric)) {
            let msg = format!("This API key may not read the metric {metric}.");
            return Err(ApiError::new(StatusCode::FORBIDDEN, "api_key_metric", msg).param("metric"));
        }
        self.burst.take(key.id).map_err(|()| {
            let msg = "This API key asks too often; please try again in a second.";
            ApiError::new(StatusCode::TOO_MANY_REQUESTS, "too_many_requests", msg).retry_after(1)
        })
    }

    async fn known(&self, key: &str, address: IpAddr) -> Result<Arc<KnownKey>, ApiError> {
        let hash: [u8; 32] = Sha256::digest(key).into();
        let held = self.lock().get(&hash).filter(|(at, _)| at.elapsed() < FRESH).map(|(_, key)| key.clone());
        if let Some(held) = held {
            return Ok(held);
        }
        let Some(found) = store::find(&self.db, &hash).await? else {
            self.guesses.take(address.into()).map_err(ApiError::too_many)?;
            let msg = "This API key does not exist or was ended.";
            return Err(ApiError::new(StatusCode::UNAUTHORIZED, "api_key_invalid", msg));
        };
        let found = Arc::new(found);
        let mut known = self.lock();
        if known.len() >= REMEMBERED {
            known.clear();
        }
        known.insert(hash, (Instant::now(), found.clone()));
        Ok(found)
    }

    /// Forgets what was looked up of a key, after a change of it.
    pub fn forget(&self, id: i64) {
        self.lock().retain(|_, (_, key)| key.id != id);
    }

    /// Forgets what was looked up of an account's keys, after it was disabled.
    pub fn forget_all(&self, user: i64) {
        self.lock().retain(|_, (_, key)| key.user_id != user);
    }

    /// Waits until all that was counted so far is written.
    pub async fn flush(&self) {
        self.usage.flush().await;
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Known> {
        // A panic between two statements here leaves a whole map behind, so a poisoned lock is still good.
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
