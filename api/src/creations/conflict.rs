//! The answer to a change that was made on an older state: the state as it is now.

use axum::http::StatusCode;
use serde::Serialize;

use crate::http::ApiError;

/// 409 with the current state as `data`, so that the editor can offer both.
pub fn conflict(current: &impl Serialize) -> ApiError {
    let msg = "This was changed in the meantime, perhaps in another window.";
    let error = ApiError::new(StatusCode::CONFLICT, "conflict", msg).param("revision");
    match serde_json::to_value(current) {
        Ok(current) => error.data(current),
        Err(failure) => ApiError::internal(failure),
    }
}
