//! The extractor for a file in a multipart form, bounded in size.

use axum::extract::multipart::{Multipart, MultipartError};
use axum::extract::{DefaultBodyLimit, FromRequest, Request};
use axum::http::StatusCode;
use utoipa::ToSchema;

use super::body::DRAIN_LIMIT;
use super::error::ApiError;
use crate::app::App;

/// The first file of a form. One byte more than `MOST` is kept, never more; what checks the file tells that it is too
/// large, in the words of its kind.
#[derive(Debug)]
pub struct Upload<const MOST: usize> {
    /// What the person calls it.
    pub name: String,
    pub bytes: Vec<u8>,
}

/// The form that an upload is sent as.
#[derive(Debug, ToSchema)]
#[schema(as = FileForm)]
pub struct FileForm {
    /// The file.
    #[schema(value_type = String, content_media_type = "application/octet-stream")]
    #[expect(dead_code, reason = "the shape of a form for the OpenAPI document; the form itself is read as a stream")]
    file: Vec<u8>,
}

impl<const MOST: usize> FromRequest<App> for Upload<MOST> {
    type Rejection = ApiError;

    async fn from_request(mut request: Request, app: &App) -> Result<Upload<MOST>, ApiError> {
        DefaultBodyLimit::max(DRAIN_LIMIT).apply(&mut request);
        let form = Multipart::from_request(request, app).await;
        let mut form = form.map_err(|_| bad("The request is no form with a file."))?;
        while let Some(mut field) = form.next_field().await.map_err(unreadable)? {
            let Some(name) = field.file_name().map(str::to_string) else { continue };
            let mut bytes = Vec::new();
            while let Some(chunk) = field.chunk().await.map_err(unreadable)? {
                // The rest is read and thrown away, so that the client gets to read the answer.
                let room = MOST + 1 - bytes.len();
                bytes.extend_from_slice(&chunk[..chunk.len().min(room)]);
            }
            return Ok(Upload { name, bytes });
        }
        Err(bad("The form has no file."))
    }
}

fn unreadable(error: MultipartError) -> ApiError {
    if error.status() == StatusCode::PAYLOAD_TOO_LARGE {
        return ApiError::new(StatusCode::PAYLOAD_TOO_LARGE, "too_large", "The file is too large.").param("file");
    }
    bad("The form can't be read: it is cut off or its parts are not divided as its header says.")
}

fn bad(msg: &str) -> ApiError {
    ApiError::new(StatusCode::BAD_REQUEST, "invalid_form", msg).param("file")
}
