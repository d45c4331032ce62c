//! Questions that the server itself asks the engine to answer a call: bounded by a deadline, their result is not kept.

use std::sync::Arc;
use std::time::Duration;

use axum::http::StatusCode;
use quarry_engine::Engine;
use quarry_runtime::job::{JobHandle, JobKind, JobRequest, JobState, Schemas};
use serde_json::Value;

use super::result::{self, ResultGraph, ResultPage};
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
    let request = JobRequest { text, owner: owner.to_string(), schemas, ..JobRequest::default() };
    let question = answered(engine, request, DEADLINE).await?;
    result::own_rows(engine, owner, &question.id, ROWS).await
}

/// The rows of a query over what everybody may read, with their columns.
pub async fn page(engine: &Arc<Engine>, owner: &str, text: String, deadline: Duration) -> Result<ResultPage, ApiError> {
    let request = JobRequest { text, owner: owner.to_string(), ..JobRequest::default() };
    let question = answered(engine, request, deadline).await?;
    result::own_page(engine, owner, &question.id, ROWS).await
}

/// The nodes and edges of a query of the address graph.
pub async fn graph(
    engine: &Arc<Engine>,
    owner: &str,
    text: String,
    deadline: Duration,
) -> Result<ResultGraph, ApiError> {
    let request = JobRequest { kind: JobKind::Graph, text, owner: owner.to_string(), ..JobRequest::default() };
    let question = answered(engine, request, deadline).await?;
    result::own_graph(engine, owner, &question.id).await
}

/// Runs a question to its end.
async fn answered(engine: &Arc<Engine>, request: JobRequest, deadline: Duration) -> Result<Question, ApiError> {
    let id = random_key();
    let job = engine.submit(JobRequest { id: id.clone(), ..request })?;
    let question = Question { job, engine: engine.clone(), id };
    let ended = tokio::time::timeout(deadline, question.job.wait()).await;
    let ended = ended.map_err(|_| too_slow())?;
    if ended.state != JobState::Succeeded {
        let (code, message) = ended.error.map(|error| (error.code, error.message)).unwrap_or_default();
        let mut error = ApiError::internal(format!("a question of the server's failed: {message}"));
        error.code = code.into();
        return Err(error);
    }
    Ok(question)
}

/// There is no answer in time.
pub fn too_slow() -> ApiError {
    let msg = "This takes too long to look up now. Try again later.";
    ApiError::new(StatusCode::SERVICE_UNAVAILABLE, "too_slow", msg).retry_after(30)
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
