//! Timeouts of connections and responses, and the `Retry-After` header.

use std::time::Duration;

use alloy::transports::http::reqwest::header::HeaderValue;

use crate::rpc::failure::{Failure, Remedy};

pub(super) const CONNECT_TIMEOUT: Duration = Duration::from_secs(10);

pub(super) fn timed_out(timeout: Duration) -> Failure {
    Failure::new(Remedy::Slow, format!("did not respond within {} s", timeout.as_secs_f32()))
}

/// The value of a `Retry-After` header.
pub(super) fn seconds(value: &HeaderValue) -> Option<Duration> {
    value.to_str().ok()?.trim().parse().ok().map(Duration::from_secs)
}
