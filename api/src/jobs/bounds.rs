//! How long a call may wait for a job, and how many rows a page may have.

use std::time::Duration;

use crate::http::ApiError;

/// Rows of one page of a result.
const PAGE: u64 = 100;
const LARGEST_PAGE: u64 = 10_000;
/// Milliseconds that a call may wait for the end of a job: less than what proxies allow an answer.
const LONGEST_WAIT: u64 = 30_000;

/// The time that a call waits, given in milliseconds; none when left out.
pub fn longest_wait(asked: Option<u64>) -> Result<Duration, ApiError> {
    match asked.unwrap_or(0) {
        wait if wait > LONGEST_WAIT => {
            Err(ApiError::invalid("wait", format!("A call waits at most {LONGEST_WAIT} milliseconds.")))
        }
        wait => Ok(Duration::from_millis(wait)),
    }
}

/// The rows of a page; 100 when left out.
pub fn page_size(asked: Option<u64>) -> Result<u64, ApiError> {
    match asked.unwrap_or(PAGE) {
        rows if (1..=LARGEST_PAGE).contains(&rows) => Ok(rows),
        _ => Err(ApiError::invalid("limit", format!("A page has 1 to {LARGEST_PAGE} rows."))),
    }
}
