//! Requests over HTTP.

use std::time::Duration;

use alloy::transports::http::reqwest::header::{CONTENT_TYPE, RETRY_AFTER};
use alloy::transports::http::reqwest::{self, Url};

use super::timeout::{CONNECT_TIMEOUT, seconds, timed_out};
use crate::rpc::byte_budget::ByteBudget;
use crate::rpc::failure::{Failure, Remedy};

/// Maximum bytes that are allocated before a response arrives.
const LIKELY: usize = 16 << 20;

/// A client for one address.
pub(in crate::rpc) struct Http {
    client: reqwest::Client,
    url: Url,
    timeout: Duration,
}

impl Http {
    pub(super) fn new(url: Url, timeout: Duration) -> Result<Http, String> {
        let client = reqwest::Client::builder()
            .connect_timeout(CONNECT_TIMEOUT.min(timeout))
            .timeout(timeout)
            .tcp_nodelay(true)
            .user_agent(concat!("quarry/", env!("CARGO_PKG_VERSION")))
            .build()
            .map_err(|error| format!("no HTTP client can be made: {error}"))?;
        Ok(Http { client, url, timeout })
    }

    pub(super) async fn send(&self, body: String, budget: &ByteBudget) -> Result<Vec<u8>, Failure> {
        let request = self.client.post(self.url.clone()).header(CONTENT_TYPE, "application/json").body(body);
        let mut response = request.send().await.map_err(|error| self.failure(error))?;
        let retry_after = response.headers().get(RETRY_AFTER).and_then(seconds);
        let announced = response.content_length().and_then(|length| usize::try_from(length).ok()).unwrap_or(0);
        // The content length is only a promise.
        let mut answer = Vec::with_capacity(announced.min(LIKELY));
        while let Some(chunk) = response.chunk().await.map_err(|error| self.failure(error))? {
            if answer.len() + chunk.len() > budget.left() {
                return Err(budget.exceeded());
            }
            answer.extend_from_slice(&chunk);
        }
        match response.status() {
            status if status.is_success() => Ok(answer),
            status => Err(Failure::status(status.as_u16(), retry_after, &answer)),
        }
    }

    fn failure(&self, error: reqwest::Error) -> Failure {
        if error.is_timeout() && !error.is_connect() {
            return timed_out(self.timeout);
        }
        let verb = if error.is_connect() { "can't be reached" } else { "broke off" };
        Failure::new(Remedy::Unreachable, format!("{verb}: {}", root_cause(&error)))
    }
}

/// The root cause, without the address, which may contain a key.
fn root_cause(error: &reqwest::Error) -> String {
    let mut cause: &dyn std::error::Error = error;
    while let Some(inner) = cause.source() {
        cause = inner;
    }
    cause.to_string()
}
