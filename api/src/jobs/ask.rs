//! Questions that the server itself asks the engine to answer a call: bounded by a deadline, their result is not kept.

use std::sync::Arc;
use std::time::Duration;

use axum::http::StatusCode;
use quarry_engine::Engine;
use quarry_engine::job::{JobRequest, JobState};
use quarry_engine::user_tables::Schemas;
use serde_json::Value;

use super::result;
use crate::auth::token::random_key;
use crate::http::ApiError;

const DEADLINE: Duration = Duration::from_secs(20);
/// Rows of an answer.
const ROWS: u64 = 10_000;

/// The rows of a query that sees the labels and tables of `schemas`; `owner` is whose it is for the engine's fairness.
pub async fn rows(
    engine: &Arc<Engine>,
    owner: &str,
    schemas: Schemas,
    text: String,
) -> Result<Vec<Vec<Value>>, ApiError> {
    let id = random_key();
    let request = JobRequest { id: id.clone(), text, owner: owner.to_string(), schemas, ..JobRequest::default() };
    let job = engine.submit(request)?;
    let ended = tokio::time::timeout(DEADLINE, job.wait()).await;
    let Ok(ended) = ended else {
        job.kill();
        let msg = "This takes too long to look up now. Try again later.";
        return Err(ApiError::new(StatusCode::SERVICE_UNAVAILABLE, "too_slow", msg).retry_after(30));
    };
    if ended.state != JobState::Succeeded {
        let (code, message) = ended.error.map(|error| (error.code, error.message)).unwrap_or_default();
        let mut error = ApiError::internal(format!("a question of the server's failed: {message}"));
        error.code = code.into();
        return Err(error);
    }
    let page = result::page(engine, &id, 0, ROWS).await;
    let engine = engine.clone();
    tokio::task::spawn_blocking(move || engine.remove_result(&id)).await.map_err(ApiError::internal)??;
    Ok(page?.rows)
}
