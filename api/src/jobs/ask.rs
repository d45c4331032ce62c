//! Questions that the server itself asks the engine to answer a call: bounded by a deadline, their result is not kept.

use std::sync::Arc;
use std::time::Duration;

use axum::http::StatusCode;
use quarry_engine::Engine;
use quarry_engine::job::{JobHandle, JobRequest, JobState};
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
    let question = Question { job: engine.submit(request)?, engine: engine.clone(), id };
    let ended = tokio::time::timeout(DEADLINE, question.job.wait()).await;
    let Ok(ended) = ended else {
        let msg = "This takes too long to look up now. Try again later.";
        return Err(ApiError::new(StatusCode::SERVICE_UNAVAILABLE, "too_slow", msg).retry_after(30));
    };
    if ended.state != JobState::Succeeded {
        let (code, message) = ended.error.map(|error| (error.code, error.message)).unwrap_or_default();
        let mut error = ApiError::internal(format!("a question of the server's failed: {message}"));
        error.code = code.into();
        return Err(error);
    }
    Ok(result::own_rows(engine, &question.id, 0, ROWS).await?.rows)
}

/// A job of the server's own, which neither runs on nor leaves its result when its rows were read or who wanted them is gone.
struct Question {
    engine: Arc<Engine>,
    job: JobHandle,
    id: String,
}

impl Drop for Question {
    fn drop(&mut self) {
        self.job.kill();
        // What is written in this moment is found when old results are looked through.
        if let Err(error) = self.engine.remove_result(&self.id) {
            tracing::warn!(%error, "the result of a question of the server's could not be removed");
        }
    }
}
