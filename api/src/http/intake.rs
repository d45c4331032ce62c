//! How much a connection may still send. A websocket counts messages, but a message may come in pieces without end, empty ones
//! at that, which the library puts together without telling anybody.

use std::convert::Infallible;
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};

use axum::extract::FromRequestParts;
use axum::http::request::Parts;

/// What a connection may still send; clones are the same.
#[derive(Debug, Clone)]
pub struct Intake(Arc<AtomicI64>);

impl Default for Intake {
    /// Without a bound.
    fn default() -> Intake {
        Intake(Arc::new(AtomicI64::new(i64::MAX)))
    }
}

impl Intake {
    /// From now on the connection may send so many bytes.
    pub fn bound(&self, bytes: i64) {
        self.0.store(bytes, Ordering::Relaxed);
    }

    /// It may send some more, but no more than `most` at once.
    pub fn grant(&self, bytes: i64, most: i64) {
        let more = |left: i64| Some(left.saturating_add(bytes).min(most));
        // The closure always has an answer.
        let _ = self.0.fetch_update(Ordering::Relaxed, Ordering::Relaxed, more);
    }

    /// Counts what came; false when it is more than may come.
    pub fn take(&self, bytes: usize) -> bool {
        let bytes = i64::try_from(bytes).unwrap_or(i64::MAX);
        self.0.fetch_sub(bytes, Ordering::Relaxed) >= bytes
    }
}

impl<S: Send + Sync> FromRequestParts<S> for Intake {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, _state: &S) -> Result<Intake, Infallible> {
        // Without a connection (a router called in a test) nothing is counted.
        Ok(parts.extensions.get::<Intake>().cloned().unwrap_or_default())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_comes_is_counted_from_the_bound_on() {
        let intake = Intake::default();
        assert!(intake.take(1 << 40));
        let same = intake.clone();
        same.bound(10);
        assert!(intake.take(4) && intake.take(6));
        assert!(!intake.take(1));
        intake.bound(5);
        intake.grant(100, 8);
        assert!(intake.take(8) && !intake.take(1));
    }
}
