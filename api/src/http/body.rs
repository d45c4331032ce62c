//! Extractors for JSON bodies, query strings and paths whose refusals speak the envelope and whose size is bounded.

use std::error::Error;

use axum::body::Body;
use axum::extract::rejection::QueryRejection;
use axum::extract::{FromRequest, FromRequestParts, Request};
use axum::http::header::CONTENT_TYPE;
use axum::http::request::Parts;
use axum::http::{HeaderValue, StatusCode};
use bytes::BytesMut;
use futures::StreamExt;
use serde::de::DeserializeOwned;
use serde::de::value::Error as ReadError;

use super::error::ApiError;
use super::{fault, slow, strict};

/// Largest JSON body that is read.
pub const JSON_LIMIT: usize = 1024 * 1024;
/// How much of a body that is too large is read and thrown away, so that the client gets to read the answer.
pub(super) const DRAIN_LIMIT: usize = 64 * 1024 * 1024;

/// A JSON body of at most [`JSON_LIMIT`] bytes.
#[derive(Debug)]
pub struct Json<T>(pub T);

impl<S: Send + Sync, T: DeserializeOwned> FromRequest<S> for Json<T> {
    type Rejection = ApiError;

    async fn from_request(request: Request, _state: &S) -> Result<Json<T>, ApiError> {
        // A page of another site may send forms and plain texts to us without asking, but no JSON.
        if !request.headers().get(CONTENT_TYPE).is_none_or(is_json) {
            let msg = "The body of this call is JSON: Content-Type is application/json.";
            return Err(ApiError::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, "unsupported_media_type", msg));
        }
        let body = read(request.into_body()).await?;
        if body.is_empty() {
            return Err(ApiError::new(StatusCode::BAD_REQUEST, "invalid_json", "The request needs a JSON body."));
        }
        if names_zero(&body) {
            return Err(ApiError::zero_byte());
        }
        let value = strict::read(&body).map_err(|error| unusable(&error.path().to_string(), error.inner()))?;
        Ok(Json(value))
    }
}

fn is_json(kind: &HeaderValue) -> bool {
    let kind = kind.to_str().unwrap_or_default().split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
    kind == "application/json" || kind.starts_with("application/") && kind.ends_with("+json")
}

/// Whether a text in this JSON has a zero byte, which can only be written as an escape.
fn names_zero(body: &[u8]) -> bool {
    const ZERO: &[u8] = b"\\u0000";
    let escaped = |at: usize| body[..at].iter().rev().take_while(|byte| **byte == b'\\').count() % 2 == 1;
    body.windows(ZERO.len()).enumerate().any(|(at, letters)| letters == ZERO && !escaped(at))
}

fn unusable(place: &str, error: &serde_json::Error) -> ApiError {
    let refusal = |msg: String| ApiError::new(StatusCode::BAD_REQUEST, "invalid_json", msg);
    if !error.is_data() {
        let (line, column) = (error.line(), error.column());
        return refusal(format!("The request is no JSON that can be read: line {line}, column {column}."));
    }
    let words = error.to_string();
    let words = words.rsplit_once(" at line ").map_or(words.as_str(), |(words, _)| words);
    let fault = fault::told(place, words);
    match fault.field {
        Some(field) => refusal(fault.sentence).param(field),
        None => refusal(fault.sentence),
    }
}

async fn read(body: Body) -> Result<BytesMut, ApiError> {
    let mut stream = body.into_data_stream();
    let mut kept = BytesMut::new();
    let mut seen = 0;
    while let Some(chunk) = stream.next().await {
        let chunk = chunk.map_err(|error| slow::unread(&error))?;
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
        let query = axum::extract::Query::<T>::try_from_uri(&parts.uri);
        query.map(|query| Query(query.0)).map_err(|rejection| unreadable(&rejection, parts))
    }
}

fn unreadable(rejection: &QueryRejection, parts: &Parts) -> ApiError {
    let refusal = |msg: String| ApiError::new(StatusCode::BAD_REQUEST, "invalid_input", msg);
    let mut causes = std::iter::successors(Some(rejection as &dyn Error), |&error| error.source());
    let Some(error) = causes.find_map(|error| error.downcast_ref::<serde_path_to_error::Error<ReadError>>()) else {
        return refusal("The parameters of the address can't be used.".to_string());
    };
    let mut fault = fault::told(&error.path().to_string(), &error.inner().to_string());
    let unreadable_number = error.inner().to_string().starts_with("invalid digit");
    if let Some(field) =
        fault.field.as_deref().filter(|_| unreadable_number).filter(|field| is_below_zero(field, parts))
    {
        fault.sentence = format!("{field} is below 0.");
    }
    match fault.field {
        Some(field) => refusal(fault.sentence).param(field),
        None => refusal(fault.sentence),
    }
}

/// Numbers without a sign are read digit by digit, so that the reader does not see what is wrong.
fn is_below_zero(field: &str, parts: &Parts) -> bool {
    let given = axum::extract::Query::<Vec<(String, String)>>::try_from_uri(&parts.uri).unwrap_or_default().0;
    given.iter().any(|(name, value)| name == field && value.starts_with('-') && value.parse::<i128>().is_ok())
}

/// The parts of the path that name an object; what can't name one is not found.
#[derive(Debug)]
pub struct Path<T>(pub T);

impl<S: Send + Sync, T: DeserializeOwned + Send> FromRequestParts<S> for Path<T> {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Path<T>, ApiError> {
        // Nothing has a zero byte in its name.
        if parts.uri.path().contains("%00") {
            return Err(ApiError::not_found("object"));
        }
        let path = axum::extract::Path::<T>::from_request_parts(parts, state).await;
        path.map(|path| Path(path.0)).map_err(|_| ApiError::not_found("object"))
    }
}
