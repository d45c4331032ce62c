//! The envelope of every JSON answer: `{"status","msg","data"}`, and `code` and `param` on a failure.

use axum::Json;
use axum::response::{IntoResponse, Response};
use quarry_types::Position;
use serde::Serialize;
use utoipa::ToSchema;

use super::error::ApiError;

/// What a handler returns.
pub type Answer<T> = Result<Reply<T>, ApiError>;

/// The one value of `status` in a good answer.
#[derive(Debug, Clone, Copy, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum SuccessStatus {
    Success,
}

/// The one value of `status` in a failure.
#[derive(Debug, Clone, Copy, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum FailStatus {
    Fail,
}

/// A good answer.
#[derive(Debug, Serialize, ToSchema)]
pub struct Success<T> {
    pub status: SuccessStatus,
    /// Empty, or a sentence for the person.
    pub msg: String,
    pub data: T,
}

/// A failure. `code` is stable; `msg` is a sentence for the person.
#[derive(Debug, Serialize, ToSchema)]
pub struct Failure {
    pub status: FailStatus,
    pub msg: String,
    /// The current state where a change was made on an older one (409); otherwise null.
    #[schema(value_type = Option<Object>)]
    pub data: Option<serde_json::Value>,
    /// Stable name of what went wrong, the key of a translation.
    pub code: String,
    /// The field that is meant, when there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub param: Option<String>,
    /// What exactly is wrong, when `msg` is one of the fixed texts that does not say it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub detail: Option<String>,
    /// Where in the query text, counted from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub position: Option<TextPosition>,
}

/// A place in a query text: line and column count from 1, in characters.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, ToSchema)]
pub struct TextPosition {
    pub line: u64,
    pub column: u64,
}

impl From<Position> for TextPosition {
    fn from(at: Position) -> TextPosition {
        TextPosition { line: at.line, column: at.column }
    }
}

/// Puts data into the envelope of a good answer.
#[derive(Debug)]
pub struct Reply<T>(pub T);

/// Like [`Reply`], with a sentence for the person.
#[derive(Debug)]
pub struct Said<T>(pub &'static str, pub T);

impl<T: Serialize> IntoResponse for Said<T> {
    fn into_response(self) -> Response {
        Json(Success { status: SuccessStatus::Success, msg: self.0.to_string(), data: self.1 }).into_response()
    }
}

impl<T: Serialize> IntoResponse for Reply<T> {
    fn into_response(self) -> Response {
        Json(Success { status: SuccessStatus::Success, msg: String::new(), data: self.0 }).into_response()
    }
}
