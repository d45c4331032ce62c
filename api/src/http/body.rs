//! Extractors for JSON bodies, query strings and paths whose refusals speak the envelope and whose size is bounded.

use axum::body::Body;
use axum::extract::{FromRequest, FromRequestParts, Request};
use axum::http::StatusCode;
use axum::http::request::Parts;
use bytes::BytesMut;
use futures::StreamExt;
use serde::de::DeserializeOwned;

use super::error::ApiError;

/// Largest JSON body that is read.
pub const JSON_LIMIT: usize = 1024 * 1024;
/// How much of a body that is too large is read and thrown away, so that the client gets to read the answer.
const DRAIN_LIMIT: usize = 64 * 1024 * 1024;

/// A JSON body of at most [`JSON_LIMIT`] bytes.
#[derive(Debug)]
pub struct Json<T>(pub T);

impl<S: Send + Sync, T: DeserializeOwned> FromRequest<S> for Json<T> {
    type Rejection = ApiError;

    async fn from_request(request: Request, _state: &S) -> Result<Json<T>, ApiError> {
        let body = read(request.into_body()).await?;
        if body.is_empty() {
            return Err(ApiError::new(StatusCode::BAD_REQUEST, "invalid_json", "The request needs a JSON body."));
        }
        serde_json::from_slice(&body).map(Json).map_err(|error| {
            ApiError::new(
                StatusCode::BAD_REQUEST,
                "invalid_json",
                format!("The request's JSON can't be used: {error}."),
            )
        })
    }
}

async fn read(body: Body) -> Result<BytesMut, ApiError> {
    let mut stream = body.into_data_stream();
    let mut kept = BytesMut::new();
    let mut seen = 0;
    while let Some(chunk) = stream.next().await {
        let chunk = chunk.map_err(|_| {
            ApiError::new(StatusCode::BAD_REQUEST, "invalid_request", "The request ended before its body was complete.")
        })?;
        seen += chunk.len();
        if seen <= JSON_LIMIT {
            kept.extend_from_slice(&chunk);
        } else if seen > DRAIN_LIMIT {
            break;
        }
    }
    if seen > JSON_LIMIT {
        let msg = "The request is too large: a text and its settings may have 1 MB together.";
        return Err(ApiError::new(StatusCode::PAYLOAD_TOO_LARGE, "too_large", msg));
    }
    Ok(kept)
}

/// The parameters after `?`.
#[derive(Debug)]
pub struct Query<T>(pub T);

impl<S: Send + Sync, T: DeserializeOwned> FromRequestParts<S> for Query<T> {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, _state: &S) -> Result<Query<T>, ApiError> {
        axum::extract::Query::<T>::try_from_uri(&parts.uri).map(|query| Query(query.0)).map_err(|error| {
            let msg = format!("The parameters of the address can't be used: {}.", error.body_text());
            ApiError::new(StatusCode::BAD_REQUEST, "invalid_input", msg)
        })
    }
}

/// The parts of the path that name an object; what can't name one is not found.
#[derive(Debug)]
pub struct Path<T>(pub T);

impl<S: Send + Sync, T: DeserializeOwned + Send> FromRequestParts<S> for Path<T> {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Path<T>, ApiError> {
        let path = axum::extract::Path::<T>::from_request_parts(parts, state).await;
        path.map(|path| Path(path.0)).map_err(|_| ApiError::not_found("object"))
    }
}
